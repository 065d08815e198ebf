import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BrowserPages, browserPages } from '../src/http/browser-pages.ts';
import { createHttpApp } from '../src/http/edge.ts';
import type { PageFilesDeps } from '../src/http/page-files.ts';
import type { Metrics } from '../src/runtime/metrics.ts';
import { afterwards } from './harness.ts';

/** Processes with other builds of browser pages than this one. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A folder with these files; removed after the test. */
export function folderOf(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-build-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The sources of the browser pages with another text in one of them. */
export function otherSources(t: TestContext, name: string, from: string, to: string): string {
  const folder = folderOf(t, {});
  cpSync(join(ROOT, 'console'), join(folder, 'console'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, name);
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  return folder;
}

/** A process that serves pages of the sources in the folder; closed after the test. Returns its address. */
export async function startPages(
  t: TestContext,
  deps: PageFilesDeps & { metrics: Metrics },
  folder: string,
  pages: { base: string; entry: string; worker?: string } & Partial<Pick<BrowserPages, 'browsers'>>,
): Promise<string> {
  const app = createHttpApp({
    ...deps,
    trustedProxies: [],
    requireHttps: false,
    docsUrl: 'http://127.0.0.1/docs',
  });
  const source = (name: string): URL => pathToFileURL(join(folder, name));
  browserPages(app, deps, {
    ...pages,
    entry: source(pages.entry),
    ...(pages.worker !== undefined && { worker: source(pages.worker) }),
    title: 'Pages',
    data: { deployment: 'sandbox' },
    imageOrigins: [],
    early: false,
  } as BrowserPages);
  afterwards(t, () => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

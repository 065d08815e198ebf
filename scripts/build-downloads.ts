import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { type ArchiveFile, tarball, zipArchive } from './archives.ts';
import { buildSdk } from './build-sdk.ts';

/**
 * Builds what /docs offers, and writes the example application and `listen` to docs/downloads and the checksums to the page.
 * Files are committed, because an installation without development dependencies could not build them. Those of the SDKs
 * have versions: release-sdk.ts writes them.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'docs/downloads');
/** The pages with the checksums. */
export const PAGES = ['docs/downloads.md', 'docs/downloads.ar.md'];

const read = (path: string): Buffer => readFileSync(join(ROOT, path));

/** The files below the folder, sorted by path, with the prefix before each. */
function filesBelow(folder: string, prefix: string): ArchiveFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: prefix + path.slice(folder.length + 1), body: readFileSync(path) }));
}

/** The TypeScript SDK as `npm pack` makes it. */
function sdkTarball(): [string, Buffer] {
  const { name, version } = JSON.parse(read('sdk/package.json').toString());
  const dist = mkdtempSync(join(tmpdir(), 'pbs-downloads-'));
  try {
    buildSdk(dist);
    const files = ['package.json', 'LICENSE', 'README.md'].map((file) => ({
      path: `package/${file}`,
      body: read(`sdk/${file}`),
    }));
    return [`${name}-${version}.tgz`, tarball([...files, ...filesBelow(dist, 'package/dist/')])];
  } finally {
    rmSync(dist, { recursive: true });
  }
}

/** The Python SDK as a wheel. */
function sdkWheel(): [string, Buffer] {
  const project = read('sdk-python/pyproject.toml').toString();
  const field = (name: string): string => {
    const [, value] = new RegExp(`^${name} = "(.*)"$`, 'm').exec(project) ?? [];
    if (value === undefined) throw new Error(`pyproject.toml has no ${name}`);
    return value;
  };
  const list = (name: string): string[] => {
    const [, items = ''] = new RegExp(`^${name} = \\[(.*)\\]$`, 'm').exec(project) ?? [];
    return [...items.matchAll(/"([^"]*)"/g)].map(([, item]) => item!);
  };
  const distribution = `${field('name').replaceAll('-', '_')}-${field('version')}`;
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${field('name')}`,
    `Version: ${field('version')}`,
    `Summary: ${field('description')}`,
    'License: MIT',
    ...list('classifiers').map((classifier) => `Classifier: ${classifier}`),
    `Requires-Python: ${field('requires-python')}`,
    ...list('dependencies').map((dependency) => `Requires-Dist: ${dependency}`),
    'Description-Content-Type: text/markdown',
    '',
    read('sdk-python/README.md').toString(),
  ].join('\n');
  const info = `${distribution}.dist-info`;
  const files = [
    ...filesBelow(join(ROOT, 'sdk-python/src/partner_booking'), 'partner_booking/').filter(
      ({ path }) => !path.includes('__pycache__'),
    ),
    { path: `${info}/LICENSE`, body: read('sdk-python/LICENSE') },
    { path: `${info}/METADATA`, body: Buffer.from(metadata) },
    {
      path: `${info}/WHEEL`,
      body: Buffer.from(
        'Wheel-Version: 1.0\nGenerator: build-downloads\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      ),
    },
  ];
  const record = [
    ...files.map(({ path, body }) => {
      const digest = createHash('sha256').update(body).digest('base64url');
      return `${path},sha256=${digest},${body.length}`;
    }),
    `${info}/RECORD,,`,
  ];
  const all = [...files, { path: `${info}/RECORD`, body: Buffer.from(`${record.join('\n')}\n`) }];
  return [`${distribution}-py3-none-any.whl`, zipArchive(all)];
}

/** The example application; its one package is installed from the service, not from a local folder. */
function partnerApp(): [string, Buffer] {
  const files = filesBelow(join(ROOT, 'examples/partner-app'), 'partner-app/').filter(
    ({ path }) => /^partner-app\/[\w.-]+$/.test(path) && /\.(?:js|html|md)$/.test(path),
  );
  const { dependencies: _, ...manifest } = JSON.parse(read('examples/partner-app/package.json').toString());
  const body = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  return ['partner-app.tgz', tarball([...files, { path: 'partner-app/package.json', body }])];
}

/** `listen` with its imports, as one readable file. */
function listenFile(): [string, Buffer] {
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: ['scripts/listen-file.ts'],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    charset: 'utf8',
    write: false,
    logLevel: 'error',
  });
  return ['listen.mjs', Buffer.from(outputFiles[0]!.contents)];
}

/** The files of both SDKs, by name. */
export const buildSdks = (): Map<string, Buffer> => new Map([sdkTarball(), sdkWheel()]);

/** The files without versions, by their names in docs/downloads. */
export const buildDownloads = (): Map<string, Buffer> => new Map([partnerApp(), listenFile()]);

/** SHA-256 in hexadecimal, by name. */
export const checksumsOf = (files: ReadonlyMap<string, Buffer>): Record<string, string> =>
  Object.fromEntries(
    [...files].map(([name, body]) => [name, createHash('sha256').update(body).digest('hex')]),
  );

/** The page with its checksums replaced, as `sha256sum --check` reads them. */
export function withChecksums(page: string, checksums: Readonly<Record<string, string>>): string {
  const lines = Object.entries(checksums).map(([name, sha256]) => `${sha256}  ${name}\n`);
  return page.replace(/(?<=^```text\n)(?:[0-9a-f]{64} {2}\S+\n)*(?=```$)/m, lines.join(''));
}

if (import.meta.main) {
  const files = buildDownloads();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [name, body] of files) writeFileSync(join(FOLDER, name), body);
  const checksums = {
    ...JSON.parse(read('src/developer-docs/released.json').toString()),
    ...checksumsOf(files),
  };
  for (const page of PAGES) writeFileSync(join(ROOT, page), withChecksums(read(page).toString(), checksums));
}

import { basename, extname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, OutputFile } from 'esbuild';

/** Bundles of pages: from TypeScript sources to the files for browsers, in memory. */
export type PageBundle = {
  /** The name of the entry script. */
  script: string;
  /** Scripts of its static imports, for `modulepreload`. */
  preloads: readonly string[];
  /** The name of its style sheet; null: none. */
  styles: string | null;
  /** Every file by its name, which has a hash of the content. */
  files: ReadonlyMap<string, { type: string; body: Buffer }>;
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Browsers by what they need: `light-dark()`, `popover` and `<dialog>`; or telephones of 2020 that nobody updates. */
const TARGETS = {
  current: ['es2023', 'chrome123', 'firefox125', 'safari17.5'],
  old: ['es2020', 'chrome80', 'firefox78', 'safari14'],
};
export type Browsers = keyof typeof TARGETS;

/** Builds in progress; the compiler's process ends with the last one. */
let running = 0;

/**
 * Bundles a script (`.ts` or `.tsx`): one file of its static imports, others of dynamic ones. The same sources have the
 * same names in every process. Throws the compiler's error when the sources are invalid.
 */
export async function bundlePages(entry: URL, browsers: Browsers = 'current'): Promise<PageBundle> {
  // Imported with the first bundle: processes that serve no page never load it.
  const { build, stop } = await import('esbuild');
  running++;
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [fileURLToPath(entry)],
      absWorkingDir: ROOT,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: TARGETS[browsers],
      // Safari 14.0 has it, but for a corner case for which esbuild refuses it altogether.
      supported: { destructuring: true },
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      loader: { '.png': 'file', '.svg': 'file' },
      outdir: 'bundle',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      write: false,
      metafile: true,
    });
    return bundleOf(relative(ROOT, fileURLToPath(entry)), metafile, outputFiles);
  } finally {
    running--;
    if (running === 0) await stop();
  }
}

function bundleOf(entry: string, { outputs }: Metafile, files: readonly OutputFile[]): PageBundle {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  if (found === undefined) throw new Error(`the bundle has no ${entry}`);
  const [path, { imports, cssBundle }] = found;
  return {
    script: basename(path),
    preloads: imports.flatMap((one) => (one.kind === 'import-statement' ? basename(one.path) : [])),
    styles: cssBundle === undefined ? null : basename(cssBundle),
    files: new Map(files.map((file) => [basename(file.path), contentOf(file)])),
  };
}

function contentOf({ path, contents }: OutputFile): { type: string; body: Buffer } {
  const type = typeOf(path);
  if (type === undefined) throw new Error(`${basename(path)} has no content type`);
  return { type, body: Buffer.from(contents) };
}

/** The content type of a file of a bundle; undefined: bundles have none of that kind. */
export const typeOf = (name: string): string | undefined => TYPES[extname(name)];

import { readFile } from 'node:fs/promises';

let compiling: Promise<WebAssembly.Module> | undefined;

/** PGlite's WebAssembly, compiled once per process, in other threads. Can be called early. */
export function compileEmbedded(): Promise<WebAssembly.Module> {
  compiling ??= readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  // The awaiting caller handles a failure; until then it must not be unhandled.
  compiling.catch(() => {});
  return compiling;
}

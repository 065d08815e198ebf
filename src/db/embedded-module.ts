import { readFile } from 'node:fs/promises';

let compiling: Promise<WebAssembly.Module> | undefined;

/** PGlite's WebAssembly, compiled once for a process, in threads of its own: whoever is to open a database may begin early. */
export function compileEmbedded(): Promise<WebAssembly.Module> {
  compiling ??= readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  // Whoever waits for it hears of a failure, and until then nobody.
  compiling.catch(() => {});
  return compiling;
}

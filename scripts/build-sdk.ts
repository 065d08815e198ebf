import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Builds the TypeScript SDK: dist/esm for `import`, dist/cjs for `require`, each with its own declarations. */
const SDK = fileURLToPath(new URL('../sdk', import.meta.url));
const TSC = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));

export function buildSdk(dist: string): void {
  rmSync(dist, { recursive: true, force: true });
  for (const [folder, config, type] of [
    ['esm', 'tsconfig.json', 'module'],
    ['cjs', 'tsconfig.cjs.json', 'commonjs'],
  ] as const) {
    const outDir = join(dist, folder);
    execFileSync(TSC, ['-p', join(SDK, config), '--outDir', outDir], { stdio: 'inherit' });
    // The compiler keeps `.ts` in declarations, which only compilers from version 5 on resolve.
    for (const name of readdirSync(outDir).filter((file) => file.endsWith('.d.ts'))) {
      const path = join(outDir, name);
      writeFileSync(path, readFileSync(path, 'utf8').replace(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.js'"));
    }
    // Each folder declares its module type: the package has both.
    writeFileSync(join(outDir, 'package.json'), `${JSON.stringify({ type, sideEffects: false })}\n`);
  }
}

if (import.meta.main) buildSdk(join(SDK, 'dist'));

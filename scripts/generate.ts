import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installTools } from './install-tools.ts';

/**
 * Writes every committed file that is made from the code (`npm run generate`). Tests, and CI, say so when one of them
 * is out of date. docs/schema.sql comes last because it needs PostgreSQL and pg_dump; TEST_DATABASE_URL says where.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRINTERS = [
  'scripts/print-openapi.ts',
  // What these three print follows from the documents.
  'scripts/print-postman.ts',
  'tools/sdk/print-contract.js',
  'scripts/print-python-contract.ts',
  'scripts/print-states.ts',
  'scripts/print-configuration.ts',
  'scripts/print-webhook-vectors.ts',
  // Of the SDKs as they are now.
  'scripts/build-downloads.ts',
  'scripts/dump-schema.ts',
];

await installTools(['sdk']);
for (const printer of PRINTERS) {
  const { status } = spawnSync(process.execPath, [printer], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`${printer} failed; what comes after it is not written`);
    process.exit(1);
  }
}

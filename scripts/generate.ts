import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installTools } from './install-tools.ts';

/**
 * Writes every committed file that is generated from the code (`npm run generate`). Tests and CI fail when one of them
 * is out of date. docs/schema.sql comes last because it needs PostgreSQL (TEST_DATABASE_URL) and pg_dump.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRINTERS = [
  'scripts/print-openapi.ts',
  // These three depend on the documents.
  'scripts/print-postman.ts',
  'tools/sdk/print-contract.js',
  'scripts/print-python-contract.ts',
  'scripts/print-retries.ts',
  'scripts/print-states.ts',
  'scripts/print-configuration.ts',
  'scripts/print-privacy.ts',
  'scripts/print-setup-schema.ts',
  'scripts/print-webhook-vectors.ts',
  // Contains the SDKs.
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

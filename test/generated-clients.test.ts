import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { startTestService } from './harness.ts';

/**
 * Clients as partners generate them from openapi/partner.json: each compiles strictly, with the codes of an operation as a
 * closed list, and books. Each generator is a folder of its own, with the TypeScript that it needs:
 * node scripts/install-tools.ts clients/hey-api clients/openapi-typescript clients/swagger-typescript-api
 */
const DOCUMENT = fileURLToPath(new URL('../openapi/partner.json', import.meta.url));
const CLIENTS: Record<string, string[]> = {
  'hey-api': ['openapi-ts', '--input', DOCUMENT, '--output', 'gen', '--no-log-file'],
  'openapi-typescript': ['openapi-typescript', DOCUMENT, '--output', 'gen/schema.ts'],
  'swagger-typescript-api': [
    'swagger-typescript-api',
    'generate',
    '-p',
    DOCUMENT,
    '-o',
    'gen',
    '-n',
    'api.ts',
  ],
};

const run = promisify(execFile);

for (const [name, [generator = '', ...args]] of Object.entries(CLIENTS)) {
  const cwd = fileURLToPath(new URL(`../tools/clients/${name}/`, import.meta.url));
  const installed = existsSync(`${cwd}node_modules/.bin/${generator}`);
  // In CI a missing generator is an error.
  const skip = !installed && process.env.TEST_TOOLS !== 'required' && 'is not installed';

  test(`the client of ${name} compiles, knows its error codes, and books`, { skip }, async (t) => {
    rmSync(`${cwd}gen`, { recursive: true, force: true });
    const tool = (command: string, options: string[]) =>
      run(process.execPath, [`${cwd}node_modules/.bin/${command}`, ...options], { cwd });
    await tool(generator, args);
    await tool('tsc', []);

    const service = await startTestService(t);
    const { key, latitude, longitude } = await createWorld(service);
    const { stdout } = await run(process.execPath, ['gen/js/book.js'], {
      cwd,
      env: {
        ...process.env,
        BASE_URL: `${service.url}/v1`,
        API_KEY: key,
        LATITUDE: String(latitude),
        LONGITUDE: String(longitude),
        DATE: WORLD_DATE,
      },
    });
    const { docUrl, ...said } = JSON.parse(stdout);
    assert.deepEqual(said, {
      status: 'in progress',
      appointment: 'Scheduled',
      refusal: 'DUPLICATE_EXTERNAL_REFERENCE',
    });
    assert.match(docUrl, /#duplicate-external-reference$/);
    const { body } = await service.v1(key, 'GET', `/partners/bookings?externalReference=${name}`);
    assert.equal(body.data.length, 1);
  });
}

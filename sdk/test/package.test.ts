import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterwards } from '../../test/harness.ts';
import { installSdk } from './installed.ts';
import { startSetting } from './setting.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/.bin/tsc');

/** A folder with a program's node_modules, in which the package is built and installed as npm would. */
function installed(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-sdk-'));
  afterwards(t, () => rmSync(folder, { recursive: true }));
  installSdk(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

/** The output of a program; throws with all of it when the program fails. */
async function run(program: string, args: string[], cwd?: string): Promise<string> {
  const work = promisify(execFile)(program, args, { encoding: 'utf8', ...(cwd && { cwd }) });
  const { stdout } = await work.catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}

/** The machine's own program of that name, outside of node_modules; null: there is none. */
function machines(name: string): string | null {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const found = folders
    .map((folder) => join(folder, name))
    .find((path) => spawnSync(path, ['--version']).status === 0);
  return found ?? null;
}

/** Books through the faults of the proxy, verifies a vector, and prints the results. */
const PROGRAM = `
import { createClient, isCode, verifyWebhook, WebhookVerificationError } from 'partner-booking-sdk';

const { apiKey, baseUrl, booking, webhook } = JSON.parse(WANTED);
const client = createClient({ apiKey, baseUrl });
const made = await client.bookings.create(booking);
const again = await client.bookings.create({ ...booking, notes: 'Gate 2' }).catch((error) => error);
const listed = [];
for await (const { bookingId } of client.bookings.list({ limit: 1 })) listed.push(bookingId);
const aborted = await client.bookings.list({}, { signal: AbortSignal.abort() }).catch((error) => error.name);
const event = await verifyWebhook(webhook);
const forged = await verifyWebhook({ ...webhook, secret: 'another' }).catch((error) => error);
console.log(JSON.stringify({
  booked: listed.length === 1 && listed[0] === made.bookingId,
  refused: isCode(again, 'DUPLICATE_EXTERNAL_REFERENCE'),
  aborted,
  event: event.event,
  forged: forged instanceof WebhookVerificationError && forged.reason,
}));
`;

/** Runs the program on a platform against a real service, with faults of the network. */
async function runs(t: TestContext, start: (file: string) => [string, string[]]): Promise<void> {
  const folder = installed(t);
  const { world, proxy, booking } = await startSetting(t);
  proxy.faults = [{ kind: 'lost' }];
  const [vector] = JSON.parse(readFileSync(join(ROOT, 'docs/webhook-vectors.json'), 'utf8'));
  const wanted = {
    apiKey: world.key,
    baseUrl: proxy.baseUrl,
    booking: booking({ externalReference: 'ORDER-1' }),
    webhook: {
      secret: vector.secret,
      body: vector.body,
      now: Date.parse(vector.timestamp),
      headers: { 'x-service-timestamp': vector.timestamp, 'x-service-signature': vector.signature },
    },
  };
  const file = join(folder, 'program.js');
  writeFileSync(file, PROGRAM.replace('WANTED', JSON.stringify(JSON.stringify(wanted))));
  assert.deepEqual(JSON.parse(await run(...start(file), folder)), {
    booked: true,
    refused: true,
    aborted: 'AbortError',
    event: vector.event,
    forged: 'SIGNATURE_MISMATCH',
  });
}

test('the built package works on the Node of the service', (t) =>
  runs(t, (file) => [process.execPath, [file]]));

for (const [name, args] of [
  ['node', []],
  ['deno', ['run', '--allow-net', '--node-modules-dir=manual']],
  ['bun', ['run']],
] as const) {
  const program = machines(name);
  test(
    `the built package works on the machine's own ${name}`,
    {
      skip: program === null && `${name} is not installed`,
    },
    (t) => runs(t, (file) => [program!, [...args, file]]),
  );
}

/** Declarations that the README leaves to its readers. */
const READERS = `
  declare const process: { env: Record<string, string | undefined> };
  declare const secret: string;
  declare function loadCursor(): Promise<string | undefined>;
  declare function saveCursor(cursor: string): Promise<void>;
`;

test('the declarations do not need those of Node, and type-check strictly', async (t) => {
  const folder = installed(t);
  const check = async (text: string): Promise<string> => {
    writeFileSync(join(folder, 'program.ts'), text);
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'];
    const where = ['--module', 'nodenext', '--types', '', '--lib', 'es2022,dom'];
    return run(TSC, [...options, ...where, join(folder, 'program.ts')], folder).catch(String);
  };
  const program = `
    import { createClient } from 'partner-booking-sdk';
    const client = createClient({ apiKey: 'k', baseUrl: 'https://booking.example/v1' });
    for await (const booking of client.bookings.list()) booking.trackingReference satisfies string;
  `;
  assert.equal(await check(program), '');
  assert.match(await check(program.replace('trackingReference', 'trackingNumber')), /TS2551|TS2339/);
  const readme = readFileSync(join(ROOT, 'sdk/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, example]) => example);
  assert.ok(examples.length >= 3);
  assert.equal(await check([...examples, READERS].join('\n')), '', 'the examples of the README');
  assert.match(await check(program.replace("apiKey: 'k', ", '')), /TS2741/);
});

test('the package works with require, and isCode recognizes errors of another copy', async (t) => {
  const folder = installed(t);
  const file = join(folder, 'program.cjs');
  writeFileSync(
    file,
    `const { createClient, isCode, PartnerBookingError, signWebhook, verifyWebhook } = require('partner-booking-sdk');
     const secret = 'whsec_' + btoa('0'.repeat(32));
     const event = { event: 'webhook.test', deliveryId: 'd', payload: { message: 'm' } };
     const fetch = async () => Response.json({ success: false, error: { code: 'FORBIDDEN', details: {} } }, { status: 403 });
     const client = createClient({ apiKey: 'k', baseUrl: 'https://booking.example/v1', fetch });
     (async () => {
       const error = await client.bookings.list().catch((thrown) => thrown);
       const esm = await import('partner-booking-sdk');
       const signed = await signWebhook({ secret, event });
       console.log(JSON.stringify([
         esm.createClient !== createClient, error instanceof PartnerBookingError, isCode(error, 'FORBIDDEN'),
         esm.isCode(error, 'FORBIDDEN'), (await verifyWebhook({ secret, ...signed })).payload.message,
       ]));
     })();`,
  );
  const [two, ...rest] = JSON.parse(await run(process.execPath, [file], folder));
  assert.deepEqual([two, ...rest], [true, true, true, true, 'm']);
  writeFileSync(
    join(folder, 'program.cts'),
    `import sdk = require('partner-booking-sdk');
     sdk.createClient({ apiKey: 'k', baseUrl: 'b' }).bookings.get('id') satisfies Promise<sdk.Booking>;`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', '--lib', 'es2022,dom'];
  assert.equal(await run(TSC, [...options, join(folder, 'program.cts')], folder).catch(String), '');
});

test('the package contains only the needed files', (t) => {
  const home = join(installed(t), 'node_modules/partner-booking-sdk');
  const sources = readdirSync(join(ROOT, 'sdk/src')).map((name) => name.replace(/\.ts$/, ''));
  const wanted = [...sources.flatMap((name) => [`${name}.d.ts`, `${name}.js`]), 'package.json'].sort();
  const pack = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  for (const kind of ['esm', 'cjs']) {
    assert.deepEqual(readdirSync(join(home, 'dist', kind)).sort(), wanted);
    for (const name of wanted)
      assert.doesNotMatch(
        readFileSync(join(home, 'dist', kind, name), 'utf8'),
        /(?:from|require\() ?['"][^'"]*\.ts['"]/,
        name,
      );
  }
  const { import: esm, require: cjs } = pack.exports['.'];
  for (const path of [...Object.values<string>(esm), ...Object.values<string>(cjs), pack.main, pack.types])
    readFileSync(join(home, path));
  for (const field of ['repository', 'homepage', 'bugs', 'license', 'description', 'engines'])
    assert.ok(pack[field], field);
});

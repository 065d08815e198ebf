import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DAY, HOUR, MINUTE } from '../src/base/clock.ts';
import { FAILURE_REASONS } from '../src/bookings/rules.ts';
import { FOLLOW_UP, LATE_POLLS, pollInterval, STEP_RETRY_AFTER } from '../src/payments/rules.ts';
import { compiled } from './compiled.ts';
import { until } from './until.ts';

/** docs/payments.md matches the service. */

const guide = readFileSync(new URL('../docs/payments.md', import.meta.url), 'utf8');
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

test('reasons and times of the guide match the service', () => {
  const [, section] = /## `booking\.payment_failed`([\s\S]*?)\n## /.exec(guide)!;
  const listed = [...section!.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name);
  assert.deepEqual(
    listed.filter((name) => name !== 'reason'),
    [...FAILURE_REASONS],
  );
  assert.deepEqual(
    STEP_RETRY_AFTER.map((milliseconds) => milliseconds / 1000),
    [5, 15, 45, 120, 300, 600, 900],
  );
  assert.ok(guide.includes('5, 15 and 45 seconds, 2, 5, 10 and 15 minutes'));
  assert.deepEqual(LATE_POLLS, [10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY]);
  assert.ok(guide.includes('after 10 minutes, 1 and 6 hours, 1, 3, 7, 14 and 30 days'));
  assert.equal(FOLLOW_UP, 7 * DAY);
  assert.ok(guide.includes('up to 7 days'));
  const ages = [0, 10 * MINUTE - 1, 10 * MINUTE, 2 * HOUR - 1, 2 * HOUR];
  assert.deepEqual(ages.map(pollInterval), [30_000, 30_000, 2 * MINUTE, 2 * MINUTE, 10 * MINUTE]);
});

test('the steps of the guide work', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-guide-'));
  const log = join(folder, 'service.log');
  const service = spawn(process.execPath, ['--liftoff-only', MAIN], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...compiled, PORT: '0' },
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  });
  t.after(async () => {
    service.kill('SIGKILL');
    await once(service, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const printed = (): string | undefined => /base URL +(\S+)\/v1/.exec(readFileSync(log, 'utf8'))?.[1];
  await until(() => printed() !== undefined);

  const [, script] = /In another terminal[^\n]*\n\n```sh\n([\s\S]*?)```/.exec(guide)!;
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-euc', script!.replaceAll('http://127.0.0.1:3000', printed()!)],
    { cwd: folder, env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` } },
  );
  const [link, ...statuses] = stdout.trim().split('\n');
  assert.ok(link!.startsWith(`${printed()}/checkout/`), stdout);
  assert.deepEqual(statuses, ['PENDING', 'PAID']);
});

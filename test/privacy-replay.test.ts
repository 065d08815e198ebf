import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportErasures, replayErasure } from '../src/privacy/replay.ts';
import type { ErasureLine } from '../src/privacy/request-schema.ts';
import { createWorld, randomPhone } from './fixtures.ts';
import {
  type Answer,
  afterwards,
  createEmptyDatabase,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onServer,
  SECRETS_KEY,
  startTestService,
  type TestService,
} from './harness.ts';
import { tablesWith } from './needle.ts';
import { runToEnd } from './terminal.ts';

/** Erasures after a restore: they are made again from a file that is kept apart from the backups. */

function succeeded({ status, body, text }: Answer, wanted = 200) {
  assert.equal(status, wanted, text);
  return body.data;
}

async function eraseNumber(service: TestService, phone: string): Promise<string> {
  const body = { kind: 'ERASURE', phone };
  const { id } = succeeded(await service.operator('POST', '/privacy-requests', body), 201);
  succeeded(await service.operator('POST', `/privacy-requests/${id}/complete`));
  return id;
}

async function cancel(service: TestService, bookingId: string): Promise<void> {
  const reason = { nameEn: `Moved ${bookingId}`, nameAr: `انتقل ${bookingId}` };
  const { id: reasonId } = succeeded(await service.operator('POST', '/cancellation-reasons', reason), 201);
  succeeded(await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId }));
}

async function linesOf(service: TestService): Promise<ErasureLine[]> {
  const lines: ErasureLine[] = [];
  for await (const line of exportErasures(service.deps.db)) lines.push(line);
  return lines;
}

test('a restored backup is erased again before the service starts', onServer('needs pg_dump'), async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-privacy-'));
  afterwards(t, () => rmSync(folder, { recursive: true }));
  const [dump, file] = [join(folder, 'booking.dump'), join(folder, 'erasures.jsonl')];
  const databaseUrl = await createPostgresDatabase(t);
  const service = await startTestService(t, { databaseUrl, env: { REQUEST_LOG_DAYS: '0' } });
  const cli = async (url: string, ...args: string[]): Promise<string> => {
    const env = { DATABASE_URL: url, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN, SECRETS_KEY };
    const { code, stdout, stderr } = await runToEnd(['privacy', ...args], env);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    return stdout;
  };
  const world = await createWorld(service, { teams: 2 });
  const [gone, booked] = [randomPhone(), randomPhone()];
  const [first, second] = [
    succeeded(await world.contact({ phone: gone, name: 'Haifa Zq91', directions: 'Zq91 gate' })),
    succeeded(await world.contact({ phone: booked, name: 'Salma Zq92' })),
  ];
  const bookFor = async ({ id: contactId, addressId }: { id: string; addressId: string }) =>
    succeeded(await world.book({ contactId, addressId, notes: 'Zq91 has a dog' })).bookingId as string;
  const past = await bookFor(first);
  await cancel(service, past);
  const open = await bookFor(second);
  execFileSync('pg_dump', ['--format=custom', `--file=${dump}`, databaseUrl]);

  await cancel(service, open);
  const requestId = await eraseNumber(service, gone);
  await eraseNumber(service, booked);
  const printed = await cli(databaseUrl, 'export');
  writeFileSync(file, printed);
  assert.doesNotMatch(printed, new RegExp(`Zq9|${gone.slice(4)}|${booked.slice(4)}`));
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ contactId }) => contactId).sort(), [first.id, second.id].sort());

  const restoredUrl = await createEmptyDatabase(t, '');
  execFileSync('pg_restore', [
    '--no-owner',
    '--single-transaction',
    '--exit-on-error',
    `--dbname=${restoredUrl}`,
    dump,
  ]);
  const told = await cli(restoredUrl, 'replay', file);
  assert.match(told, new RegExp(`^contact ${second.id} has open bookings`, 'm'));
  assert.match(
    told,
    /^1 erased again, 0 were erased still, 0 are not in the database, 1 have open bookings$/m,
  );
  assert.match(
    await cli(restoredUrl, 'replay', file),
    /^0 erased again, 1 were erased still, .*, 1 have open/m,
  );

  const restored = await startTestService(t, { databaseUrl: restoredUrl });
  // The command line has the machine's clock: what it made is due then.
  restored.clock.set(Date.now());
  const { db } = restored.deps;
  for (const needle of ['Zq91 gate', 'Haifa Zq91', gone.slice(1)])
    assert.deepEqual(await tablesWith(db, needle), [], needle);
  const erased = succeeded(await restored.operator('GET', `/privacy-requests/${requestId}`));
  assert.deepEqual([erased.status, erased.contacts[0].id], ['DONE', first.id]);
  const openOnes = succeeded(await restored.operator('GET', '/privacy-requests?status=OPEN'));
  assert.equal(openOnes.length, 1);
  assert.deepEqual([openOnes[0].kind, openOnes[0].partner.id], ['ERASURE', world.partnerId]);
  assert.equal(succeeded(await restored.operator('GET', '/attention')).privacyRequestsDue.count, 1);
  await cancel(restored, open);
  succeeded(await restored.operator('POST', `/privacy-requests/${openOnes[0].id}/complete`));
  for (const needle of ['Zq91', 'Zq92', gone.slice(1), booked.slice(1)])
    assert.deepEqual(await tablesWith(db, needle), [], needle);

  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"contactId":"x"}\n`);
  const env = { DATABASE_URL: restoredUrl, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN, SECRETS_KEY };
  const wrong = await runToEnd(['privacy', 'replay', file], env);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /line 3 of .*contactId must be a UUID/);
});

test('an erasure is made again as the same request, also where that is open, and only once', async (t) => {
  const service = await startTestService(t);
  const { db, phoneHash, clock } = service.deps;
  const world = await createWorld(service);
  const phone = randomPhone();
  const contact = succeeded(await world.contact({ phone, name: 'Haifa Zq93' }));
  const requestId = await eraseNumber(service, phone);
  const [line] = await linesOf(service);
  assert.deepEqual(
    [line!.contactId, line!.requestId, line!.kind, line!.partnerId, line!.erasedBy],
    [contact.id, requestId, 'ERASURE', null, 'operator:first-token'],
  );
  const replay = () => replayErasure({ db, phoneHash, keepsBodies: true }, clock.now(), 'cli:root', line!);
  /** As a backup has her, from before the request or while it was open. */
  const revive = async (status: 'none' | 'OPEN') => {
    await db.rows({
      text: `update contacts set phone = $2, name = 'Haifa Zq93', erasure_id = null where id = $1`,
      values: [contact.id, phone],
    });
    const text =
      status === 'none'
        ? 'delete from privacy_requests where id = $1 and $2::text is not null'
        : `update privacy_requests set status = 'OPEN', phone = $2, finished_at = null, finished_by = null where id = $1`;
    await db.rows({ text, values: [requestId, phone] });
  };
  assert.equal(await replay(), 'KNOWN');
  for (const status of ['none', 'OPEN'] as const) {
    await revive(status);
    assert.equal(await replay(), 'ERASED', status);
    assert.equal(await replay(), 'KNOWN', status);
    assert.deepEqual(await linesOf(service), [line], status);
    const found = succeeded(
      await service.operator('GET', `/privacy-requests?phone=${encodeURIComponent(phone)}`),
    );
    assert.deepEqual(
      found.map(({ id }: { id: string }) => id),
      [requestId],
      status,
    );
  }
  const unknown = { ...line!, contactId: requestId };
  assert.equal(
    await replayErasure({ db, phoneHash, keepsBodies: true }, clock.now(), 'cli:root', unknown),
    'MISSING',
  );
});

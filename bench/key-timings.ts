import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { createKey, type NewKey, PERMISSIONS } from '../src/partners/key-rules.ts';
import { createDatabase } from './fixtures.ts';
import { script, serviceEnv, startProcess } from './processes.ts';

/**
 * Does the duration of a refusal reveal why a key is invalid? `node bench/key-timings.ts`. One request at a time over
 * one connection; in every round each kind of invalid key once, in random order. Unknown keys twice under two names:
 * their difference is the noise.
 */
const ROUNDS = 5_000;
/** Rounds that each follow a change of the accounts, so that no key is cached. */
const ROUNDS_AFTER_CHANGE = 300;
/**
 * More than the interval in which unknown keys cause a read of the change counter (src/runtime/credential-cache.ts), in
 * milliseconds.
 */
const BETWEEN_CHANGES = 60;

const unknownKey = (): string => createKey('sandbox').key;

/** Inserts formerly valid keys; returns them by the reason of their refusal. */
async function insertKeys(db: Db) {
  const keys = {
    revoked: createKey('sandbox'),
    expired: createKey('sandbox'),
    suspended: createKey('sandbox'),
  };
  const partner = (name: string, status: string) =>
    db.first<{ id: string }>({
      text: 'insert into partners (name, status, created_at, updated_at) values ($1, $2, now(), now()) returning id',
      values: [name, status],
    });
  const insert = (
    partnerId: string,
    { hash, prefix, last4 }: NewKey,
    status: string,
    expiresAt: string | null,
  ) =>
    db.rows({
      text: `
        insert into api_keys (partner_id, name, hash, prefix, last4, permissions, status, expires_at, created_at, updated_at)
        values ($1, 'bench', $2, $3, $4, $5, $6, $7, now(), now())`,
      values: [partnerId, hash, prefix, last4, PERMISSIONS, status, expiresAt],
    });
  const active = (await partner('Active', 'ACTIVE'))!.id;
  await insert(active, keys.revoked, 'REVOKED', null);
  await insert(active, keys.expired, 'ACTIVE', '2026-01-01Z');
  await insert((await partner('Suspended', 'SUSPENDED'))!.id, keys.suspended, 'ACTIVE', null);
  // A list of realistic length.
  for (let number = 0; number < 200; number++) await insert(active, createKey('sandbox'), 'ACTIVE', null);
  return { revoked: keys.revoked.key, expired: keys.expired.key, suspended: keys.suspended.key };
}

/** Sends a request with the key; returns the duration of the refusal (milliseconds). */
async function refusal(socket: Socket, key: string, attempt: number): Promise<number> {
  // A new address each time, because failures are limited by address.
  const address = [10, attempt >> 16, attempt >> 8, attempt].map((byte) => byte & 255).join('.');
  const request = Buffer.from(
    `GET /v1/partners/services HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\nx-forwarded-for: ${address}\r\n\r\n`,
  );
  const began = performance.now();
  socket.write(request);
  let received = '';
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [string];
    received += chunk;
    const head = received.indexOf('\r\n\r\n');
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
    if (head < 0 || received.length < head + 4 + length) continue;
    if (received.slice(9, 12) !== '401') throw new Error(`unexpected answer: ${received}`);
    return performance.now() - began;
  }
}

type Kinds = Record<string, () => string>;

async function measure(socket: Socket, kinds: Kinds, rounds: number, before: () => Promise<void>) {
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    await before();
    const order = Object.entries(kinds)
      .map(([kind, key]) => ({ kind, key: key(), at: Math.random() }))
      .sort((a, b) => a.at - b.at);
    for (const { kind, key } of order) times.get(kind)!.push(await refusal(socket, key, attempts++));
  }
  const at = (kind: string, share: number): number => {
    const sorted = times.get(kind)!.toSorted((a, b) => a - b);
    return sorted[Math.floor(share * (sorted.length - 1))]!;
  };
  return Object.fromEntries(
    Object.keys(kinds).map((kind) => [
      kind,
      {
        'median ms': at(kind, 0.5).toFixed(3),
        ratio: (at(kind, 0.5) / at('unknown', 0.5)).toFixed(3),
        'p95 ms': at(kind, 0.95).toFixed(3),
        'p95 ratio': (at(kind, 0.95) / at('unknown', 0.95)).toFixed(3),
      },
    ]),
  );
}

let attempts = 0;
const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';
const database = await createDatabase(adminUrl, async (db) => ({ keys: await insertKeys(db) }));
const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-'));
const db = connectPostgres(database.url, 1, (error) => {
  throw error;
});
try {
  const env = { ...serviceEnv(database.url), TRUSTED_PROXIES: '127.0.0.1' };
  const service = await startProcess(script('../src/main.ts'), join(folder, 'service.log'), env);
  try {
    const socket = connect({ host: '127.0.0.1', port: service.port, noDelay: true }).setEncoding('latin1');
    await once(socket, 'connect');
    const { revoked, expired, suspended } = database.keys;
    const kinds: Kinds = {
      unknown: unknownKey,
      'unknown again': unknownKey,
      malformed: () => unknownKey().slice(0, -1).concat('-'),
      revoked: () => revoked,
      expired: () => expired,
      suspended: () => suspended,
    };
    await measure(socket, kinds, ROUNDS / 10, async () => {});
    console.log('one after another');
    console.table(await measure(socket, kinds, ROUNDS, async () => {}));
    const change = async (): Promise<void> => {
      await db.rows({ text: "update partners set updated_at = now() where name = 'Active'" });
      await after(BETWEEN_CHANGES);
      // The first request finds the change and reads the list, whatever its key is.
      await refusal(socket, unknownKey(), attempts++);
    };
    console.log('the first attempt with each key after a change');
    console.table(await measure(socket, kinds, ROUNDS_AFTER_CHANGE, change));
    socket.destroy();
  } finally {
    await service.stop();
  }
} finally {
  rmSync(folder, { recursive: true });
  await db.close();
  await database.drop();
}

import { randomBytes } from 'node:crypto';
import { TRACKING_KEY_BYTES } from '../bookings/tracking.ts';
import type { Queryable } from '../db/connection.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import { openOrNull, type Sealer } from '../db/sealing.ts';

/** The key of tracking addresses, sealed, so that they survive a rotation of SECRETS_KEY. */
export const TRACKING_KEY: SealedColumn = {
  table: 'tracking_keys',
  column: 'value',
  context: () => 'tracking-key',
};

const READ_KEY = { text: 'select value from tracking_keys' };

/**
 * The database's key of tracking addresses, made by the first process that asks. A key that cannot be opened was lost with
 * its SECRETS_KEY: another replaces it, and the addresses that were made with it lead nowhere.
 */
export async function openTrackingKey(db: Queryable, sealer: Sealer): Promise<Buffer> {
  const before = await db.first<{ value: string }>(READ_KEY);
  const found = before && openedKey(sealer, before.value);
  if (found !== null) return found;
  const sealed = sealer.seal(randomBytes(TRACKING_KEY_BYTES).toString('base64url'), TRACKING_KEY.context(''));
  await db.rows({
    text: `
      insert into tracking_keys (value) values ($1)
      on conflict (id) do update set value = excluded.value where tracking_keys.value = $2`,
    values: [sealed, before?.value ?? null],
  });
  // Another process may have been first.
  const { value } = (await db.first<{ value: string }>(READ_KEY))!;
  return Buffer.from(sealer.open(value, TRACKING_KEY.context('')), 'base64url');
}

function openedKey(sealer: Sealer, sealed: string): Buffer | null {
  const key = openOrNull(sealer, sealed, TRACKING_KEY.context(''));
  return key === null ? null : Buffer.from(key, 'base64url');
}

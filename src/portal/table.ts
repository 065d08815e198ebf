import type { Generated, Selectable } from 'kysely';
import type { Actor } from '../db/audit.ts';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';

export type LinkTable = {
  id: Generated<string>;
  partner_id: string;
  /** SHA-256 of the token. */
  hash: Buffer;
  /** The session may only read. */
  read_only: boolean;
  created_by: Actor;
  created_at: Timestamp;
  expires_at: Timestamp;
  /** The sign-in with it, which works once. */
  used_at: NullableTimestamp;
  revoked_at: NullableTimestamp;
};

/** Opened by a link or by a key. */
export type SessionTable = {
  id: Generated<string>;
  partner_id: string;
  link_id: string | null;
  key_id: string | null;
  /** SHA-256 of the entered key: its current secret, or one before a rotation. */
  key_hash: Buffer | null;
  /** SHA-256 of the token. */
  hash: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp;
};

/** All columns but the hash. */
export const LINK_COLUMNS = [
  'id',
  'partner_id',
  'read_only',
  'created_by',
  'created_at',
  'expires_at',
  'used_at',
  'revoked_at',
] as const satisfies (keyof LinkTable)[];
export type LinkRow = Pick<Selectable<LinkTable>, (typeof LINK_COLUMNS)[number]>;

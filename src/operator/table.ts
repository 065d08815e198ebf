import type { Generated, Selectable } from 'kysely';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { KeyStatus } from '../partners/key-rules.ts';
import type { Role } from './roles.ts';

export type TokenTable = {
  id: Generated<string>;
  name: string;
  role: Role;
  /** SHA-256 of the token. */
  hash: Buffer;
  prefix: string;
  last4: string;
  status: Generated<KeyStatus>;
  last_used_at: NullableTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** One row: the offset of the sandbox's business clock. */
export type SandboxClockTable = { offset_seconds: number };

export type TokenRow = Selectable<TokenTable>;

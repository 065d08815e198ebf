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
  /** Real time; null: never. */
  expires_at: NullableTimestamp;
  /** Of a person, who signs in by links and PINs; of a program otherwise. */
  is_person: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** A link that opens one session of its token's holder. */
export type SignInLinkTable = {
  id: Generated<string>;
  token_id: string;
  /** SHA-256 of what the link carries. */
  hash: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp;
  used_at: NullableTimestamp;
};

/** A browser that a person's link was opened in. */
export type EnrolmentTable = {
  id: Generated<string>;
  token_id: string;
  /** SHA-256 of the cookie. */
  hash: Buffer;
  pin_hash: Buffer;
  pin_failures: Generated<number>;
  created_at: Timestamp;
  expires_at: Timestamp;
};

/** A session of the console. */
export type SessionTable = {
  id: Generated<string>;
  /** null: of the first token. */
  token_id: string | null;
  /** SHA-256 of the first token that opened it. */
  first_hash: Buffer | null;
  /** SHA-256 of the cookie. */
  hash: Buffer;
  browser: string | null;
  system: string | null;
  /** The browser whose PIN opened it; null: a token did. */
  enrolment_id: string | null;
  created_at: Timestamp;
  /** At the latest. */
  expires_at: Timestamp;
  last_seen_at: Timestamp;
};

/** One row: the offset of the sandbox's business clock. */
export type SandboxClockTable = { offset_seconds: number };

export type TokenRow = Selectable<TokenTable>;

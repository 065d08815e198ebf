import type { ColumnType, Selectable } from 'kysely';
import { kept, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { int, jsonb, nullable, text, timestamptz, typed, uuid } from '../db/statement.ts';
import type { Findings, Provoked } from './rules.ts';

/** JSON, written as text. */
type AsText<Value, Written> = ColumnType<Value, Written | undefined, Written>;
const FOUND = 'ids of requests and bookings, in a sandbox';

const CERTIFICATIONS = {
  id: uuid,
  partner_id: uuid,
  subscription_id: uuid,
  /** The token of its page. */
  token: text,
  status: made(typed<'RUNNING' | 'FINISHED'>(text)),
  started_at: timestamptz,
  finished_at: nullable(timestamptz),
  /** The number of provoked STEPS. */
  steps: made(int),
  /** The end of a worker's claim on the next step. */
  acting_until: nullable(timestamptz),
  provoked: kept(jsonb<AsText<Provoked[], string>>(), 'COPY', FOUND),
  /** The decided findings of a running certification. */
  decided: kept(jsonb<AsText<Partial<Findings>, string>>(), 'COPY', FOUND),
  /** null: running. */
  result: kept(jsonb<AsText<Findings | null, string | null>>(), 'COPY', FOUND),
};
export type CertificationTable = TableOf<typeof CERTIFICATIONS>;

export const PERSONAL_CERTIFICATIONS: PersonalTable = {
  table: 'certifications',
  columns: CERTIFICATIONS,
  what: 'ids of requests and bookings',
  until: 'sandbox only',
};

export type CertificationRow = Selectable<CertificationTable>;

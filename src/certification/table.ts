import type { ColumnType, Selectable } from 'kysely';
import { kept, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { pg } from '../db/statement.ts';
import type { Findings, Provoked } from './rules.ts';

/** JSON, written as text. */
type AsText<Value, Written> = ColumnType<Value, Written | undefined, Written>;
const FOUND = 'ids of requests and bookings, in a sandbox';

const CERTIFICATIONS = {
  id: pg.uuid,
  partner_id: pg.uuid,
  subscription_id: pg.uuid,
  /** The token of its page. */
  token: pg.text,
  status: made(pg.typed<'RUNNING' | 'FINISHED'>(pg.text)),
  started_at: pg.timestamptz,
  finished_at: pg.nullable(pg.timestamptz),
  /** The number of provoked STEPS. */
  steps: made(pg.int),
  /** The end of a worker's claim on the next step. */
  acting_until: pg.nullable(pg.timestamptz),
  provoked: kept(pg.jsonb<AsText<Provoked[], string>>(), 'COPY', FOUND),
  /** The decided findings of a running certification. */
  decided: kept(pg.jsonb<AsText<Partial<Findings>, string>>(), 'COPY', FOUND),
  /** null: running. */
  result: kept(pg.jsonb<AsText<Findings | null, string | null>>(), 'COPY', FOUND),
};
export type CertificationTable = TableOf<typeof CERTIFICATIONS>;

export const PERSONAL_CERTIFICATIONS: PersonalTable = {
  table: 'certifications',
  columns: CERTIFICATIONS,
  what: 'ids of requests and bookings',
  until: 'sandbox only',
};

export type CertificationRow = Selectable<CertificationTable>;

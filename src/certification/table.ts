import type { ColumnType, Generated, Selectable } from 'kysely';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { Findings, Provoked } from './rules.ts';

export type CertificationTable = {
  id: string;
  partner_id: string;
  subscription_id: string;
  /** The token of its page. */
  token: string;
  status: Generated<'RUNNING' | 'FINISHED'>;
  started_at: Timestamp;
  finished_at: NullableTimestamp;
  /** The number of provoked STEPS. */
  steps: Generated<number>;
  /** The end of a worker's claim on the next step. */
  acting_until: NullableTimestamp;
  provoked: ColumnType<Provoked[], string | undefined, string>;
  /** The decided findings of a running certification. */
  decided: ColumnType<Partial<Findings>, string | undefined, string>;
  /** null: running. */
  result: ColumnType<Findings | null, string | null | undefined, string | null>;
};

export type CertificationRow = Selectable<CertificationTable>;

import type { ColumnType, Generated, Selectable } from 'kysely';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { Findings, Provoked } from './rules.ts';

export type CertificationTable = {
  id: string;
  partner_id: string;
  subscription_id: string;
  /** Of its page. */
  token: string;
  status: Generated<'RUNNING' | 'FINISHED'>;
  started_at: Timestamp;
  finished_at: NullableTimestamp;
  /** How many of STEPS have been provoked. */
  steps: Generated<number>;
  /** A worker provokes the next one until then. */
  acting_until: NullableTimestamp;
  provoked: ColumnType<Provoked[], string | undefined, string>;
  /** Findings of the points that are decided, while it is under way. */
  decided: ColumnType<Partial<Findings>, string | undefined, string>;
  /** null: it is under way. */
  result: ColumnType<Findings | null, string | null | undefined, string | null>;
};

export type CertificationRow = Selectable<CertificationTable>;

import type { Generated, Selectable } from 'kysely';
import type { Timestamp } from '../db/tables.ts';

export type TierTable = {
  id: Generated<string>;
  min_minutes: number;
  /** null: no upper limit. */
  max_minutes: number | null;
  /** An exact decimal with four places. */
  factor: string;
  sorting: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type TierRow = Selectable<TierTable>;

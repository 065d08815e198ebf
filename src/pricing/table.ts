import type { Selectable } from 'kysely';
import { made, type TableOf } from '../db/columns.ts';
import { pg } from '../db/statement.ts';

export const TIERS = {
  id: made(pg.uuid),
  min_minutes: pg.int,
  /** null: no upper limit. */
  max_minutes: pg.nullable(pg.int),
  /** An exact decimal with four places. */
  factor: pg.numeric,
  sorting: made(pg.int),
  created_at: pg.timestamptz,
  updated_at: pg.timestamptz,
};
export type TierTable = TableOf<typeof TIERS>;

export type TierRow = Selectable<TierTable>;

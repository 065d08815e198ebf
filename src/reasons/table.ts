import type { Selectable } from 'kysely';
import { made, type TableOf } from '../db/columns.ts';
import { pg } from '../db/statement.ts';

export const REASONS = {
  id: made(pg.uuid),
  name_en: pg.text,
  name_ar: pg.text,
  is_active: made(pg.boolean),
  is_customer_facing: made(pg.boolean),
  sort_order: made(pg.int),
  created_at: pg.timestamptz,
  updated_at: pg.timestamptz,
};
export type ReasonTable = TableOf<typeof REASONS>;

export type ReasonRow = Selectable<ReasonTable>;

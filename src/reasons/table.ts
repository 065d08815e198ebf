import type { Generated, Selectable } from 'kysely';
import type { Timestamp } from '../db/tables.ts';

export type ReasonTable = {
  id: Generated<string>;
  name_en: string;
  name_ar: string;
  is_active: Generated<boolean>;
  is_customer_facing: Generated<boolean>;
  sort_order: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type ReasonRow = Selectable<ReasonTable>;

import type { Generated } from 'kysely';
import type { CalendarDate } from '../base/clock.ts';
import { kept, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { pg } from '../db/statement.ts';
import type { NullableTimestamp, Timestamp } from '../db/tables.ts';
import type { Line } from './lines.ts';
import type { LineKind } from './owed.ts';
import type { FileFormat, Party } from './schema.ts';
import type { Totals } from './totals.ts';
import type { VatCategory, VatRate, VatTerms } from './vat.ts';

/** The operator's side of statements. */
export type SettingsTable = {
  is_only: Generated<boolean>;
  seller: Party;
  vat_rates: VatRate[];
  categories: VatTerms['categories'];
  updated_at: Timestamp;
};

/** A partner that gets statements. */
export type AccountTable = {
  partner_id: string;
  buyer: Party;
  opened_on: CalendarDate;
  updated_at: Timestamp;
};

export type StatementStatus = 'DRAFT' | 'ISSUED';

/** The statement of a month, which is its first day. Of a draft number and issue are null. */
export type StatementTable = {
  id: string;
  partner_id: string;
  month: CalendarDate;
  status: Generated<StatementStatus>;
  number: number | null;
  issued_at: NullableTimestamp;
  issued_by: string | null;
  seller: Party | null;
  buyer: Party | null;
  totals: Totals;
  /** Later changes of bookings are of this transaction or a newer one, while the data has this history. */
  seen_from: string | null;
  history: number | null;
  created_at: Timestamp;
  created_by: string;
};

/** Amounts are SAR, exact. */
export const LINES = {
  statement_id: pg.uuid,
  line: pg.int,
  booking_id: pg.uuid,
  kind: pg.typed<LineKind>(pg.text),
  tracking_reference: pg.text,
  external_reference: kept(pg.nullable(pg.text), 'REFERENCE', "the partner's reference of what was sold"),
  service_id: pg.uuid,
  service_name: pg.text,
  service_name_ar: pg.nullable(pg.text),
  service_date: pg.typed<CalendarDate>(pg.date),
  gross: pg.numeric,
  vat: pg.numeric,
  vat_category: pg.typed<VatCategory | null>(pg.nullable(pg.text)),
  vat_percent: pg.nullable(pg.numeric),
  formula: pg.int,
  document: pg.typed<Line['document']>(pg.nullable(pg.text)),
  corrects: pg.nullable(pg.uuid),
};
export type LineTable = TableOf<typeof LINES>;

const FILES = {
  statement_id: pg.uuid,
  format: pg.typed<FileFormat>(pg.text),
  part: pg.int,
  content: kept(pg.bytea, 'COPY', 'the lines as they were told'),
};

export type FileTable = TableOf<typeof FILES>;

export type PaidTable = {
  statement_id: string;
  reference: string;
  paid_on: CalendarDate;
  marked_by: string;
  marked_at: Timestamp;
};

export const PERSONAL_STATEMENTS: readonly PersonalTable[] = [
  {
    table: 'statement_lines',
    columns: LINES,
    what: "the partner's references of what it owes, with service, date and amount",
    until: 'for good: a statement that was issued never changes',
  },
  {
    table: 'statement_files',
    columns: FILES,
    what: 'the same as files',
    until: 'for good',
  },
];

import type { Selectable } from 'kysely';
import type { CalendarDate, Minutes } from '../base/clock.ts';
import { col, erased, kept, made, type TableOf } from '../db/columns.ts';
import type { PersonalTable } from '../db/personal.ts';
import { pg } from '../db/statement.ts';
import type { Pause, SeriesStatus, StopReason, Terms, VisitState } from './rules.ts';

export const SERIES = {
  id: made(pg.uuid),
  partner_id: pg.uuid,
  contact_id: pg.uuid,
  address_id: pg.uuid,
  service_id: pg.uuid,
  external_reference: kept(pg.nullable(pg.text), 'REFERENCE', "the partner's reference of what was sold"),
  /** SHA-256 of the body of its creation. */
  creation_hash: erased(pg.nullable(pg.bytea), 'COPY'),
  first_date: pg.typed<CalendarDate>(pg.date),
  every_weeks: pg.int,
  /** Both null: without an end. */
  until_date: pg.nullable(pg.typed<CalendarDate>(pg.date)),
  visits: pg.nullable(pg.int),
  /** By index. */
  terms: pg.jsonb<Terms[]>(),
  pauses: made(pg.jsonb<Pause[]>()),
  /** The crew that comes if it can; null: that of the first visit, once there is one. */
  team_id: pg.nullable(pg.uuid),
  notes: erased(pg.nullable(pg.text), 'TEXT'),
  access: erased(pg.nullable(pg.text), 'SEALED'),
  status: made(pg.typed<SeriesStatus>(pg.text)),
  reason: made(pg.nullable(pg.typed<StopReason>(pg.text))),
  /** The first index that nothing was decided about, and its date. */
  next_index: made(pg.int),
  next_date: pg.typed<CalendarDate>(pg.date),
  /** The Riyadh date on which a stopped series was tried last. */
  tried_on: made(pg.nullable(pg.typed<CalendarDate>(pg.date))),
  /** The booking with which its customer is told of the series. */
  told_with: made(pg.nullable(pg.uuid)),
  /** Whether she knows of it from before it was made here: no booking tells her. */
  known_before: made(pg.boolean),
  /** Counts the changes of what it is, not its placements. */
  version: made(pg.int),
  /** The transaction of the last change. A trigger maintains it. */
  changed_in: col(pg.xid8, { made: 'default' }),
  created_at: pg.timestamptz,
  updated_at: pg.timestamptz,
};
export type SeriesTable = TableOf<typeof SERIES>;
export type SeriesRow = Selectable<SeriesTable>;

/** Dates of a series that something was decided about. */
export const SERIES_VISITS = {
  series_id: pg.uuid,
  index: pg.int,
  date: pg.typed<CalendarDate>(pg.date),
  start: pg.typed<Minutes>(pg.int),
  state: pg.typed<VisitState>(pg.text),
  /** Of a visit that was placed once, also when it is skipped since. */
  booking_id: pg.nullable(pg.uuid),
  /** Why it is not placed. */
  reason: pg.nullable(pg.text),
  tried_on: pg.typed<CalendarDate>(pg.date),
  /** Whether the customer was told of this date by the series. */
  is_known: made(pg.boolean),
};
export type SeriesVisitTable = TableOf<typeof SERIES_VISITS>;

export const PERSONAL_SERIES: PersonalTable = {
  table: 'series',
  columns: SERIES,
  what: 'notes, how the crews get in (encrypted), a reference of the partner',
  until: 'with the contact',
  hers: 'contact_id = :contact',
  also: `version = version + 1, status = 'ENDED', reason = 'CUSTOMER_ERASED'`,
};

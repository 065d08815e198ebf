import { type CalendarDate, type Instant, toUtcIso } from '../base/clock.ts';
import { toSignedHalalas } from '../base/money.ts';
import { PAYMENT } from '../bookings/queries.ts';
import type { BookingPayment } from '../bookings/refund.ts';
import { APPOINTMENTS, BOOKINGS } from '../bookings/table.ts';
import { SOLD_NAME, SOLD_NAME_AR } from '../catalogue/sold-names.ts';
import { each } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { hotStatement, pg, type Row, rowList, rows } from '../db/statement.ts';
import { firstOf, pageOf, rowsOf, sortedBy, tablesOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { BilledBooking, Line, Told } from './lines.ts';
import type { LineKind } from './owed.ts';
import type { FileFormat, StatementsQuery } from './schema.ts';
import {
  type AccountTable,
  type FileTable,
  LINES,
  type LineTable,
  type PaidTable,
  type SettingsTable,
  type StatementTable,
} from './table.ts';
import type { Group } from './totals.ts';
import type { VatCategory } from './vat.ts';

// ---------------------------------------------------------------------------
// Settings and accounts

const tables = tablesOf<{
  statement_settings: SettingsTable;
  statement_accounts: AccountTable;
  statements: StatementTable;
  statement_lines: LineTable;
  statement_payments: PaidTable;
  statement_files: FileTable;
  partners: { id: string; name: string };
}>();

const settings = tables.selectFrom('statement_settings').select(['seller', 'vat_rates', 'categories']);
/** null: nothing was set. */
export const findSettings = (db: Queryable) => firstOf(db, settings);
export type SettingsRow = NonNullable<Awaited<ReturnType<typeof findSettings>>>;

export async function saveSettings(tx: Tx, now: Instant, row: SettingsRow): Promise<void> {
  const values = { ...jsonOf(row), updated_at: toUtcIso(now) };
  const query = tables.insertInto('statement_settings').values(values);
  await rowsOf(
    tx,
    query.onConflict((one) => one.column('is_only').doUpdateSet(values)),
  );
}

const accounts = tables.selectFrom('statement_accounts').selectAll();
/** null: the partner gets no statements. */
export const findAccount = (db: Queryable, partnerId: string) =>
  firstOf(db, accounts.where('partner_id', '=', partnerId));
export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** Locks the account, so that its statements are made one after the other. */
export const lockAccount = (tx: Tx, partnerId: string): Promise<AccountRow | null> =>
  firstOf(tx, accounts.where('partner_id', '=', partnerId).forNoKeyUpdate());

/** Partners that get statements, by name. */
export const listAccounts = (db: Queryable) =>
  rowsOf(
    db,
    accounts
      .innerJoin('partners', 'partners.id', 'partner_id')
      .select('partners.name')
      .orderBy('partners.name')
      .orderBy('partner_id'),
  );

export async function saveAccount(tx: Tx, now: Instant, row: Omit<AccountRow, 'updated_at'>): Promise<void> {
  const values = { ...jsonOf(row), updated_at: toUtcIso(now) };
  const query = tables.insertInto('statement_accounts').values(values);
  await rowsOf(
    tx,
    query.onConflict((one) => one.column('partner_id').doUpdateSet(values)),
  );
}

/** Objects as JSON text, which columns of jsonb take. */
const jsonOf = <Values extends object>(values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  ) as Values;

// ---------------------------------------------------------------------------
// Bookings and what was told of them

export const LIST_BILLED_ON = hotStatement({
  name: 'list-billed-on',
  takes: { partnerId: pg.uuid, date: pg.date, afterId: pg.nullable(pg.uuid), atOnce: pg.bigint },
  returns: { id: pg.uuid },
  text: `
    select id from bookings where partner_id = :partnerId and service_date = :date
      and (:afterId::uuid is null or id > :afterId)
    order by id limit :atOnce`,
});

export const LIST_BILLED_BEFORE = hotStatement({
  name: 'list-billed-before',
  takes: {
    partnerId: pg.uuid,
    openedOn: pg.date,
    after: pg.date,
    until: pg.date,
    since: pg.nullable(pg.xid8),
  },
  returns: { id: pg.uuid },
  text: `
    select b.id from bookings b
    where b.partner_id = :partnerId and :since::xid8 is not null and b.changed_in >= :since
      and (b.service_date between :openedOn and :after
        or (b.service_date > :until or b.service_date <= :after)
          and exists (select from statement_lines l where l.booking_id = b.id))
    union
    select l.booking_id from statements s join statement_lines l on l.statement_id = s.id
      join bookings b on b.id = l.booking_id
    where :since::xid8 is null and s.partner_id = :partnerId and s.status = 'ISSUED'
      and (b.service_date > :until or b.service_date <= :after)
    order by id`,
});

/** Lines by booking first: with fresh statistics PostgreSQL would read whole statements for each. */
const TOLD = `
  line as materialized (
    select * from statement_lines where booking_id = any ((select :ids::uuid[])::uuid[])
  ), told as materialized (
    select booking_id, jsonb_agg(k) as told, (array_agg(last_id order by number desc))[1] as last_told
    from (
      select l.booking_id, l.kind, sum(l.gross)::text as gross, sum(l.vat)::text as vat, min(l.vat_category) as category,
        min(l.vat_percent)::float8 as percent, min(l.formula) as formula, max(s.number) as number,
        (array_agg(s.id order by s.number desc))[1] as last_id
      from line l join statements s on s.id = l.statement_id and s.status = 'ISSUED' group by l.booking_id, l.kind
    ) k group by booking_id
  )`;

const OF_BOOKING = {
  id: pg.uuid,
  status: BOOKINGS.status,
  payment_responsibility: BOOKINGS.payment_responsibility,
  amount: BOOKINGS.amount,
  fees: BOOKINGS.fees,
  service_date: BOOKINGS.service_date,
  external_reference: BOOKINGS.external_reference,
  service_id: BOOKINGS.service_id,
};

export const READ_BILLED = hotStatement({
  name: 'read-billed',
  takes: { ids: pg.uuids },
  returns: {
    ...OF_BOOKING,
    changed_in: pg.xid8,
    tracking_reference: pg.text,
    appointment_status: APPOINTMENTS.status,
    work_reached: APPOINTMENTS.work_reached,
    service_name: pg.text,
    service_name_ar: pg.nullable(pg.text),
    payment: pg.nullable(pg.jsonb<BookingPayment>()),
    told: pg.jsonb<
      {
        kind: LineKind;
        gross: string;
        vat: string;
        category: VatCategory | null;
        percent: number | null;
        formula: number;
        number: number;
      }[]
    >(),
    last_told: pg.nullable(pg.uuid),
  },
  text: `
    with ${TOLD}
    select ${each(OF_BOOKING, (name) => `b.${name}`)}, coalesce(b.changed_in, b.created_in) as changed_in,
      a.name as tracking_reference, a.status as appointment_status, a.work_reached,
      ${SOLD_NAME} as service_name, ${SOLD_NAME_AR} as service_name_ar, ${PAYMENT} as payment,
      coalesce(t.told, '[]') as told, t.last_told
    from unnest((select :ids::uuid[])) with ordinality as w (id, place)
    join bookings b on b.id = w.id join appointments a on a.booking_id = b.id join services s on s.id = b.service_id
    left join told t on t.booking_id = b.id
    order by w.place`,
});

export type BilledRow = Omit<Row<typeof READ_BILLED>, 'told'> & BilledBooking;

/** The bookings in the order of the ids, with what issued statements told of them. */
export async function readBilled(db: Queryable, ids: readonly string[]): Promise<BilledRow[]> {
  const found = await rows(db, READ_BILLED, { ids: [...ids] });
  return found.map((row) => ({
    ...row,
    told: row.told.map((one): Told[number] => ({
      ...one,
      gross: toSignedHalalas(one.gross),
      vat: toSignedHalalas(one.vat),
    })),
    told_formula: row.told[0]?.formula ?? null,
  }));
}

// ---------------------------------------------------------------------------
// Statements

const statements = tables
  .selectFrom('statements')
  .innerJoin('partners', 'partners.id', 'statements.partner_id')
  .leftJoin('statement_payments', 'statement_payments.statement_id', 'statements.id')
  .selectAll('statements')
  .select([
    'partners.name as partner_name',
    'statement_payments.reference as paid_reference',
    'statement_payments.paid_on',
  ]);
/** A statement with the name that its partner has now, and what was marked as paid. */
export type StatementRow = NonNullable<Awaited<ReturnType<typeof findStatement>>>;

/** null: there is none, or, for a partner, a draft or another partner's. */
export function findStatement(db: Queryable, id: string, partnerId?: string) {
  const query = statements
    .where('statements.id', '=', id.toLowerCase())
    .$if(partnerId !== undefined, (found) =>
      found.where('statements.partner_id', '=', partnerId!).where('statements.status', '=', 'ISSUED'),
    );
  return firstOf(db, query);
}

/** A page, the newest month first. */
export function listStatements(
  db: Queryable,
  { partnerId, status, month, ...sorting }: StatementsQuery,
): Promise<Page<StatementRow>> {
  const query = statements
    .$if(partnerId !== undefined, (found) => found.where('statements.partner_id', '=', partnerId!))
    .$if(status !== undefined, (found) => found.where('statements.status', '=', status!))
    .$if(month !== undefined, (found) => found.where('statements.month', '=', `${month}-01`));
  const orders = { month: ['statements.month'], number: ['statements.number'] };
  const usual = { by: 'month', order: 'DESC' } as const;
  return pageOf(db, sortedBy(query, orders, sorting, usual), paging(sorting));
}

/** The partner's last issued statement; null: none. */
export function findLastIssued(db: Queryable, partnerId: string) {
  return firstOf(
    db,
    statements
      .where('statements.partner_id', '=', partnerId)
      .where('statements.status', '=', 'ISSUED')
      .orderBy('statements.month', 'desc')
      .limit(1),
  );
}

/** The partner's statement of the month; null: there is none. */
export const findOfMonth = (db: Queryable, partnerId: string, month: CalendarDate) =>
  firstOf(
    db,
    statements.where('statements.partner_id', '=', partnerId).where('statements.month', '=', month),
  );

/** Makes the draft, or makes it anew: without its lines. */
export async function saveDraft(
  tx: Tx,
  now: Instant,
  draft: Pick<StatementRow, 'id' | 'partner_id' | 'month' | 'created_by' | 'totals'>,
): Promise<void> {
  const values = { ...jsonOf(draft), created_at: toUtcIso(now) };
  await rowsOf(tx, tables.deleteFrom('statement_lines').where('statement_id', '=', draft.id));
  const query = tables.insertInto('statements').values(values as never);
  await rowsOf(
    tx,
    query.onConflict((one) => one.column('id').doUpdateSet(values as never)),
  );
}

/** Changes a draft, also to the issued statement that it is from then on. */
export async function updateDraft(tx: Tx, id: string, columns: Partial<StatementRow>): Promise<void> {
  await rowsOf(
    tx,
    tables
      .updateTable('statements')
      .set(jsonOf(columns) as never)
      .where('id', '=', id),
  );
}

const NEW_LINES = rowList(LINES);
export const INSERT_LINES = hotStatement({
  name: 'insert-statement-lines',
  takes: NEW_LINES.takes,
  returns: {},
  text: `
    insert into statement_lines (${each(LINES)}) select ${each(LINES)} from ${NEW_LINES.as('l')}`,
});

export async function insertLines(
  tx: Tx,
  lines: readonly Parameters<typeof NEW_LINES.valuesOf>[0][number][],
) {
  if (lines.length > 0) await rows(tx, INSERT_LINES, NEW_LINES.valuesOf(lines));
}

/** Sums of a statement's lines by kind, category and rate. */
export const sumLines = (db: Queryable, id: string): Promise<Group[]> =>
  db.rows({
    text: `
      select kind, vat_category as category, vat_percent as percent, sum(gross) as gross, sum(vat) as vat, count(*) as lines
      from statement_lines where statement_id = $1 group by 1, 2, 3 order by 2, 3 desc, 1`,
    values: [id],
  });

const lines = tables
  .selectFrom('statement_lines')
  .leftJoin('statements as corrected', 'corrected.id', 'statement_lines.corrects')
  .selectAll('statement_lines')
  .select(['corrected.number as corrects_number', 'corrected.month as corrects_month']);

/** Lines of a statement after that one, in their order; `credited`: those of the credit note for that statement. */
export function listLines(
  db: Queryable,
  id: string,
  {
    after,
    limit,
    document,
    credited,
  }: { after: number; limit: number; document?: NonNullable<Line['document']>; credited?: string },
) {
  const query = lines
    .where('statement_id', '=', id)
    .where('line', '>', after)
    .$if(document !== undefined, (found) => found.where('document', '=', document!))
    .$if(credited !== undefined, (found) => found.where('statement_lines.corrects', '=', credited!));
  return rowsOf(db, query.orderBy('line').limit(limit));
}
export type LineRow = Awaited<ReturnType<typeof listLines>>[number];

/** A page of a statement's lines. */
export const pageOfLines = (
  db: Queryable,
  id: string,
  window: Parameters<typeof paging>[0],
): Promise<Page<LineRow>> => pageOf(db, lines.where('statement_id', '=', id).orderBy('line'), paging(window));

/** The lines of issued statements about the booking, the oldest first. */
export function listLinesOf(db: Queryable, bookingId: string) {
  const query = lines
    .innerJoin('statements as own', 'own.id', 'statement_lines.statement_id')
    .select(['own.number as number', 'own.month as month'])
    .where('booking_id', '=', bookingId.toLowerCase())
    .where('own.status', '=', 'ISSUED');
  return rowsOf(db, query.orderBy('own.number').orderBy('line'));
}

/** The statements that credit notes of this one are for. */
export function listCorrected(
  db: Queryable,
  id: string,
): Promise<{ id: string; number: number | null; month: CalendarDate }[]> {
  const corrected = tables
    .selectFrom('statement_lines')
    .select('corrects')
    .where('statement_id', '=', id)
    .where('document', '=', 'CREDIT');
  return rowsOf(
    db,
    tables
      .selectFrom('statements')
      .select(['id', 'number', 'month'])
      .where('id', 'in', corrected as never)
      .orderBy('number'),
  );
}

// ---------------------------------------------------------------------------
// Files

export async function insertFilePart(
  tx: Tx,
  part: { statement_id: string; format: FileFormat; part: number; content: Buffer },
): Promise<void> {
  await rowsOf(tx, tables.insertInto('statement_files').values(part));
}

/** null: there are no more parts. */
export const readFilePart = (
  db: Queryable,
  id: string,
  format: FileFormat,
  part: number,
): Promise<Pick<FileTable, 'content'> | null> =>
  db.first({
    text: 'select content from statement_files where (statement_id, format, part) = ($1, $2, $3)',
    values: [id, format, part],
  });

// ---------------------------------------------------------------------------
// Numbers

/** The last reference before the history that the data has: another one after each loss of commits. */
const HISTORY = '(select last_reference from histories order by number desc limit 1)';

/** What a statement has seen: later changes are of this transaction or a newer one, while the data has this history. */
export const readSeen = async (db: Queryable): Promise<{ seen_from: string; history: number }> =>
  (await db.first<{ seen_from: string; history: number }>({
    text: `select pg_snapshot_xmin(pg_current_snapshot()) as seen_from, ${HISTORY} as history`,
  }))!;

/** Locks the numbers; the last one with its history, null: there is none. */
export async function lockNumbers(tx: Tx): Promise<{ number: number; history: number } | null> {
  await tx.rows({ text: 'select pg_advisory_xact_lock(12, 0)' });
  return tx.first({
    text: 'select number, history from statements where number is not null order by number desc limit 1',
  });
}

/** Numbers that no statement has, between the two; `restored`: left out after a loss of commits. */
export const listGaps = (
  db: Queryable,
): Promise<{ before: number; after: number; month: CalendarDate; restored: boolean }[]> =>
  db.rows({
    text: `
      select before, number as after, month, history <> history_before as restored from (
        select number, month, history, coalesce(lag(number) over n, 0) as before,
          coalesce(lag(history) over n, history) as history_before
        from statements where number is not null window n as (order by number)
      ) numbered where number > before + 1 order by number`,
  });

// ---------------------------------------------------------------------------
// Payments

/** Marks the statement as paid; with null as not paid. */
export async function savePaid(
  tx: Tx,
  id: string,
  paid: Omit<PaidTable, 'statement_id' | 'marked_at'> | null,
  now: Instant,
) {
  await rowsOf(tx, tables.deleteFrom('statement_payments').where('statement_id', '=', id));
  if (paid === null) return;
  const values = { ...paid, statement_id: id, marked_at: toUtcIso(now) };
  await rowsOf(tx, tables.insertInto('statement_payments').values(values));
}

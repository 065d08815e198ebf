import { addDays, type CalendarDate, dateOf, type Instant, toUtcIso } from '../base/clock.ts';
import { ApiError, orNotFound, validationError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toSignedSar } from '../base/money.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { currentHistory } from '../db/histories.ts';
import { batchesOf } from './billed.ts';
import { writeFiles } from './files.ts';
import { linesOf } from './lines.ts';
import {
  type AccountRow,
  findAccount,
  findLastIssued,
  findOfMonth,
  findSettings,
  findStatement,
  insertLines,
  lockAccount,
  lockNumbers,
  readBilled,
  readSeen,
  type SettingsRow,
  type StatementRow,
  saveDraft,
  savePaid,
  sumLines,
  updateDraft,
} from './queries.ts';
import { totalsOf } from './totals.ts';
import { USUAL_TERMS, type VatTerms } from './vat.ts';
import { statementView } from './view.ts';

/** Statements: drafts, their issue, and what was paid. */

/** Numbers that are left out where the data has lost its last commits: theirs may be on a partner's desk. */
const LEFT_OUT = 100;

const OPEN_HINT = 'set who it is on statements, and from which date on: saveStatementAccount';

export const termsOf = (settings: SettingsRow | null): VatTerms =>
  settings === null ? USUAL_TERMS : { rates: settings.vat_rates, categories: settings.categories };

const lastDayOf = (month: CalendarDate): CalendarDate => addDays(firstOfNext(month), -1);
/** The first day of the month after. */
export const firstOfNext = (month: CalendarDate): CalendarDate => `${addDays(month, 31).slice(0, 7)}-01`;
const firstOf = (date: CalendarDate): CalendarDate => `${date.slice(0, 7)}-01`;

/**
 * Makes the draft of the month (`YYYY-MM`) anew: what would be on its statement now. Throws RESOURCE_NOT_FOUND (no account),
 * VALIDATION_ERROR (month) and INVALID_TRANSITION (it is issued, or an earlier one is to be issued first).
 */
export async function makeDraft(
  db: Db,
  now: Instant,
  actor: Actor,
  { partnerId, month: asked }: { partnerId: string; month: string },
): Promise<StatementRow> {
  return db.transaction(async (tx) => {
    const account = await orNotFound(lockAccount(tx, partnerId.toLowerCase()), 'Statement account');
    const month = `${asked}-01`;
    if (month > dateOf(now)) throw validationError(['month must not be in the future']);
    const known = await findOfMonth(tx, account.partner_id, month);
    if (known?.status === 'ISSUED') throw isIssued(known);
    const id = known?.id ?? newId(now);
    const draft = { id, partner_id: account.partner_id, month, created_by: actor, totals: totalsOf([]) };
    await saveDraft(tx, now, draft);
    await writeLines(tx, account, draft);
    return (await findStatement(tx, id))!;
  });
}

/**
 * Fixes the statement of a draft, valued now, with number and files. Repeated, it returns what was issued. Throws
 * RESOURCE_NOT_FOUND and INVALID_TRANSITION: the month is not over, an earlier one comes first, there is nothing on it, or the
 * seller is not known.
 */
export async function issueStatement(
  db: Db,
  now: Instant,
  actor: Actor,
  statementId: string,
): Promise<StatementRow> {
  const { partner_id: partnerId } = await orNotFound(findStatement(db, statementId), 'Statement');
  return db.transaction(async (tx) => {
    const account = (await lockAccount(tx, partnerId))!;
    const draft = await orNotFound(findStatement(tx, statementId), 'Statement');
    if (draft.status === 'ISSUED') return draft;
    const settings = await findSettings(tx);
    if (settings === null)
      throw refused('Who issues statements is not known', 'set who issues statements: saveStatementSettings');
    if (lastDayOf(draft.month) >= dateOf(now))
      throw refused('The month is not over', 'issue it after its last day');
    await currentHistory(tx);
    const seen = await readSeen(tx);
    const { id, partner_id, month, created_by } = draft;
    await saveDraft(tx, now, { id, partner_id, month, created_by, totals: totalsOf([]) });
    await writeLines(tx, account, draft);
    const { totals } = (await findStatement(tx, id))!;
    if (totals.lines === 0)
      throw refused('There is nothing on the statement', 'a month without lines has none');
    const last = await lockNumbers(tx);
    const number = (last?.number ?? 0) + 1 + (last === null || last.history === seen.history ? 0 : LEFT_OUT);
    const issue = { number, issued_by: actor, seller: settings.seller, buyer: account.buyer };
    await writeFiles(tx, { ...draft, ...issue, totals, issued_at: now });
    const issued_at = toUtcIso(now) as never;
    await updateDraft(tx, id, { ...issue, ...seen, issued_at, status: 'ISSUED' });
    const after = (await findStatement(tx, id))!;
    await audit(tx, now, {
      actor,
      action: 'statement.issue',
      target: `statement:${id}`,
      after: statementView(after),
    });
    return after;
  });
}

/**
 * Marks an issued statement as paid, or, without a reference, as not paid after all. Throws RESOURCE_NOT_FOUND and
 * INVALID_TRANSITION (a draft).
 */
export async function markPaid(
  db: Db,
  now: Instant,
  actor: Actor,
  { id, reference, paidOn = dateOf(now) }: { id: string; reference: string | null; paidOn?: CalendarDate },
): Promise<StatementRow> {
  return db.transaction(async (tx) => {
    const before = await orNotFound(findStatement(tx, id), 'Statement');
    await lockAccount(tx, before.partner_id);
    if (before.status === 'DRAFT') throw refused('A draft cannot be paid', NOT_ISSUED.hint);
    const paid = reference && { reference: reference.trim(), paid_on: paidOn, marked_by: actor };
    await savePaid(tx, before.id, paid || null, now);
    const after = (await findStatement(tx, before.id))!;
    await audit(tx, now, {
      actor,
      action: 'statement.pay',
      target: `statement:${before.id}`,
      before: statementView(before),
      after: statementView(after),
    });
    return after;
  });
}

/** Throws INVALID_TRANSITION when an earlier month has to be issued first, or a later one was. */
async function writeLines(
  tx: Tx,
  account: AccountRow,
  { id, partner_id: partnerId, month }: Pick<StatementRow, 'id' | 'partner_id' | 'month'>,
): Promise<void> {
  const last = await findLastIssued(tx, partnerId);
  if (last !== null && last.month >= month) throw isIssued(last);
  if (lastDayOf(month) < account.opened_on)
    throw refused('The month ends before the partner’s statements begin', OPEN_HINT);
  const terms = termsOf(await findSettings(tx));
  const seen = await readSeen(tx);
  const scope = {
    partnerId,
    openedOn: account.opened_on,
    after: last === null ? addDays(account.opened_on, -1) : lastDayOf(last.month),
    until: lastDayOf(month),
    since: last !== null && last.history === seen.history ? last.seen_from : null,
  };
  let line = 0;
  for await (const ids of batchesOf(tx, scope)) {
    const found = (await readBilled(tx, ids)).flatMap((booking) =>
      linesOf(booking, terms).map((one) => ({ booking, one })),
    );
    const early = found.find(
      ({ booking: { last_told, service_date: date } }) =>
        last_told === null && date > scope.after && date < month,
    );
    if (early !== undefined) throw isEarlier(firstOf(early.booking.service_date));
    await insertLines(
      tx,
      found.map(({ booking, one }) => ({
        statement_id: id,
        line: ++line,
        booking_id: booking.id,
        kind: one.kind,
        tracking_reference: booking.tracking_reference,
        external_reference: booking.external_reference,
        service_id: booking.service_id,
        service_name: booking.service_name,
        service_name_ar: booking.service_name_ar,
        service_date: booking.service_date,
        gross: toSignedSar(one.gross),
        vat: toSignedSar(one.vat),
        vat_category: one.category,
        vat_percent: one.percent === null ? null : String(one.percent),
        formula: one.formula,
        document: one.document,
        corrects: one.corrects,
      })),
    );
  }
  await updateDraft(tx, id, { totals: totalsOf(await sumLines(tx, id)) });
}

const refused = (message: string, hint: string, details = {}): ApiError =>
  new ApiError('INVALID_TRANSITION', message, { ...details, hints: [hint] });

/** The refusal of a file of a draft. */
export const NOT_ISSUED = { message: 'A draft has no files', hint: 'issue it first' };
export const refusedDraft = (): ApiError => refused(NOT_ISSUED.message, NOT_ISSUED.hint);

const isIssued = ({ month }: Pick<StatementRow, 'month'>): ApiError =>
  refused('A statement of this month or a later one is issued', 'corrections are on the next month’s', {
    issuedUntil: month.slice(0, 7),
  });

const isEarlier = (month: CalendarDate): ApiError =>
  refused('An earlier month is to be issued first', `make and issue the statement of ${month.slice(0, 7)}`, {
    month: month.slice(0, 7),
  });

/** An issued statement; for a partner, of its own. Throws RESOURCE_NOT_FOUND. */
export const readStatement = (db: Db, id: string, partnerId?: string): Promise<StatementRow> =>
  orNotFound(findStatement(db, id, partnerId), 'Statement');

export const readAccount = (db: Db, partnerId: string): Promise<AccountRow> =>
  orNotFound(findAccount(db, partnerId.toLowerCase()), 'Statement account');

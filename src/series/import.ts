import type { Static, TSchema } from 'typebox';
import { createPlanCache } from '../availability/plan.ts';
import type { Instant } from '../base/clock.ts';
import { ApiError, conflict, validationError } from '../base/errors.ts';
import { withAsciiDigits } from '../base/text.ts';
import { createBookingInserts } from '../bookings/create.ts';
import { listServices } from '../catalogue/service-queries.ts';
import { findOrCreateContact } from '../contacts/contacts.ts';
import { lockContact } from '../contacts/queries.ts';
import { guessShortAddress, readPhone } from '../contacts/rules.ts';
import { FindOrCreateContact, phoneFormats } from '../contacts/schema.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Queryable } from '../db/connection.ts';
import { rolledBack } from '../db/preview.ts';
import {
  MONTH_FIRST,
  nameKey,
  readCsv,
  readDate,
  readTime,
  readWhole,
  rowsOf,
  type TableRow,
} from '../http/csv-tables.ts';
import { MAX_UNPAGED } from '../http/schemas.ts';
import { createRequestChecker } from '../http/validation.ts';
import { listTeams } from '../teams/queries.ts';
import { createSeries, hashOf, plannedOf, type SeriesAccount } from './create.ts';
import { type PlaceDeps, rollSeries } from './place.ts';
import { findSeries, listSeriesAt, listVisits } from './queries.ts';
import { notForPlatform, referenceTaken } from './refusals.ts';
import { MAX_VISITS, type Terms } from './rules.ts';
import { CreateSeries } from './schema.ts';

/** Weekly customers of elsewhere, each with her address and her visits. */

/** With the decimal comma of some spreadsheets. */
const readDegrees = (text: string): string => withAsciiDigits(text).replace(/[,٫]/, '.');

/** Named as the fields of contacts and series. */
const CUSTOMERS = {
  name: { names: ['name', 'customer', 'الاسم', 'العميل'], must: 'be filled' },
  phone: { names: ['phone', 'mobile', 'الهاتف', 'الجوال'], must: 'be filled', read: readPhone },
  language: { names: ['language', 'اللغة'], read: (text: string) => text.toLowerCase() },
  latitude: { names: ['latitude', 'خط العرض'], must: 'be filled', read: readDegrees },
  longitude: { names: ['longitude', 'خط الطول'], must: 'be filled', read: readDegrees },
  cityName: { names: ['city', 'المدينة'] },
  districtName: { names: ['district', 'الحي'] },
  streetName: { names: ['street', 'الشارع'] },
  shortAddress: {
    names: ['short address', 'العنوان المختصر'],
    read: (text: string) => guessShortAddress(text) ?? text,
  },
  buildingNumber: { names: ['building', 'building number', 'رقم المبنى'] },
  unit: { names: ['unit', 'رقم الوحدة'] },
  floor: { names: ['floor', 'الطابق'] },
  postalCode: { names: ['postal code', 'الرمز البريدي'], read: withAsciiDigits },
  directions: { names: ['directions', 'وصف الطريق'] },
  service: { names: ['service', 'الخدمة'], must: 'be filled' },
  firstDate: { names: ['first visit', 'first date', 'أول زيارة'], must: 'be filled', read: readDate },
  startAt: { names: ['start', 'start time', 'وقت البدء'], must: 'be filled', read: readTime },
  everyWeeks: { names: ['every', 'every (weeks)', 'كل (أسابيع)'], read: readWhole(1, 4) },
  visits: { names: ['visits', 'عدد الزيارات'], read: readWhole(1, MAX_VISITS) },
  until: { names: ['until', 'حتى'], read: readDate },
  team: { names: ['team', 'الفريق'] },
  externalReference: { names: ['reference', 'المرجع'] },
  notes: { names: ['notes', 'ملاحظات'] },
  instructions: { names: ['instructions', 'تعليمات الدخول'] },
  accessCode: { names: ['access code', 'رمز الدخول'] },
} as const;

export type Customer = TableRow<typeof CUSTOMERS>;

/**
 * The rows of a file, each with its own faults; and what keeps all of it from being imported, each with the name of the file. A date
 * with the month first is such: other rows may have one that cannot be told.
 */
export function readCustomers(name: string, bytes: Buffer): { customers: Customer[]; faults: string[] } {
  const { table, faults } = readCsv(name, bytes);
  if (table === null) return { customers: [], faults };
  const { rows, faults: found } = rowsOf(table, CUSTOMERS);
  const swapped = rows.flatMap((row) => row.faults.filter((fault) => fault.includes(MONTH_FIRST)));
  return { customers: rows, faults: [...found, ...swapped].map((fault) => `${name}, ${fault}`) };
}

type Wanted = {
  partner: SeriesAccount & { name: string; status: string };
  actor: Actor;
  /** Does all of it, and keeps nothing. */
  isCheck: boolean;
  /** Whether customers have the message about their series. */
  tells: boolean;
};
type ImportDeps = Omit<PlaceDeps, 'insert'>;

/**
 * Brings customers of the partner, one at a time: as often as it runs, and in however many processes, she has the series once. One
 * that is refused may have her contact already. Throws PAYMENT_RESPONSIBILITY_MISMATCH and CONFLICT (the partner is suspended); what
 * it returns throws VALIDATION_ERROR and as createSeries does.
 */
export async function openImport(deps: ImportDeps, wanted: Wanted) {
  const { db } = deps;
  const { paymentResponsibility, status } = wanted.partner;
  if (paymentResponsibility === 'PLATFORM') throw notForPlatform();
  if (status !== 'ACTIVE')
    throw conflict('PARTNER_SUSPENDED', 'The partner is suspended: its customers cannot be booked');
  const services = (await listServices(db, { isActive: 'true', limit: MAX_UNPAGED })).rows;
  const teams = (await listTeams(db, { isActive: 'true', limit: MAX_UNPAGED })).rows;

  return async (now: Instant, { values, faults }: Customer) => {
    if (faults.length > 0) throw validationError(faults);
    const serviceId = idOf(services, 'service', values.service!);
    const teamId = values.team === undefined ? undefined : idOf(teams, 'team', values.team);
    const row = { ...wanted, serviceId, teamId, values };
    if (!wanted.isCheck) return bring(deps, now, row);
    return rolledBack(db, (inner) => bring({ ...deps, db: inner, plans: createPlanCache(inner) }, now, row));
  };
}

function idOf(
  rows: readonly { id: string; name: string; name_ar: string | null }[],
  what: 'service' | 'team',
  wanted: string,
): string {
  const isNamed = (name: string | null): boolean => name !== null && nameKey(name) === nameKey(wanted);
  const found = rows.filter(({ name, name_ar }) => isNamed(name) || isNamed(name_ar));
  if (found.length === 1) return found[0]!.id;
  throw validationError([`there ${found.length === 0 ? 'is no' : 'are several'} active ${what} ${wanted}`]);
}

const fieldsIn = (values: Customer['values'], { properties }: { properties: object }): object =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in properties));

/** Throws VALIDATION_ERROR with the names of the columns. */
function valid<T extends TSchema>(schema: T, body: object): Static<T> {
  const faults = createRequestChecker(phoneFormats)({ body: schema })({ params: {}, query: {}, body });
  const named = (field: string): string => CUSTOMERS[field as keyof typeof CUSTOMERS]?.names[0] ?? field;
  if (faults !== null)
    throw validationError(faults.messages.map((message) => message.replace(/^\w+/, named)));
  return body as Static<T>;
}

type Row = Wanted & Pick<Customer, 'values'> & { serviceId: string; teamId: string | undefined };

/**
 * The outcome of a row: `matched`, when she had such a series, or `made`; visits that are booked, and dates that are not, with the
 * reason of each.
 */
async function bring(deps: ImportDeps, now: Instant, row: Row) {
  const { partner, actor, serviceId, teamId, values, tells } = row;
  const { db } = deps;
  const contact = valid(FindOrCreateContact, fieldsIn(values, FindOrCreateContact));
  const placing = { ...deps, insert: createBookingInserts(db), ignoresNotice: true };
  const { id: contactId, address_id } = await db.transaction(async (tx) => {
    const found = await findOrCreateContact(tx, now, partner, contact);
    const [target, after] = [`contact:${found.id}`, { id: found.id, partnerId: partner.id }];
    if (found.is_new) await audit(tx, now, { actor, action: 'contact.create', target, after });
    return found;
  });
  const ids = { contactId, addressId: address_id!, serviceId };
  const input = valid(CreateSeries, { ...fieldsIn(values, CreateSeries), ...ids });
  const { every_weeks, first_date, terms } = plannedOf(input);
  const [{ weekday, start }] = terms as [Terms];
  // One that this row has made is the same, also when it was changed or has ended since.
  const find = async (from: Queryable, except?: string): Promise<string | undefined> =>
    (await listSeriesAt(from, ids)).find(
      (one) =>
        one.id !== except &&
        (one.creation_hash?.equals(hashOf(input)) ||
          (one.every_weeks === every_weeks &&
            one.terms.some((each) => each.weekday === weekday && each.start === start) &&
            (one.status !== 'ENDED' || one.first_date === first_date))),
    )?.id;
  const known = await find(db);
  // It may have been cut off before its visits.
  if (known !== undefined) await rollSeries(placing, now, known);
  const made =
    known === undefined &&
    (await createSeries(placing, now, {
      ...{ partner, input, teamId, knownBefore: !tells },
      async record(tx, id) {
        // Of two imports at once the second sees what the first has made.
        await lockContact(tx, partner.id, contact.phone);
        const other = await find(tx, id);
        if (other !== undefined) throw referenceTaken('', { seriesId: other, sameRequest: true });
        const after = { partnerId: partner.id, ...ids, firstDate: first_date, everyWeeks: every_weeks };
        await audit(tx, now, { actor, action: 'series.create', target: `series:${id}`, after });
      },
    }).catch(async (error) => {
      const isTaken = error instanceof ApiError && error.code === 'DUPLICATE_EXTERNAL_REFERENCE';
      if (!isTaken || (await find(db)) === undefined) throw error;
      return false as const;
    }));
  const seriesId = made || known || (await find(db))!;
  const { status, reason } = (await findSeries(db, { id: seriesId, partnerId: null }))!;
  const visits = await listVisits(db, [seriesId]);
  const open = visits.filter(({ state }) => state === 'UNPLACED');
  return {
    outcome: made ? ('made' as const) : ('matched' as const),
    ...{ contactId, seriesId },
    booked: visits.filter(({ state }) => state === 'PLACED').length,
    unplaced: [...open, ...(status === 'STOPPED' ? [{ date: 'all', reason }] : [])].map(
      (visit) => `${visit.date}: ${visit.reason}`,
    ),
  };
}

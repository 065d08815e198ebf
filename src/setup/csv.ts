import { foldedText } from '../base/text.ts';
import { readPhone } from '../contacts/rules.ts';
import {
  columnsIn,
  nameKey,
  readCsv,
  readDate,
  readMoney,
  readTime,
  readWhole,
  rowsOf,
  type TableRow,
} from '../http/csv-tables.ts';
import { shiftFaults } from '../teams/rules.ts';
import type { SetupEntry } from './document.ts';

/** Teams and prices from spreadsheets; pure. */

const readNames = (text: string) => [...new Set(text.split('|').flatMap((name) => name.trim() || []))];

/** From Monday on: English ones by their beginning, Arabic ones as folded, without the article. */
const DAYS = [
  ['mon', 'اثنين'],
  ['tue', 'ثلاثا'],
  ['wed', 'اربعا'],
  ['thu', 'خميس'],
  ['fri', 'جمعه'],
  ['sat', 'سبت'],
  ['sun', 'احد'],
] as const;
const ENGLISH_DAY = /^(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?$/;
const EVERY_DAY = /^(?:daily|every ?day|يوميا?|كل يوم)$/;

/** 0 to 6. Throws RangeError. */
function readDay(text: string): number {
  const bare = foldedText(text).replace(/^ال/, '');
  const found = DAYS.findIndex(
    ([english, arabic]) => bare === arabic || (ENGLISH_DAY.test(bare) && bare.startsWith(english)),
  );
  if (found >= 0) return found;
  throw new RangeError(`${text} is no day; days are such as Sun-Thu, Sat, daily, or الأحد-الخميس`);
}

/** Weekdays, 1 (Monday) to 7, of days, and of ranges from one to another. Throws RangeError. */
function readDays(text: string): number[] {
  if (EVERY_DAY.test(foldedText(text))) return DAYS.map((_, index) => index + 1);
  const parts = text.replaceAll(/\s*[-–—]\s*|\s+(?:to|إلى|الى)\s+/g, '-').split(/[\s|,،]+/);
  const days = parts.flatMap((part) => {
    const [first, last, ...more] = part.split('-').map(readDay);
    if (more.length > 0) throw new RangeError(`${part} is no range of days, such as Sun-Thu`);
    return Array.from({ length: (((last ?? first!) - first! + 7) % 7) + 1 }, (_, step) => first! + step);
  });
  return [...new Set(days.map((day) => (day % 7) + 1))];
}

const TEAMS = {
  name: { names: ['name', 'team', 'الاسم', 'الفريق'], must: 'be filled' },
  nameAr: { names: ['name (Arabic)', 'Arabic name', 'الاسم بالعربية', 'الاسم العربي'] },
  phone: { names: ['phone', 'mobile', 'الهاتف', 'الجوال'], read: readPhone },
  zones: { names: ['zones', 'المناطق'], must: 'be there', read: readNames },
  homeZone: { names: ['home zone', 'المنطقة الأساسية'] },
  services: { names: ['services', 'الخدمات'], must: 'be there', read: readNames },
  travelBufferMinutes: { names: ['travel buffer', 'دقائق بين موعدين'], read: readWhole(0, 480) },
  days: { names: ['days', 'الأيام'], must: 'be there', read: readDays },
  from: { names: ['from', 'من'], must: 'be there', read: readTime },
  to: { names: ['to', 'إلى'], must: 'be there', read: readTime },
} as const;

const PRICES = {
  partner: { names: ['partner', 'الشريك'], must: 'be there' },
  service: { names: ['service', 'الخدمة'], must: 'be filled' },
  price: { names: ['price', 'السعر'], must: 'be there', read: readMoney },
  from: { names: ['from', 'من', 'من تاريخ'], read: readDate },
} as const;

type TeamRow = TableRow<typeof TEAMS>;
type PriceRow = TableRow<typeof PRICES>;

/** The teams of a CSV file, or the prices when it has such a column. With faults, which name file and row, there are none. */
export function readTables(name: string, bytes: Buffer): { entries: SetupEntry[]; faults: string[] } {
  const { table, faults: noTable } = readCsv(name, bytes);
  if (table === null) return { entries: [], faults: noTable };
  const isPrices = columnsIn(table, PRICES).includes('price');
  const { rows, faults } = isPrices ? rowsOf(table, PRICES) : rowsOf(table, TEAMS);
  const sound = rows.filter((row) => faults.length + row.faults.length === 0);
  const more: string[] = [];
  const entries = isPrices ? pricesOf(sound as PriceRow[], more) : teamsOf(sound as TeamRow[], more);
  const all = [...faults, ...rows.flatMap((row) => row.faults), ...more].map((fault) => `${name}, ${fault}`);
  const placed = entries.map((one) => ({ ...one, place: `${name}, ${one.place}` }));
  return { entries: all.length > 0 ? [] : placed, faults: all };
}

/** `row 4`, `rows 4 and 6`. */
const placeOf = (rows: readonly { row: number }[]): string =>
  rows.length === 1
    ? `row ${rows[0]!.row}`
    : `rows ${rows
        .slice(0, -1)
        .map(({ row }) => row)
        .join(', ')} and ${rows.at(-1)!.row}`;

/** By what names it. */
const groupsOf = <Row>(rows: readonly Row[], nameOf: (row: Row) => string): Row[][] => [
  ...Map.groupBy(rows, (row) => nameKey(nameOf(row))).values(),
];

const OF_TEAM = ['name', 'nameAr', 'phone', 'zones', 'homeZone', 'services', 'travelBufferMinutes'] as const;

/** A team has a row for each of its hours; what its rows say of it beside must be the same. */
function teamsOf(rows: readonly TeamRow[], faults: string[]): SetupEntry[] {
  return groupsOf(rows, ({ values }) => values.name!).map((own) => {
    const entry: Record<string, unknown> = {};
    for (const field of OF_TEAM) {
      const filled = own.filter(({ values }) => values[field] !== undefined);
      if (new Set(filled.map(({ values }) => String(values[field]))).size > 1)
        faults.push(`${placeOf(filled)}, column ${TEAMS[field].names[0]}: must be the same, or empty`);
      if (filled.length > 0) entry[field] = filled[0]!.values[field];
    }
    const shifts = own.flatMap(({ row, values: { days, from, to } }) => {
      if (days && from && to) return days.map((weekday) => ({ weekday, startAt: from, endAt: to }));
      if (days ?? from ?? to) faults.push(`row ${row}: days, from and to must all be filled, or none`);
      return [];
    });
    if (shiftFaults(shifts).length > 0) faults.push(`${placeOf(own)}: the hours of ${entry.name} overlap`);
    if (shifts.length > 0) entry.shifts = shifts;
    return { kind: 'teams', entry, place: placeOf(own) };
  });
}

/** The rows of a partner are one entry, and those of a service's default. */
function pricesOf(rows: readonly PriceRow[], faults: string[]): SetupEntry[] {
  const byService = (of: readonly PriceRow[]) => groupsOf(of, ({ values }) => values.service!);
  const own = rows.filter(({ values }) => values.partner !== undefined);
  const defaults = rows.filter(({ values }) => values.partner === undefined);
  for (const { row, values } of defaults)
    if (values.price === undefined) faults.push(`row ${row}, column price: a default must not be empty`);
  return [
    ...byService(defaults).map((those): SetupEntry => {
      const { service: nameEn, price: defaultPrice, ...coming } = pricesIn(those, faults);
      const entry = { nameEn, ...(defaultPrice !== undefined && { defaultPrice }), ...coming };
      return { kind: 'services', entry, place: placeOf(those) };
    }),
    ...groupsOf(own, ({ values }) => values.partner!).map((those): SetupEntry => {
      const prices = byService(those).map((of) => pricesIn(of, faults));
      const entry = { name: those[0]!.values.partner, prices };
      return { kind: 'partners', entry, place: placeOf(those), isChange: true };
    }),
  ];
}

/** Prices of a service, now and from days on; null: back to the default price. */
function pricesIn(rows: readonly PriceRow[], faults: string[]) {
  const { service, partner = 'all' } = rows[0]!.values;
  for (const [from = 'now', same] of Map.groupBy(rows, ({ values }) => values.from))
    if (same.length > 1)
      faults.push(`${placeOf(same)}: ${service} has two prices for ${partner} from ${from} on`);
  const [now] = rows.filter(({ values }) => values.from === undefined);
  const comingPrices = rows.flatMap(({ values: { from, price = null } }) => (from ? [{ from, price }] : []));
  return {
    service,
    ...(now !== undefined && { price: now.values.price ?? null }),
    ...(comingPrices.length > 0 && { comingPrices }),
  };
}

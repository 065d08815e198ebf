import { type Instant, toUtcIso } from '../base/clock.ts';
import { type Personal, personalOf } from './columns.ts';
import type { Tx } from './connection.ts';
import type { Shape } from './statement.ts';

/** A customer who is erased, with her bookings, all locked. */
export type ErasedPerson = {
  now: Instant;
  contact: { id: string; partner_id: string; name: string };
  /** Ids of her addresses. */
  addresses: readonly string[];
  bookings: readonly { id: string; hold_id: string | null; updated_at: Instant }[];
  /** The entry of the register. */
  requestId: string;
  /** Whether the request log may have bodies. */
  keepsBodies: boolean;
};

/** A table with something of customers, as its slice says it (docs/privacy.md). */
export type PersonalTable = {
  table: string;
  columns: Shape;
  /** For docs/privacy.md: what it is, and how long it is kept. */
  what: string;
  until: string;
  /** SQL: whether a row is hers, by `:bookings` (ids) and `:contact`. */
  hers?: string;
  /** SQL: what else is set in her rows, by `:now` and `:request` too. */
  also?: string;
  /** Also rows in which nothing changes: whoever is writing one waits, and finds her erased. */
  locksAll?: boolean;
  /** Erases what ends by the slice. */
  erase?: (tx: Tx, person: ErasedPerson) => Promise<void>;
};

const isAs = (ending: string) => (entry: [string, Personal]) =>
  'ends' in entry[1] && entry[1].ends === ending;

/** The statement that erases her rows; null: the slice does, or all stays. Throws when nothing erases a column. */
export function erasureOf(of: PersonalTable): string | null {
  const { table, hers, also, locksAll = false, erase } = of;
  const personal = personalOf(of.columns);
  const bySlice = personal.filter(isAs('by the slice'));
  const withRow = personal.filter(isAs('with its row'));
  const set = personal.flatMap(([name, how]) => ('erased' in how ? [[name, how.erased] as const] : []));
  if (bySlice.length > 0 && erase === undefined)
    throw new Error(`${table}: nothing erases ${bySlice[0]![0]}`);
  if (withRow.length + set.length === 0) return null;
  if (hers === undefined) throw new Error(`${table}: whose a row is, is not said`);
  if (withRow.length > 0) return `delete from ${table} where ${hers}`;
  const [names, values] = [0, 1].map((place) => set.map((entry) => entry[place]).join(', '));
  const isOther = locksAll || also !== undefined ? '' : ` and (${names}) is distinct from (${values})`;
  const others = also === undefined ? '' : `, ${also}`;
  return `update ${table} set ${set.map((entry) => entry.join(' = ')).join(', ')}${others} where ${hers}${isOther}`;
}

/** Erases what the table has of her. */
export async function eraseFrom(tx: Tx, of: PersonalTable, person: ErasedPerson): Promise<void> {
  await of.erase?.(tx, person);
  const statement = erasureOf(of);
  if (statement === null) return;
  const known = {
    bookings: person.bookings.map(({ id }) => id),
    contact: person.contact.id,
    now: toUtcIso(person.now),
    request: person.requestId,
  };
  const values: unknown[] = [];
  const text = statement.replace(
    /(?<!:):(bookings|contact|now|request)\b/g,
    (_, name: keyof typeof known) => `$${values.push(known[name])}`,
  );
  await tx.rows({ text, values });
}

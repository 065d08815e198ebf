import { type ColumnType, sql } from 'kysely';
import { col, made, type TableOf } from './columns.ts';
import type { Tx } from './connection.ts';
import type { PersonalTable } from './personal.ts';
import { pg } from './statement.ts';
import { firstOrThrow, rowsOf, tablesOf } from './tables.ts';

/**
 * Texts about a booking are beside the audit log, whose entry has their hash: they can be erased, and the chain still
 * verifies (docs/decisions/roles-and-audit.md).
 */

/** JSON, written as text. */
const TEXTS = col(pg.jsonb<ColumnType<State | null, string | null, never>>(), {
  personal: { holds: 'TEXT', ends: 'with its row' },
});

const TABLE = {
  entry_id: pg.uuid,
  booking_id: pg.uuid,
  salt: made(pg.bytea),
  before: TEXTS,
  after: TEXTS,
};

export const PERSONAL_TEXTS: PersonalTable = {
  table: 'audit_texts',
  columns: TABLE,
  what: 'texts of entries of the audit log: notes and reasons of operators and crews',
  until: 'until she is erased',
  hers: 'booking_id = any (:bookings)',
};

const tables = tablesOf<{ audit_texts: TableOf<typeof TABLE> }>();

/** Fields with texts about a booking, at any depth of an entry. */
export const TEXT_FIELDS: readonly string[] = [
  'notes',
  'statusNotes',
  'reason',
  'forcedBecause',
  'correctedBecause',
  'failureReason',
];

type State = Record<string, unknown>;
type States = { before?: unknown; after?: unknown };

const isState = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value without its texts, and the texts alone, each in its place; null: there are none. */
function split(value: unknown): { rest: unknown; texts: State | null } {
  if (!isState(value)) return { rest: value, texts: null };
  const rest: State = {};
  const texts: State = {};
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && TEXT_FIELDS.includes(name)) {
      texts[name] = member;
      continue;
    }
    const inner = split(member);
    rest[name] = inner.rest;
    if (inner.texts !== null) texts[name] = inner.texts;
  }
  return { rest, texts: Object.keys(texts).length === 0 ? null : texts };
}

/** The booking of an entry; null: it is about another resource. */
function bookingOf(target: string, { before, after }: States): string | null {
  const { bookingId } = (after ?? before ?? {}) as { bookingId?: unknown };
  if (typeof bookingId === 'string') return bookingId;
  return /^booking:(.*)$/.exec(target)?.[1] ?? null;
}

/** Stores the texts of an entry about a booking; returns the states for the log, without them and with their hash. */
export async function splitTexts(
  tx: Tx,
  { id, target, before, after }: { id: string; target: string } & States,
): Promise<States> {
  const bookingId = bookingOf(target, { before, after });
  const [old, now] = [split(before), split(after)];
  if (bookingId === null || (old.texts ?? now.texts) === null) return { before, after };
  const query = tables
    .insertInto('audit_texts')
    .values({ entry_id: id, booking_id: bookingId, before: json(old.texts), after: json(now.texts) })
    .returning(sql<string>`encode(audit_texts_hash(salt, before, after), 'hex')`.as('hash'));
  const { hash: textsHash } = await firstOrThrow(tx, query);
  await rowsOf(
    tx,
    tables.deleteFrom('audit_texts').where('entry_id', '=', id).where(sql<boolean>`is_erased(booking_id)`),
  );
  return { before: old.rest, after: { ...(now.rest as State | undefined), textsHash } };
}

const json = (texts: State | null): string | null => (texts === null ? null : JSON.stringify(texts));

/** A column of a query of `audit_log`: the entry's texts, for `withTexts`; null: it has none, or they were erased. */
export const AUDIT_TEXTS = sql<{ before: State | null; after: State | null } | null>`(
  select json_build_object('before', t.before, 'after', t.after) from audit_texts t where t.entry_id = audit_log.id
)`.as('texts');

/** The entry with its texts in their places. Erased ones are missing. */
export function withTexts<
  Entry extends { before: unknown; after: unknown; texts: { before: unknown; after: unknown } | null },
>({ texts, ...entry }: Entry): Omit<Entry, 'texts'> {
  const { before, after } = entry;
  return { ...entry, before: merged(before, texts?.before), after: merged(withoutHash(after), texts?.after) };
}

function withoutHash(state: unknown): unknown {
  if (!isState(state)) return state;
  const { textsHash: _hash, ...rest } = state;
  return rest;
}

function merged(rest: unknown, texts: unknown): unknown {
  if (!isState(texts)) return texts ?? rest;
  const all: State = { ...(rest as State | null) };
  for (const [name, text] of Object.entries(texts)) all[name] = merged(all[name], text);
  return all;
}

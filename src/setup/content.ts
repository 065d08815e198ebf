import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { isUuid } from '../http/validation.ts';
import { type Entry, type Item, KINDS, type Kind, RESOURCES } from './document.ts';

/** What a deployment has, and the same as a file. */

export const FORMAT = 1;

export type Content = Record<Kind, Item[]>;

/** The set-up of the deployment, telephones of teams included. */
export async function readContent(db: Queryable, now: Instant): Promise<Content> {
  const content = {} as Content;
  for (const kind of KINDS) content[kind] = await RESOURCES[kind].list(db, now);
  return content;
}

/** The name of an entry for people; of a tier its bounds. */
export function nameOf({ name, nameEn, minMinutes, maxMinutes }: Entry): string {
  if (minMinutes !== undefined) return `${minMinutes} to ${maxMinutes ?? 'any number of'} minutes`;
  return String(name ?? nameEn ?? '');
}

/** What it is found by without an id, the most telling first: a category's code, its name, a tier's bounds. */
export function keysOf({ code, name, nameEn, minMinutes, maxMinutes }: Entry): string[] {
  if (typeof minMinutes === 'number') return [`${minMinutes} ${maxMinutes ?? ''}`];
  const texts = { code, name: nameEn ?? name };
  return Object.entries(texts).flatMap(([of, text]) =>
    typeof text === 'string' ? [`${of} ${keyOf(text)}`] : [],
  );
}
export const keyOf = (text: string): string => text.trim().toLowerCase();

/** Ids by what each is found by. */
export type Index = Map<string, Set<string>>;

export function addTo(index: Index, entry: Entry, id: string): void {
  for (const key of keysOf(entry)) index.set(key, (index.get(key) ?? new Set()).add(id));
}

export function indexOf(items: readonly Item[]): Index {
  const index: Index = new Map();
  for (const item of items) addTo(index, item, item.id);
  return index;
}

/** The ids by the first of the keys that has any. */
export const found = (index: Index, keys: readonly string[]): string[] => [
  ...(keys.map((key) => index.get(key)).find((ids) => ids !== undefined) ?? []),
];
/** What a reference calls so. */
export const foundBy = (index: Index, name: string): string[] =>
  found(index, [`code ${keyOf(name)}`, `name ${keyOf(name)}`]);

/** References in a file, in the interface, and the kind that they name. */
const REFERENCES: readonly (readonly [inFile: string, there: string, of: Kind])[] = [
  ['category', 'categoryId', 'categories'],
  ['service', 'serviceId', 'services'],
  ['services', 'serviceIds', 'services'],
  ['homeZone', 'homeZoneId', 'zones'],
  ['zones', 'zoneIds', 'zones'],
  ['confirmedOverlaps', 'confirmedOverlaps', 'zones'],
  ['teams', 'teamIds', 'teams'],
  ['partner', 'partnerId', 'partners'],
];

/** The field of a file in the interface, and the kind that it refers to, if it does. */
export const fieldThere = (inFile: string): readonly [there: string, of?: Kind] => {
  const [, ...found] = REFERENCES.find(([name]) => name === inFile) ?? [inFile, inFile];
  return found;
};

/** The fields of an entry in a file. */
export function fieldsOf(kind: Kind): string[] {
  const { create, without, more } = RESOURCES[kind];
  const fields = Object.keys(create.properties).filter((name) => !without.includes(name));
  const inFile = fields.map((name) => REFERENCES.find(([, there]) => there === name)?.[0] ?? name);
  return ['id', ...inFile, ...more];
}

/** A message of the interface with the fields of a file. */
export function inFileWords(kind: Kind, message: string): string {
  const ofKind = kind === 'partners' ? message.replaceAll(/\bservices\b/g, 'prices') : message;
  const toFile = (text: string, [inFile, there]: readonly string[]) =>
    text.replaceAll(new RegExp(`(?<!property )\\b${there}\\b`, 'g'), inFile!);
  return REFERENCES.reduce(toFile, ofKind.replaceAll(/(?<!\bid )must be a UUID/g, 'must be a name or an id'));
}

/** Lists whose items have references, with their fields; lists of hours. */
const NESTED = new Map([
  ['prices', ['service', 'price', 'comingPrices']],
  ['assignments', ['partner', 'service']],
]);
const HOURS = ['shifts', 'weekly'];

/** The entry as the interface takes it, its form unchecked; `idOf` finds what a reference names, at a field. */
export function toBody(entry: Entry, idOf: (of: Kind, name: unknown, at: string) => unknown, at = ''): Entry {
  const fields = Object.entries(entry).map(([name, value]) => {
    const [there, of] = fieldThere(name);
    const field = `${at}${name}`;
    if (!Array.isArray(value)) return [there, of && value !== null ? idOf(of, value, field) : value];
    const items = value.flatMap((one: unknown, index): unknown => {
      if (of) return idOf(of, one, `${field}.${index}`);
      if (NESTED.has(name)) return toBody(Object(one), idOf, `${field}.${index}.`);
      const { weekdays, ...shift }: Entry = HOURS.includes(name) ? Object(one) : {};
      return Array.isArray(weekdays) ? weekdays.map((weekday) => ({ ...shift, weekday })) : [one];
    });
    return [there, items];
  });
  return Object.fromEntries(fields);
}

/** The fields of a file in their order; `named` has the name of an id. */
function toEntry(fields: readonly string[], item: Entry, named: (of: Kind, id: string) => string): Entry {
  const entries = fields.map((name) => {
    const [there, of] = fieldThere(name);
    const value = item[there];
    const inner = NESTED.get(name);
    if (of !== undefined && typeof value === 'string') return [name, named(of, value)];
    if (!Array.isArray(value)) return [name, value];
    if (of !== undefined) return [name, value.map((id) => named(of, id)).sort(byName)];
    if (inner !== undefined) {
      const items = value.map((one) => toEntry(inner, one, named));
      return [name, items.sort((one, other) => byName(String(one.service), String(other.service)))];
    }
    if (!HOURS.includes(name)) return [name, value];
    const same = Map.groupBy(value as Entry[], ({ startAt, endAt }) => `${startAt} ${endAt}`).values();
    const days = (shifts: Entry[]) => shifts.map(({ weekday }) => weekday);
    return [name, [...same].map((shifts) => ({ weekdays: days(shifts), ...shifts[0], weekday: undefined }))];
  });
  return Object.fromEntries(entries);
}

export const { compare: byName } = new Intl.Collator('en', { numeric: true });

const inOrder = (one: Item, other: Item): number =>
  byName(nameOf(one), nameOf(other)) || (one.id < other.id ? -1 : 1);

/** The set-up as a file, the same for the same content: without times, in an order of its own. `state` names it. */
export function documentOf(content: Content) {
  const indexes = new Map(KINDS.map((kind) => [kind, indexOf(content[kind])]));
  const names = new Map(KINDS.flatMap((kind) => content[kind].map((item) => [item.id, nameOf(item)])));
  const named = (of: Kind, id: string): string => {
    const name = names.get(id) ?? id;
    const [first, second] = foundBy(indexes.get(of)!, name);
    return first === id && second === undefined && !isUuid(name) ? name : id;
  };
  const entries = KINDS.map((kind) => {
    const items = content[kind].toSorted(inOrder);
    return [kind, items.map((item) => toEntry(fieldsOf(kind), item, named))];
  });
  const kinds = Object.fromEntries(entries) as Record<Kind, Entry[]>;
  const state = createHash('sha256').update(canonicalJson(kinds)).digest('hex');
  return { $schema: './setup.schema.json', format: FORMAT, state, ...kinds };
}

const LINE = 110;

/** JSON for reading: what has no more inside and fits stands on one line, as positions and shifts do. */
export function formatted(document: object): string {
  // No text of JSON has a line break of its own.
  const innermost = /([[{])\n\s*([^[\]{}]*?)\n\s*([\]}])/g;
  const text = JSON.stringify(document, null, 2).replaceAll(innermost, (whole, open, inner, close) => {
    const line = inner.replaceAll(/\n\s*/g, ' ');
    const pad = open === '{' ? ' ' : '';
    return line.length > LINE ? whole : `${open}${pad}${line}${pad}${close}`;
  });
  return `${text}\n`;
}

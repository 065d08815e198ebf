import { ApiError } from '../base/errors.ts';
import { parseJson } from '../http/json.ts';
import { isUuid } from '../http/validation.ts';
import { FORMAT, keysOf, nameOf } from './content.ts';
import { readTables } from './csv.ts';
import { type Entry, KINDS, type Kind, nounOf, RESOURCES, type SetupEntry } from './document.ts';

/** Set-up files as entries, each with its place. */

/** Everything that is wrong with files or their entries, each with its place. Nothing was changed. */
export class SetupRefusal extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super('nothing was changed');
    this.faults = faults;
  }
}

/** `states`: of the deployment, as files that were exported have them. */
export type Reading = { entries: SetupEntry[]; faults: string[]; states: { name: string; state: string }[] };

export const MAX_MEGABYTES = 8;
export const MAX_ENTRIES = 5_000;

/** The entries of all files. Throws SetupRefusal when one cannot be read at all. */
export function readFiles(files: readonly { name: string; bytes: Buffer }[]): Reading {
  const reading: Reading = { entries: [], faults: [], states: [] };
  for (const { name, bytes } of files) {
    const isLarge = bytes.length > MAX_MEGABYTES * 2 ** 20;
    if (isLarge) throw new SetupRefusal([`${name}: is larger than ${MAX_MEGABYTES} MB`]);
    const isTable = name.toLowerCase().endsWith('.csv');
    const read: Omit<Reading, 'states'> = isTable
      ? readTables(name, bytes)
      : readDocument(name, parsed(name, bytes), reading.states);
    reading.entries.push(...read.entries);
    reading.faults.push(...read.faults);
  }
  const { length } = reading.entries;
  if (length > MAX_ENTRIES) throw new SetupRefusal([`there are ${length} entries, at most ${MAX_ENTRIES}`]);
  return reading;
}

function parsed(name: string, bytes: Buffer): unknown {
  try {
    const hasMark = bytes.subarray(0, 3).equals(Buffer.from('\ufeff'));
    return parseJson(hasMark ? bytes.subarray(3) : bytes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, hints = [] } = error.details as { message: string[]; hints?: string[] };
    throw new SetupRefusal([`${name}: ${[...message, ...hints].join('; ').replaceAll(/\bbody\b/g, 'file')}`]);
  }
}

const isObject = (value: unknown): value is Entry =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The entries of a document, or the zones of a GeoJSON FeatureCollection. Throws SetupRefusal when it is neither. */
export function readDocument(name: string, document: unknown, states: Reading['states'] = []) {
  if (!isObject(document)) throw new SetupRefusal([`${name}: must be an object with "format": ${FORMAT}`]);
  if (document.type === 'FeatureCollection') return entriesOf(name, { zones: document.features }, zoneOf);
  const { $schema: _, format, state, ...kinds } = document;
  const faults = Object.keys(kinds)
    .filter((kind) => !Object.hasOwn(RESOURCES, kind))
    .map((kind) => `${name}: property ${kind} should not exist`);
  if (format !== FORMAT) faults.push(`${name}: format must be ${FORMAT}`);
  if (state !== undefined && !/^[0-9a-f]{64}$/.test(String(state)))
    faults.push(`${name}: state must be as it was exported, or left out`);
  if (faults.length > 0) throw new SetupRefusal(faults);
  if (state !== undefined) states.push({ name, state: String(state) });
  return entriesOf(name, kinds, (entry) => entry);
}

/** Properties by which programs that draw zones paint them. */
const PAINT = /^(?:stroke|fill|marker)(?:-|$)/;

function zoneOf({ id, properties, geometry }: Entry): Entry {
  const fields = Object.entries(Object(properties)).filter(([name]) => !PAINT.test(name));
  return { ...(isUuid(String(id)) && { id }), ...Object.fromEntries(fields), area: geometry };
}

/** Kinds of which no two have the same name. */
const UNIQUE: readonly Kind[] = ['zones', 'teams', 'tiers', 'partners'];

function entriesOf(name: string, kinds: Entry, entryOf: (item: Entry) => Entry) {
  const reading: Omit<Reading, 'states'> = { entries: [], faults: [] };
  for (const kind of KINDS) {
    const items = kinds[kind] ?? [];
    if (!Array.isArray(items)) reading.faults.push(`${name}: ${kind} must be an array`);
    const seen = new Map<unknown, string>();
    for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
      const number = `${kind} ${index + 1}`;
      const entry = isObject(item) ? entryOf(item) : {};
      const title = nameOf(entry);
      const place = `${name}, ${number}${title === '' ? '' : ` ${JSON.stringify(title)}`}`;
      if (!isObject(item)) reading.faults.push(`${place}: must be an object`);
      else reading.entries.push({ kind, entry, place });
      const id = entry.id === undefined ? [] : [String(entry.id).toLowerCase()];
      // Others may share a name, when ids tell them apart.
      const keys = [...id, ...(id.length === 0 || UNIQUE.includes(kind) ? keysOf(entry) : [])];
      const other = keys.map((key) => seen.get(key)).find((each) => each !== undefined);
      if (other !== undefined) reading.faults.push(`${place}: is the same ${nounOf(kind)} as ${other}`);
      for (const key of keys) seen.set(key, number);
    }
  }
  return reading;
}

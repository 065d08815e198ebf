import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ErrorCode } from '../base/errors.ts';
import {
  type Bodies,
  countsForLimit,
  formatId,
  type LoggedRequest,
  type NewEntry,
  type SecondCounts,
} from './rules.ts';

/** Requests of one partner as one row, and back; pure. */

/** How often a refusal came in a batch, and the place of its last. */
export type FailureCount = {
  code: ErrorCode | null;
  status: number;
  method: string;
  route: string | null;
  count: number;
  lastAt: number;
  place: number;
  keyId: string;
};

export type Packed = {
  firstAt: number;
  lastAt: number;
  keyIds: string[];
  routes: string[];
  statuses: number[];
  codes: string[];
  requestIds: string;
  bookingIds: string | null;
  failures: FailureCount[] | null;
  seconds: SecondCounts;
  entries: Buffer;
  bodies: Buffer | null;
};

/** What few requests have. */
type Rest = {
  p?: string;
  c?: ErrorCode;
  m?: string;
  k?: string;
  r?: string;
  h?: readonly string[];
  q?: readonly string[];
  d?: Record<string, unknown>;
};
type PackedEntry = [
  afterFirst: number,
  keyIndex: number,
  routeIndex: number,
  status: number,
  tenthsOfMs: number,
  agentIndex: number,
  rest?: Rest,
];
type PackedEntries = { agents: (string | null)[]; routes: [string, string | null][]; entries: PackedEntry[] };

/** Numbers values in the order they come. Most are the same as the one before. */
function createNumbering() {
  const known = new Map<string, number>();
  let last: string | null = null;
  let lastNumber = 0;
  return {
    of(value: string): number {
      if (value === last) return lastNumber;
      let number = known.get(value);
      if (number === undefined) {
        number = known.size;
        known.set(value, number);
      }
      last = value;
      lastNumber = number;
      return number;
    },
    values: () => [...known.keys()],
  };
}

/** Numbers routes; few are in one batch. */
function createRoutes() {
  const values: [method: string, route: string | null][] = [];
  return {
    values,
    of(method: string, route: string | null): number {
      const known = values.findIndex((one) => one[1] === route && one[0] === method);
      return known === -1 ? values.push([method, route]) - 1 : known;
    },
  };
}

/** Requests come by and by: the second of one is mostly that of the one before, of whichever key. */
function countSeconds() {
  const counts: Record<string, [second: number, count: number][]> = {};
  return {
    counts,
    add(keyId: string, second: number): void {
      counts[keyId] ??= [];
      const known = counts[keyId];
      const last = known.at(-1);
      const found = last?.[0] === second ? last : known.find(([one]) => one === second);
      if (found === undefined) known.push([second, 1]);
      else found[1]++;
    },
  };
}

/** The route as it is filtered by: `POST /v1/partners/bookings`. */
export function routeName(method: string, route: string | null): string {
  return `${method} ${route ?? '*'}`;
}

/** Requests of one partner that will be one row. */
export type Batch = {
  add(entry: NewEntry): void;
  size(): number;
  /** At least one was added. */
  pack(): Packed;
  /** In the order they were added. */
  entries(): NewEntry[];
};

const FIRST_CAPACITY = 16;
const COLUMNS = 5;

/**
 * What is added is kept as numbers in columns, and texts that are there already: objects that live until the next write are
 * copied by the collector twice, which was most of what the request log cost a request (docs/decisions/request-log.md).
 */
export function createBatch(partnerId: string): Batch {
  const keys = createNumbering();
  const agents = createNumbering();
  const routes = createRoutes();
  const statuses = new Set<number>();
  const codes = new Set<string>();
  const failures = new Map<string, FailureCount>();
  const seconds = countSeconds();
  const requestIds: string[] = [];
  const bookingIds: string[] = [];
  // By place; most requests have neither.
  const rests = new Map<number, Rest>();
  const bodies = new Map<number, Bodies>();
  let times = new Float64Array(FIRST_CAPACITY);
  /** Of each: key, route, status, duration in tenths of a millisecond, agent. */
  let numbers = new Int32Array(FIRST_CAPACITY * COLUMNS);
  let size = 0;
  let hasBooking = false;
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;

  function grow(): void {
    const moreTimes = new Float64Array(size * 2);
    moreTimes.set(times);
    times = moreTimes;
    const moreNumbers = new Int32Array(size * 2 * COLUMNS);
    moreNumbers.set(numbers);
    numbers = moreNumbers;
  }

  function packed(): Packed {
    const entries: PackedEntry[] = [];
    for (let place = 0; place < size; place++) {
      const column = place * COLUMNS;
      const row: PackedEntry = [
        times[place]! - firstAt,
        numbers[column]!,
        numbers[column + 1]!,
        numbers[column + 2]!,
        numbers[column + 3]!,
        numbers[column + 4]!,
      ];
      const rest = rests.get(place);
      if (rest !== undefined) row.push(rest);
      entries.push(row);
    }
    const content: PackedEntries = {
      agents: agents.values().map((agent) => (agent === '' ? null : agent)),
      routes: routes.values,
      entries,
    };
    return {
      firstAt,
      lastAt,
      keyIds: keys.values(),
      routes: routes.values.map(([method, route]) => routeName(method, route)),
      statuses: [...statuses],
      codes: [...codes],
      requestIds: ` ${requestIds.join(' ')}`,
      bookingIds: hasBooking ? ` ${bookingIds.join(' ')}` : null,
      failures: failures.size === 0 ? null : [...failures.values()],
      seconds: seconds.counts,
      entries: pack(content),
      bodies: bodies.size === 0 ? null : pack(entries.map((_, place) => bodies.get(place) ?? null)),
    };
  }

  return {
    size: () => size,
    add(entry) {
      const { at, keyId, method, route, status, code } = entry;
      if (size === times.length) grow();
      const place = size++;
      const column = place * COLUMNS;
      times[place] = at;
      numbers[column] = keys.of(keyId);
      numbers[column + 1] = routes.of(method, route);
      numbers[column + 2] = status;
      numbers[column + 3] = Math.round(entry.durationMs * 10);
      numbers[column + 4] = agents.of(entry.userAgent ?? '');
      if (at < firstAt) firstAt = at;
      if (at > lastAt) lastAt = at;
      requestIds.push(entry.requestId);
      bookingIds.push(entry.bookingId ?? '-');
      if (entry.bookingId !== null) hasBooking = true;
      statuses.add(status);
      if (code !== null) codes.add(code);
      if (status >= 400) {
        const failure = `${status} ${code} ${keyId} ${routeName(method, route)}`;
        const count = (failures.get(failure)?.count ?? 0) + 1;
        failures.set(failure, { code, status, method, route, count, lastAt: at, place, keyId });
      }
      if (countsForLimit(entry)) seconds.add(keyId, Math.floor(at / 1000));
      const rest = restOf(entry);
      if (rest !== null) rests.set(place, rest);
      if (entry.bodies !== null) bodies.set(place, entry.bodies);
    },
    pack: packed,
    entries() {
      const row = packed();
      const unpacked = unpackEntries({
        id: 0,
        partner_id: partnerId,
        first_at: row.firstAt,
        key_ids: row.keyIds,
        request_ids: row.requestIds,
        booking_ids: row.bookingIds,
        entries: row.entries,
      });
      return unpacked.map(({ id: _, ...entry }, place) => ({
        ...entry,
        bodies: bodies.get(place) ?? null,
      }));
    },
  };
}

function restOf(entry: NewEntry): Rest | null {
  const { path, code, message, check, reason, hints, ignoredParameters, details } = entry;
  if (path === null && code === null && ignoredParameters.length === 0) return null;
  return {
    ...(path !== null && { p: path }),
    ...(code !== null && { c: code }),
    ...(message !== null && { m: message }),
    ...(check !== null && { k: check }),
    ...(reason !== null && { r: reason }),
    ...(hints.length > 0 && { h: hints }),
    ...(ignoredParameters.length > 0 && { q: ignoredParameters }),
    ...(details !== null && { d: details }),
  };
}

export type PackedRow = {
  id: number;
  partner_id: string;
  first_at: number;
  key_ids: string[];
  request_ids: string;
  booking_ids: string | null;
  entries: Buffer;
};

/** In the order they were answered. */
export function unpackEntries(row: PackedRow): LoggedRequest[] {
  const { agents, routes, entries } = unpack<PackedEntries>(row.entries);
  const requestIds = row.request_ids.slice(1).split(' ');
  const bookingIds = row.booking_ids?.slice(1).split(' ') ?? null;
  return entries.map(([afterFirst, key, routeIndex, status, tenths, agent, rest], place) => {
    const [method, route] = routes[routeIndex]!;
    const bookingId = bookingIds?.[place] ?? '-';
    return {
      id: formatId(row.id, place),
      at: row.first_at + afterFirst,
      requestId: requestIds[place]!,
      partnerId: row.partner_id,
      keyId: row.key_ids[key]!,
      method,
      route,
      path: rest?.p ?? null,
      status,
      code: rest?.c ?? null,
      message: rest?.m ?? null,
      check: rest?.k ?? null,
      reason: rest?.r ?? null,
      hints: rest?.h ?? [],
      ignoredParameters: rest?.q ?? [],
      details: rest?.d ?? null,
      durationMs: tenths / 10,
      bookingId: bookingId === '-' ? null : bookingId,
      userAgent: agents[agent] ?? null,
    };
  });
}

/** By place. */
export function unpackBodies(packed: Buffer): (Bodies | null)[] {
  return unpack(packed);
}

/** 0.16 µs a request less than the default level, and no larger. */
const QUICKLY = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

function pack(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value), QUICKLY);
}

function unpack<T>(packed: Buffer): T {
  return JSON.parse(zstdDecompressSync(packed).toString('utf8')) as T;
}

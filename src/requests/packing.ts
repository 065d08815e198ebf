import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ErrorCode } from '../errors.ts';
import { type Bodies, formatId, type LoggedRequest, type NewEntry, type SecondCounts } from './rules.ts';

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

/** At least one entry, all of one partner. */
export function packEntries(entries: readonly NewEntry[]): Packed {
  const keys = createNumbering();
  const agents = createNumbering();
  const routes = createRoutes();
  const statuses = new Set<number>();
  const codes = new Set<string>();
  const failures = new Map<string, FailureCount>();
  const seconds = countSeconds();
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const { at } of entries) {
    if (at < firstAt) firstAt = at;
    if (at > lastAt) lastAt = at;
  }
  let requestIds = '';
  let bookingIds = '';
  let hasBooking = false;
  let hasBodies = false;
  const packed = entries.map((entry, place): PackedEntry => {
    const { at, keyId, method, route, status, code } = entry;
    requestIds += ` ${entry.requestId}`;
    bookingIds += ` ${entry.bookingId ?? '-'}`;
    if (entry.bookingId !== null) hasBooking = true;
    if (entry.bodies !== null) hasBodies = true;
    statuses.add(status);
    if (code !== null) codes.add(code);
    if (status >= 400) {
      const failure = `${status} ${code} ${routeName(method, route)}`;
      const count = (failures.get(failure)?.count ?? 0) + 1;
      failures.set(failure, { code, status, method, route, count, lastAt: at, place });
    }
    seconds.add(keyId, Math.floor(at / 1000));
    const rest = restOf(entry);
    const columns: PackedEntry = [
      at - firstAt,
      keys.of(keyId),
      routes.of(method, route),
      status,
      Math.round(entry.durationMs * 10),
      agents.of(entry.userAgent ?? ''),
    ];
    if (rest !== null) columns.push(rest);
    return columns;
  });
  const content: PackedEntries = {
    agents: agents.values().map((agent) => (agent === '' ? null : agent)),
    routes: routes.values,
    entries: packed,
  };
  return {
    firstAt,
    lastAt,
    keyIds: keys.values(),
    routes: routes.values.map(([method, route]) => routeName(method, route)),
    statuses: [...statuses],
    codes: [...codes],
    requestIds,
    bookingIds: hasBooking ? bookingIds : null,
    failures: failures.size === 0 ? null : [...failures.values()],
    seconds: seconds.counts,
    entries: pack(content),
    bodies: hasBodies ? pack(entries.map(({ bodies }) => bodies)) : null,
  };
}

function restOf({ path, code, message, check, reason, hints, details }: NewEntry): Rest | null {
  if (path === null && code === null) return null;
  return {
    ...(path !== null && { p: path }),
    ...(code !== null && { c: code }),
    ...(message !== null && { m: message }),
    ...(check !== null && { k: check }),
    ...(reason !== null && { r: reason }),
    ...(hints.length > 0 && { h: hints }),
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

function pack(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value));
}

function unpack<T>(packed: Buffer): T {
  return JSON.parse(zstdDecompressSync(packed).toString('utf8')) as T;
}

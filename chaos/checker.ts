/**
 * Invariants after a storm, checked against the clients' records. Pure: test/chaos-checker.test.ts passes it each kind
 * of violation.
 */

/** A creation with a 200. */
export type Acknowledged = {
  bookingId: string;
  externalReference: string;
  date: string;
  startAt: string;
  canceled: boolean;
};

export type FeedEvent = { id: string; event: string; bookingId: string; sequence: number };

export type FoundBooking = {
  bookingId: string;
  externalReference: string | null;
  date: string;
  startAt: string;
  status: string;
};

export type FoundPayment = {
  bookingId: string;
  status: string;
  linkUrl: string | null;
  sentAt: string | null;
};

/** The state of one partner: as its clients saw it during the storm, and as read after it. */
export type Account = {
  name: string;
  platform: boolean;
  acknowledged: Acknowledged[];
  /** As read with a cursor during the storm. */
  followed: FeedEvent[];
  /** Read again from the start. */
  feed: FeedEvent[];
  bookings: FoundBooking[];
  /** Ids of deliveries at the receiver, by `bookingId event`. */
  delivered: ReadonlyMap<string, ReadonlySet<string>>;
  payments: FoundPayment[];
};

const count = <T>(items: readonly T[], key: (item: T) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};

const LIVE = (status: string): boolean => status !== 'canceled' && status !== 'failed';

/** Each violation in one line; none: everything acknowledged holds. `teams` is the number of teams at any time. */
export function violations(accounts: readonly Account[], teams: number): string[] {
  const live = accounts.flatMap(({ bookings }) => bookings.filter(({ status }) => LIVE(status)));
  const doubles = [...count(live, ({ date, startAt }) => `${date} ${startAt}`)]
    .filter(([, held]) => held > teams)
    .map(([slot, held]) => `double booking: ${held} bookings at ${slot} with ${teams} teams`);
  return [...doubles, ...accounts.flatMap(violationsOf)];
}

function violationsOf(account: Account): string[] {
  const say = (what: string): string => `${account.name}: ${what}`;
  return [
    ...lostBookings(account),
    ...references(account),
    ...feedFaults(account),
    ...undelivered(account),
    ...withoutLink(account),
  ].map(say);
}

function lostBookings({ acknowledged, bookings, feed }: Account): string[] {
  const found = new Map(bookings.map((booking) => [booking.bookingId, booking]));
  const events = count(feed, ({ bookingId, event }) => `${bookingId} ${event}`);
  return acknowledged.flatMap((known) => {
    const booking = found.get(known.bookingId);
    if (booking === undefined) return [`lost: booking ${known.bookingId} was acknowledged`];
    const faults: string[] = [];
    for (const field of ['externalReference', 'date', 'startAt'] as const) {
      if (booking[field] !== known[field])
        faults.push(
          `changed: ${field} of booking ${known.bookingId} is ${booking[field]}, not ${known[field]}`,
        );
    }
    if (known.canceled && booking.status !== 'canceled')
      faults.push(`lost: the cancellation of booking ${known.bookingId}, which is ${booking.status}`);
    const wanted = ['booking.created', ...(known.canceled ? ['booking.cancelled'] : [])];
    for (const event of wanted) {
      const times = events.get(`${known.bookingId} ${event}`) ?? 0;
      if (times !== 1) faults.push(`feed: ${event} of booking ${known.bookingId} ${times} times`);
    }
    return faults;
  });
}

/** A creation that is repeated with its reference creates nothing new. */
function references({ bookings }: Account): string[] {
  const named = bookings.filter(({ externalReference, status }) => externalReference && status !== 'failed');
  return [...count(named, ({ externalReference }) => externalReference!)]
    .filter(([, times]) => times > 1)
    .map(([reference, times]) => `reference ${reference} has ${times} bookings`);
}

function feedFaults({ followed, feed, bookings }: Account): string[] {
  const faults = [...count(followed, ({ id }) => id)]
    .filter(([, times]) => times > 1)
    .map(([id, times]) => `feed: event ${id} was read ${times} times`);
  const seen = new Set(followed.map(({ id }) => id));
  for (const { id } of feed) if (!seen.has(id)) faults.push(`feed: event ${id} was missed by the reader`);
  const order = new Map(feed.map(({ id }, index) => [id, index]));
  let last = -1;
  for (const { id } of followed) {
    const index = order.get(id);
    if (index === undefined) faults.push(`feed: event ${id} has gone`);
    else if (index < last) faults.push(`feed: event ${id} has moved`);
    else last = index;
  }
  const next = new Map<string, number>();
  for (const { bookingId, sequence } of feed) {
    const wanted = next.get(bookingId) ?? 1;
    if (sequence !== wanted) faults.push(`feed: booking ${bookingId} has ${sequence} where ${wanted} comes`);
    next.set(bookingId, sequence + 1);
  }
  for (const { bookingId } of bookings)
    if (!next.has(bookingId)) faults.push(`feed: nothing of booking ${bookingId}`);
  return faults;
}

function undelivered({ feed, delivered }: Account): string[] {
  return [...count(feed, ({ bookingId, event }) => `${bookingId} ${event}`)].flatMap(([key, wanted]) => {
    const arrived = delivered.get(key)?.size ?? 0;
    if (arrived < wanted) return [`delivery: ${key} arrived ${arrived} of ${wanted} times`];
    return arrived > wanted ? [`delivery: ${key} has ${arrived} deliveries for ${wanted} events`] : [];
  });
}

function withoutLink({ platform, bookings, payments }: Account): string[] {
  if (!platform) return [];
  const byBooking = new Map<string, FoundPayment[]>();
  for (const payment of payments)
    byBooking.set(payment.bookingId, [...(byBooking.get(payment.bookingId) ?? []), payment]);
  return bookings.flatMap(({ bookingId, status }) => {
    const own = byBooking.get(bookingId) ?? [];
    if (own.length !== 1) return [`payment: booking ${bookingId} has ${own.length} payments`];
    const [payment] = own as [FoundPayment];
    if (status !== 'waiting payment') return [];
    return payment.linkUrl !== null && payment.sentAt !== null
      ? []
      : [`payment: booking ${bookingId} waits for payment without a link`];
  });
}

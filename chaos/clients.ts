import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account, Acknowledged, FeedEvent, FoundBooking, FoundPayment } from './checker.ts';
import {
  asOperator,
  newCustomer,
  type PartnerAccess,
  type Receiver,
  type Reply,
  type Scene,
  STARTS,
  send,
} from './scene.ts';

/** Clients as partners write them: a unique reference for each booking, and a retry after no response. */

/** Between two requests of one client (milliseconds). */
const PAUSE = 40;
const AGAIN_AFTER = 150;
/** Bookings are made for this many days, from the day after tomorrow on. */
const DAYS = 50;
const CANCELED_SHARE = 0.25;
const PAGE = 100;

export type Watched = { acknowledged: Acknowledged[]; followed: FeedEvent[]; cursor: string | null };

export type Clients = {
  /** By the partner's name. */
  watched: ReadonlyMap<string, Watched>;
  requests: number;
  /** Requests without a response, or refused with a 5xx. */
  failed: number;
  /** Responses that a storm does not explain. */
  faults: string[];
  /** The longest time without an acknowledgement (milliseconds). */
  longestSilence(): number;
  /** Resolves when a creation that is sent from now on was acknowledged. */
  nextAcknowledgement(): Promise<void>;
  /**
   * Stops new bookings; resolves when pending ones are acknowledged or refused. Readers continue until `stopReading`.
   */
  stopBooking(): Promise<void>;
  stopReading(): Promise<void>;
};

/** With the time of its last request (`performance.now()`). */
type Answered = Reply & { sentAt: number };

/** `bases`: addresses of the service; requests go to them round-robin. */
export function startClients(bases: readonly string[], scene: Scene, perPartner: number): Clients {
  const watched = new Map<string, Watched>();
  let booking = true;
  let reading = true;
  let lastAcknowledged = performance.now();
  let longest = 0;
  let turn = 0;
  let waiting: { from: number; resolve: () => void }[] = [];
  const clients: Clients = {
    watched,
    requests: 0,
    failed: 0,
    faults: [],
    longestSilence: () => longest,
    nextAcknowledgement() {
      const from = performance.now();
      return new Promise((resolve) => waiting.push({ from, resolve }));
    },
    async stopBooking() {
      booking = false;
      await Promise.all(bookingClients);
    },
    async stopReading() {
      reading = false;
      await Promise.all(readers);
    },
  };
  const nextBase = (): string => bases[turn++ % bases.length]!;

  /** Retries until there is a response without a server error. */
  async function sendUntilAnswered(
    key: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answered> {
    for (;;) {
      clients.requests++;
      const sentAt = performance.now();
      try {
        const answer = await send(`${nextBase()}/v1${path}`, method, { 'x-api-key': key }, body);
        if (answer.status < 500) return { ...answer, sentAt };
        clients.failed++;
      } catch {
        clients.failed++; // no response, or half of one: retrying finds the result
      }
      await wait(AGAIN_AFTER);
    }
  }

  function acknowledge(begun: number): void {
    const now = performance.now();
    for (const { from, resolve } of waiting) if (begun > from) resolve();
    waiting = waiting.filter(({ from }) => begun <= from);
    longest = Math.max(longest, now - lastAcknowledged);
    lastAcknowledged = now;
  }

  async function book({ key }: PartnerAccess, contact: object, known: Watched): Promise<void> {
    const ahead = 2 + Math.floor(Math.random() * DAYS);
    const date = new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const startAt = STARTS[Math.floor(Math.random() * STARTS.length)]!;
    const endAt = `${String(Number(startAt.slice(0, 2)) + 1).padStart(2, '0')}${startAt.slice(2)}`;
    const externalReference = randomUUID();
    const body = {
      ...contact,
      serviceId: scene.serviceId,
      date,
      timeslot: { startAt, endAt },
      externalReference,
    };
    const answer = await sendUntilAnswered(key, 'POST', '/partners/bookings', body);
    let bookingId: string | undefined;
    if (answer.status === 200) bookingId = answer.body.data.bookingId;
    else if (answer.body.error.code === 'DUPLICATE_EXTERNAL_REFERENCE') {
      // An earlier request of ours was booked and its response lost.
      const found = await sendUntilAnswered(
        key,
        'GET',
        `/partners/bookings?externalReference=${externalReference}`,
      );
      bookingId = found.body.data[0]?.bookingId;
      if (bookingId === undefined) throw new Error(`reference ${externalReference} is taken by no booking`);
    } else if (answer.body.error.code !== 'BOOKING_CREATION_FAILED')
      throw new Error(`a create was refused: ${JSON.stringify(answer.body)}`);
    if (bookingId === undefined) return;
    acknowledge(answer.sentAt);
    const made: Acknowledged = { bookingId, externalReference, date, startAt, canceled: false };
    known.acknowledged.push(made);
    if (Math.random() >= CANCELED_SHARE) return;
    const path = `/partners/bookings/${bookingId}/cancel`;
    const canceled = await sendUntilAnswered(key, 'PATCH', path, { reasonId: scene.reasonId });
    // Cancelled already: by a request of ours whose response was lost.
    made.canceled = canceled.status === 200 || canceled.body.error.code === 'BOOKING_ALREADY_CANCELLED';
    if (!made.canceled) throw new Error(`a cancellation was refused: ${JSON.stringify(canceled.body)}`);
  }

  async function runBookingClient(partner: PartnerAccess): Promise<void> {
    const customer = await sendUntilAnswered(partner.key, 'POST', '/partners/contacts', newCustomer());
    if (customer.status !== 200) throw new Error(`a customer was refused: ${JSON.stringify(customer.body)}`);
    const contact = { contactId: customer.body.data.id, addressId: customer.body.data.addressId };
    while (booking) {
      await book(partner, contact, watched.get(partner.name)!);
      await wait(PAUSE);
    }
  }

  async function runReader({ name, key }: PartnerAccess): Promise<void> {
    const known = watched.get(name)!;
    while (reading) {
      const after = known.cursor === null ? '' : `&after=${encodeURIComponent(known.cursor)}`;
      const page = await sendUntilAnswered(key, 'GET', `/partners/events?limit=${PAGE}${after}`);
      if (page.status !== 200) throw new Error(`the feed was refused: ${JSON.stringify(page.body)}`);
      known.followed.push(...page.body.data.map(feedEvent));
      known.cursor = page.body.meta.nextCursor;
      if (!page.body.meta.hasMore) await wait(AGAIN_AFTER);
    }
  }

  for (const { name } of scene.partners) watched.set(name, { acknowledged: [], followed: [], cursor: null });
  const noting = (work: Promise<void>): Promise<void> =>
    work.catch((error: Error) => void clients.faults.push(error.message));
  const bookingClients = scene.partners.flatMap((partner) =>
    Array.from({ length: perPartner }, () => noting(runBookingClient(partner))),
  );
  const readers = scene.partners.map((partner) => noting(runReader(partner)));
  return clients;
}

function feedEvent({ id, event, bookingId, sequence }: FeedEvent): FeedEvent {
  return { id, event, bookingId, sequence };
}

/** Reads the current state of everything. Throws when a request fails. */
export async function gather(
  base: string,
  scene: Scene,
  clients: Clients,
  receiver: Receiver,
): Promise<Account[]> {
  async function all<Item>(path: string, headers: Record<string, string>): Promise<Item[]> {
    const items: Item[] = [];
    for (let page = 1; ; page++) {
      const url = `${base}${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&page=${page}`;
      const answer = await send(url, 'GET', headers);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      items.push(...answer.body.data);
      if (answer.body.data.length < PAGE) return items;
    }
  }
  async function wholeFeed(headers: Record<string, string>): Promise<FeedEvent[]> {
    const events: FeedEvent[] = [];
    let after = '';
    for (;;) {
      const answer = await send(`${base}/v1/partners/events?limit=${PAGE}${after}`, 'GET', headers);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      events.push(...answer.body.data.map(feedEvent));
      if (!answer.body.meta.hasMore) return events;
      after = `&after=${encodeURIComponent(answer.body.meta.nextCursor)}`;
    }
  }
  type Listed = {
    bookingId: string;
    externalReference: string;
    date: string;
    status: string;
    timeslot: { startAt: string };
  };
  return Promise.all(
    scene.partners.map(async ({ name, platform, id, key }) => {
      const headers = { 'x-api-key': key };
      const listed = await all<Listed>('/v1/partners/bookings?sortBy=createdAt', headers);
      const bookings: FoundBooking[] = listed.map(({ timeslot, date, ...rest }) => ({
        ...rest,
        date: date.slice(0, 10),
        startAt: timeslot.startAt,
      }));
      const { acknowledged, followed } = clients.watched.get(name)!;
      return {
        name,
        platform,
        acknowledged,
        followed,
        bookings,
        feed: await wholeFeed(headers),
        delivered: receiver.delivered,
        payments: platform ? await all<FoundPayment>(`/operator/payments?partnerId=${id}`, asOperator) : [],
      };
    }),
  );
}

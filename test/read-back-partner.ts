import { HOUR, toRiyadhIso } from '../src/base/clock.ts';
import { EVENT_NAMES } from '../src/bookings/rules.ts';
import { stepBody, TODAY } from './crew-fixtures.ts';
import { randomPhone } from './fixtures.ts';
import { booking, made, reason, removeSubscriptions, SUBSCRIPTIONS } from './openapi-context.ts';
import type { Any, Writes } from './read-back.ts';
import {
  addressTexts,
  CORRECTIONS,
  inPortal,
  NO_TEXTS,
  nightSlot,
  oneOf,
  operator,
  partner,
  place,
  type ReadContext,
  shownBooking,
  slotOf,
  type Table,
  visitOf,
} from './read-back-context.ts';
import { seriesCreation, seriesWrites } from './read-back-series.ts';
import { HOOK, subscribe } from './webhook-fixtures.ts';

/** Requests of partners, of their portal and of crews, and the reads that show what they said (test/read-back.test.ts). */

const secondsUntil = ({ service }: ReadContext, at: string): number =>
  (Date.parse(at) - service.clock.now()) / 1_000;

async function shownHold(c: ReadContext, id: string) {
  const data = await partner(c, `/holds/${id}`);
  const shown = {
    ...data,
    timeslot: { ...data.timeslot, date: data.date },
    seconds: secondsUntil(c, data.expiresAt),
  };
  return { data, shown };
}

/** A booking as partners read it, and in the form of bodies. */
async function readBooking(c: ReadContext, id: string, more: object = {}) {
  const data = await partner(c, `/bookings/${id}/status`);
  const shown = await shownBooking(c, id);
  return { data, shown: { ...data, ...shown, ...more } };
}

const newHold = async (c: ReadContext, body: object): Promise<string> =>
  ((await made(c.service.v1(c.world.key, 'POST', '/partners/holds', body))) as Any).holdId;

const notes = (number: number) => ({
  notes: `Notes ${number}`,
  instructions: `Instructions ${number}`,
  accessCode: `Code ${number}`,
  externalReference: `REF-${number}`,
});

const newContact = async ({ world }: ReadContext, overrides: object = {}): Promise<Any> =>
  made(world.contact(overrides as Record<string, unknown>));

/** The addresses of partner and portal. */
function contactWrites(base: string, read: (c: ReadContext, path: string) => Promise<Any>): Table {
  return {
    async *updateAddress(c) {
      const { id, addressId } = await newContact(c, { unit: 'before' });
      const bodies = [1, 2].map((number) => ({ ...addressTexts(number), ...place(c.world, number) }));
      for (const body of [...bodies, NO_TEXTS])
        yield {
          path: `${base}/addresses/${addressId}`,
          body,
          read: async () => ({ data: oneOf((await read(c, `/contacts/${id}`)).addresses, addressId) }),
        };
    },
    async *updateContact(c) {
      const { id } = await newContact(c);
      for (const body of CORRECTIONS)
        yield {
          path: `${base}/contacts/${id}`,
          body,
          read: async () => ({ data: await read(c, `/contacts/${id}`) }),
        };
    },
    async *eraseContact(c) {
      for (const reason of ['By letter', 'By telephone']) {
        const { id } = await newContact(c);
        yield {
          path: `${base}/contacts/${id}/erase`,
          body: { reason },
          read: async ({ requestId }) => {
            const { note, finishedAt } = await operator(c, `/privacy-requests/${requestId}`);
            return { data: { erasedAt: finishedAt }, shown: { reason: note } };
          },
        };
      }
    },
  };
}

type Sandbox = {
  base: string;
  hooks: string;
  names: string[];
  read: (c: ReadContext, path: string) => Promise<Any>;
};

/** What partner and portal play in the sandbox. */
function sandboxWrites({ base, hooks, names, read }: Sandbox): Table {
  const writes: Writes<ReadContext>[] = [
    async function* advance(c) {
      const id = await booking(c.world);
      for (const to of ['Confirmed', 'In The Way'])
        yield {
          path: `${base}/sandbox/bookings/${id}/advance`,
          body: { to },
          read: async () => {
            const found = await partner(c, `/bookings/${id}/status`);
            return { data: { to: found.appointment.status, booking: found } };
          },
        };
    },
    async function* run(c) {
      for (const body of [
        { script: 'complete', everySeconds: 3_600 },
        { script: 'no-show', everySeconds: 1_800 },
      ]) {
        const path = `/sandbox/bookings/${await booking(c.world)}/runs`;
        yield {
          path: base + path,
          body,
          read: async ({ id }) => ({ data: oneOf(await read(c, path), id) }),
        };
      }
    },
    async function* certify(c) {
      await removeSubscriptions(c);
      const events = [...EVENT_NAMES];
      for (const url of [`${HOOK}/1`, `${HOOK}/2`]) {
        const { id: subscriptionId } = await subscribe(c.service, c.world.key, { url, events });
        yield {
          path: `${base}/sandbox/certifications`,
          body: { subscriptionId },
          read: async ({ id }) => {
            // Its points go on meanwhile.
            const { points: _, score: _of, ...data } = await partner(c, `/sandbox/certifications/${id}`);
            return { data };
          },
        };
      }
    },
    async function* fault(c) {
      await removeSubscriptions(c);
      // An event that none of the runs has, which go on: each delivery would take a fault.
      const { id } = await subscribe(c.service, c.world.key, { events: ['booking.refunded'] });
      const path = `/sandbox${hooks}/${id}/faults`;
      for (const body of [
        { kind: 'delay', count: 2, delaySeconds: 60 },
        { kind: 'delay', count: 3, delaySeconds: 90 },
        { kind: 'lose', count: 4 },
      ])
        yield {
          path: base + path,
          body,
          read: async () => {
            const data = await read(c, path);
            const set = oneOf(data.faults, body.kind, 'kind');
            return { data, shown: { ...set, count: set.remaining } };
          },
        };
    },
  ];
  return Object.fromEntries(names.map((name, index) => [name, writes[index]!]));
}

const fromPartner = (c: ReadContext, path: string) => partner(c, path);
const bookingOf = (c: ReadContext, id: string) => partner(c, `/bookings/${id}/status`);

export const PARTNER_WRITES: Table = {
  ...contactWrites('/partners', fromPartner),
  ...seriesCreation({ base: '/partners', read: fromPartner }),
  ...seriesWrites({ base: '/partners', read: fromPartner, readBooking: bookingOf }),
  ...sandboxWrites({
    base: '/partners',
    hooks: '/webhooks/subscriptions',
    names: ['advanceSandboxBooking', 'startSandboxRun', 'startCertification', 'setSandboxFault'],
    read: fromPartner,
  }),

  async *findOrCreateContact(c) {
    for (const number of [3, 4])
      yield {
        path: '/partners/contacts',
        body: {
          phone: randomPhone(),
          name: `Noura ${number}`,
          language: number === 3 ? 'ar' : 'en',
          ...place(c.world, number),
          ...addressTexts(number),
        },
        read: async ({ id, addressId }) => {
          const data = await partner(c, `/contacts/${id}`);
          return { data, shown: { ...data, ...oneOf(data.addresses, addressId) } };
        },
      };
  },

  async *createBooking(c) {
    const { world, serviceId, customer } = c;
    const own = { contactId: world.contactId, addressId: world.addressId, serviceId: world.serviceId };
    const bodies: Any[] = [
      { ...own, ...slotOf(TODAY, '12:00', '14:00'), ...notes(1) },
      { ...customer, serviceId, ...slotOf(TODAY, '23:00', '01:00'), ...notes(2) },
      { ...own, ...nightSlot() },
    ];
    for (const [index, body] of bodies.entries()) {
      const { addressId, serviceId, date, timeslot } = body;
      const holdId = index === 2 ? undefined : await newHold(c, { addressId, serviceId, date, timeslot });
      yield {
        path: '/partners/bookings',
        body: { ...body, ...(holdId !== undefined && { holdId }) },
        read: async ({ bookingId }) => {
          const hold = holdId === undefined ? null : await partner(c, `/holds/${holdId}`);
          return readBooking(c, bookingId, { holdId: hold?.bookingId === bookingId ? holdId : null });
        },
      };
    }
  },

  async *updateBooking(c) {
    const id = await booking(c.world, { notes: 'Before' });
    for (const body of [
      { ...slotOf(TODAY, '15:00', '17:00'), ...notes(3), maxFee: 0 },
      { ...slotOf(TODAY, '17:30', '19:30'), instructions: null, accessCode: null, maxFee: 1 },
      { ...slotOf(TODAY, '20:00', '22:00'), ...notes(4) },
      nightSlot(),
    ])
      yield { path: `/partners/bookings/${id}`, body, read: () => readBooking(c, id) };
  },

  async *cancelBooking(c) {
    for (const notes of ['Moved away', 'Ill']) {
      const id = await booking(c.world);
      const body = { reasonId: await reason(c.service), notes };
      yield {
        path: `/partners/bookings/${id}/cancel`,
        body,
        read: async () => {
          const data = await partner(c, `/bookings/${id}/status`);
          return { data, shown: data.cancellation };
        },
      };
    }
  },

  async *confirmPayment(c) {
    for (const paymentReference of ['PAY-1', 'PAY-2']) {
      const id = await booking(c.world);
      const path = `/partners/bookings/${id}/confirm-payment`;
      yield { path, body: { paymentReference }, read: () => readBooking(c, id) };
    }
  },

  async *createHold(c) {
    const { world, serviceId, customer } = c;
    const own = { contactId: world.contactId, addressId: world.addressId, serviceId: world.serviceId };
    for (const body of [
      { ...own, ...slotOf('2026-11-25', '09:00', '11:00'), seconds: 120 },
      { ...customer, serviceId, ...nightSlot(), seconds: 300 },
      ...[1, 2].map((number) => ({
        ...place(world, number),
        serviceId: world.serviceId,
        ...slotOf(`2026-11-2${5 + number}`, '09:00', '11:00'),
        seconds: 120,
        reference: `CART-${number}`,
      })),
    ])
      yield { path: '/partners/holds', body, read: ({ holdId }) => shownHold(c, holdId) };
  },

  async *extendHold(c) {
    const { addressId, serviceId } = c.world;
    const id = await newHold(c, { addressId, serviceId, ...nightSlot() });
    for (const seconds of [60, 120]) {
      const before = await shownHold(c, id);
      yield {
        path: `/partners/holds/${id}/extend`,
        body: { seconds },
        read: async () => {
          const { data, shown } = await shownHold(c, id);
          return { data, shown: { seconds: shown.seconds - before.shown.seconds } };
        },
      };
    }
    for (const minutes of [5, 8]) {
      const { data: before } = await shownHold(c, id);
      const until = toRiyadhIso(Date.parse(before.expiresAt) + minutes * 60_000);
      yield {
        path: `/partners/holds/${id}/extend`,
        body: { until },
        read: async () => {
          const { data } = await shownHold(c, id);
          return { data, shown: { until: data.expiresAt } };
        },
      };
    }
  },

  async *createWebhookSubscription(c) {
    await removeSubscriptions(c);
    for (const body of [
      { url: `${HOOK}/3`, events: ['booking.created'] },
      { url: `${HOOK}/4`, events: ['booking.updated', 'booking.cancelled'] },
    ])
      yield {
        path: SUBSCRIPTIONS,
        body,
        read: async ({ id }) => ({ data: await partner(c, `/webhooks/subscriptions/${id}`) }),
      };
  },

  async *updateWebhookSubscription(c) {
    await removeSubscriptions(c);
    const { id } = await subscribe(c.service, c.world.key);
    for (const body of [
      { url: `${HOOK}/5`, events: ['booking.created'], status: 'INACTIVE' },
      { url: `${HOOK}/6`, events: ['booking.failed', 'booking.refunded'], status: 'ACTIVE' },
    ])
      yield {
        path: `${SUBSCRIPTIONS}/${id}`,
        body,
        read: async () => ({ data: await partner(c, `/webhooks/subscriptions/${id}`) }),
      };
  },

  async *rotateWebhookSecret(c) {
    await removeSubscriptions(c);
    const { id } = await subscribe(c.service, c.world.key);
    for (const overlapHours of [2, 24])
      yield {
        path: `${SUBSCRIPTIONS}/${id}/rotate-secret`,
        body: { overlapHours },
        read: async () => {
          const data = await partner(c, `/webhooks/subscriptions/${id}`);
          return {
            data,
            shown: { overlapHours: (secondsUntil(c, data.previousSecretEndsAt) * 1_000) / HOUR },
          };
        },
      };
  },
};

export const PORTAL_WRITES: Table = {
  ...contactWrites('', inPortal),
  ...seriesCreation({ base: '', read: inPortal }),
  ...seriesWrites({ base: '', read: inPortal, readBooking: bookingOf }),
  ...sandboxWrites({
    base: '',
    hooks: '/subscriptions',
    names: ['advanceBooking', 'startRun', 'startCertification', 'setFault'],
    read: inPortal,
  }),
};

export const CREW_WRITES: Table = {
  async *takeCrewStep(c) {
    const { service, crewWorld } = c;
    const [teamId] = crewWorld.teamIds as [string];
    const cases = [
      { to: 'In The Way', minutesAgo: 5 },
      { to: 'Cannot Complete', minutesAgo: 3, reason: 'CUSTOMER_ABSENT', text: 'Rang three times' },
      { to: 'Cannot Complete', minutesAgo: 2, reason: 'NO_ACCESS', text: 'The gate is locked' },
      { to: 'Late', minutesAgo: 1, minutes: 30 },
      { to: 'Late', minutesAgo: 1, minutes: 45 },
    ];
    for (const [index, { minutesAgo, ...step }] of cases.entries()) {
      const [startAt, endAt] = [
        ['10:00', '12:00'],
        ['12:30', '14:30'],
        ['15:00', '17:00'],
        ['17:30', '19:30'],
        ['10:00', '12:00'],
      ][index] as [string, string];
      const date = index < 4 ? TODAY : '2026-11-23';
      const booked: Any = await made(crewWorld.book({ date, timeslot: { startAt, endAt } }));
      yield {
        path: `/visits/${booked.appointmentId}/steps`,
        body: {
          ...stepBody(service, booked, step),
          happenedAt: toRiyadhIso(service.clock.now() - minutesAgo * 60_000),
        },
        read: async () => {
          const steps = await operator(c, `/crew-steps?teamId=${teamId}`);
          const found = steps.find((each: Any) => each.appointmentId === booked.appointmentId);
          const visit = await visitOf(c, teamId, booked.appointmentId);
          return { data: { visit }, shown: { ...found, text: found.notes, minutes: found.lateMinutes } };
        },
      };
    }
  },
};

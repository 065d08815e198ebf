import { MINUTE } from '../src/base/clock.ts';
import { TODAY } from './crew-fixtures.ts';
import { randomPhone, type World } from './fixtures.ts';
import { booking, made, reason } from './openapi-context.ts';
import { payment, REFUND_FAILED, refusedStep, TO_DECIDE } from './openapi-operator-operations.ts';
import type { Any, Read, Write } from './read-back.ts';
import {
  addressTexts,
  CORRECTIONS,
  create,
  daySlot,
  NO_TEXTS,
  nightSlot,
  oneOf,
  operator,
  place,
  type ReadContext,
  shownAppointment,
  shownBooking,
  slotOf,
  type Table,
} from './read-back-context.ts';
import { seriesWrites } from './read-back-series.ts';
import { SETUP_WRITES } from './read-back-setup.ts';
import { STATEMENT_WRITES } from './read-back-statements.ts';

/** Requests of the operator about customers and bookings, and the reads that show what they said (test/read-back.test.ts). */

const change = async ({ service }: ReadContext, path: string, body: unknown): Promise<Any> =>
  made(service.operator('PATCH', path, body));

const CUSTOMERS: Table = {
  async *updateCustomerAddress(c) {
    const { id, addressId } = (await made(c.world.contact({ unit: 'before' }))) as Any;
    const bodies = [5, 6].map((number) => ({ ...addressTexts(number), ...place(c.world, number) }));
    for (const body of [...bodies, NO_TEXTS])
      yield {
        path: `/addresses/${addressId}`,
        body,
        read: async () => ({ data: oneOf((await operator(c, `/contacts/${id}`)).addresses, addressId) }),
      };
  },
  async *updateCustomer(c) {
    const { id } = await made(c.world.contact());
    for (const body of CORRECTIONS)
      yield {
        path: `/contacts/${id}`,
        body,
        read: async () => ({ data: await operator(c, `/contacts/${id}`) }),
      };
  },
  async *eraseCustomer(c) {
    for (const reason of ['By letter', 'By telephone']) {
      const { id } = await made(c.world.contact());
      yield {
        path: `/contacts/${id}/erase`,
        body: { reason },
        read: async ({ requestId }) => {
          const { note, finishedAt } = await operator(c, `/privacy-requests/${requestId}`);
          return { data: { erasedAt: finishedAt }, shown: { reason: note } };
        },
      };
    }
  },
  async *createPrivacyRequest(c) {
    for (const [kind, day] of [
      ['ACCESS', 20],
      ['CORRECTION', 21],
    ])
      yield {
        path: '/privacy-requests',
        body: {
          kind,
          phone: randomPhone(),
          receivedAt: `2026-11-${day}T09:00:00+03:00`,
          note: `By email ${day}`,
        },
        read: async ({ id }) => ({ data: await operator(c, `/privacy-requests/${id}`) }),
      };
  },
  ...Object.fromEntries(
    ['complete', 'refuse'].map((step) => [
      `${step}PrivacyRequest`,
      async function* answer(c: ReadContext): AsyncGenerator<Write, void, Any> {
        for (const answer of ['Sent by post', 'Handed over']) {
          const { id } = await create(c, '/privacy-requests', { kind: 'ACCESS', phone: randomPhone() });
          yield {
            path: `/privacy-requests/${id}/${step}`,
            body: { answer },
            read: async () => ({ data: await operator(c, `/privacy-requests/${id}`) }),
          };
        }
      },
    ]),
  ),
};

async function appointmentOf(c: ReadContext, overrides: Record<string, unknown> = {}): Promise<string> {
  return (await operator(c, `/bookings/${await booking(c.world, overrides)}`)).appointmentId;
}
async function notDone(c: ReadContext): Promise<string> {
  const id = await booking(c.world);
  const { appointmentId } = await operator(c, `/bookings/${id}`);
  await change(c, `/appointments/${appointmentId}`, { status: 'In The Way', force: true, reason: 'Early' });
  await change(c, `/appointments/${appointmentId}`, { status: 'Cannot Complete' });
  return id;
}

/** `used`: teams that other moves have had. */
type Moves = { path: string; body?: Any; number: number; more?: Any; used?: string[] };
/** One move of an appointment, elsewhere for each number. */
async function move(
  c: ReadContext,
  { path, body = {}, number, more = {}, used = [] }: Moves,
): Promise<Write> {
  const id = await appointmentOf(c);
  const { version, team } = await operator(c, `/appointments/${id}`);
  const others = c.world.teamIds.filter((each) => each !== team.id);
  const teamId = others.find((each) => !used.includes(each))!;
  used.push(teamId);
  const place = number === 0 ? daySlot() : nightSlot();
  return {
    path,
    body: { ...body, apply: [{ appointmentId: id, version, teamId, ...place, ...more }] },
    read: async () => ({ data: {}, shown: { apply: [(await shownAppointment(c, id)).shown] } }),
  };
}

const MOVES: Table = {
  async *reassignChosen(c) {
    const used: string[] = [];
    for (const number of [0, 1]) {
      const { apply } = (await move(c, { path: '', number, used })).body;
      const [{ appointmentId }] = apply;
      yield {
        path: '/appointments/reassignments',
        body: { appointmentIds: [appointmentId], apply },
        read: async () => ({
          data: {},
          shown: { apply: [(await shownAppointment(c, appointmentId)).shown] },
        }),
      };
    }
  },
  async *reportDone(c) {
    for (const [begin, end] of [
      ['2026-11-22T06:00:00+03:00', '2026-11-22T07:00:00+03:00'],
      ['2026-11-22T06:10:00+03:00', '2026-11-22T07:10:00+03:00'],
    ]) {
      const id = await booking(c.world, { date: TODAY, timeslot: { startAt: '18:00', endAt: '20:00' } });
      const { appointmentId } = await operator(c, `/bookings/${id}`);
      yield {
        path: '/appointments/done',
        body: { visits: [{ appointmentId, begin, end }] },
        read: async () => {
          const { history } = await operator(c, `/bookings/${id}`);
          const times = history.flatMap(({ happenedAt }: Any) => happenedAt ?? []);
          return { data: {}, shown: { visits: [{ appointmentId, begin: times[0], end: times.at(-1) }] } };
        },
      };
    }
  },
  async *recordCall(c) {
    const id = await appointmentOf(c);
    for (const [answer, startsAt] of [
      ['AGREED', '2026-12-01T09:00:00+03:00'],
      ['NO_ANSWER', '2026-12-02T09:00:00+03:00'],
    ])
      yield {
        path: `/appointments/${id}/calls`,
        body: { answer, startsAt },
        read: async () => {
          const data = await operator(c, `/appointments/${id}`);
          return { data, shown: data.lastCall };
        },
      };
  },
  async *reassignAppointments(c) {
    const used: string[] = [];
    const body = { from: '2026-12-01T00:00:00+03:00', to: '2026-12-20T00:00:00+03:00' };
    for (const number of [0, 1]) {
      const moved = await move(c, { path: '', body, number, used });
      const { team } = await operator(c, `/appointments/${moved.body.apply[0].appointmentId}`);
      yield { ...moved, path: `/teams/${team.id}/reassignments` };
    }
  },
  async *undoReassignments(c) {
    const used: string[] = [];
    for (const number of [0, 1]) {
      const teamId = c.world.teamIds[number]!;
      const away = { startsAt: '2027-02-01T00:00:00+03:00', endsAt: '2027-02-02T00:00:00+03:00' };
      const { id: timeOffId } = await create(c, `/teams/${teamId}/time-off`, away);
      const timeOff = { teamId, timeOffId };
      const path = '/appointments/reassignments/undo';
      const moved = await move(c, { path, body: { timeOff }, number, used, more: { status: 'Confirmed' } });
      yield {
        ...moved,
        read: async (answered) => {
          const { data, shown } = await moved.read(answered);
          const left = oneOf(await operator(c, `/teams/${teamId}/time-off`), timeOffId);
          return { data, shown: { ...shown, ...(left === undefined && { timeOff }) } };
        },
      };
    }
  },
  async *delayTeam(c) {
    for (const minutes of [30, 60]) {
      const { date, timeslot } = daySlot();
      const id = await appointmentOf(c, { date, timeslot });
      const before = await operator(c, `/appointments/${id}`);
      yield {
        path: `/teams/${before.team.id}/delays`,
        body: { date, minutes, apply: [{ appointmentId: id, version: before.version, status: 'Confirmed' }] },
        read: async () => {
          const { shown } = await shownAppointment(c, id);
          const moved = Date.parse(shown.startsAt) - Date.parse(before.startsAt);
          return { data: {}, shown: { date: shown.date, minutes: moved / MINUTE, apply: [shown] } };
        },
      };
    }
  },
  async *decideCrewStep(c) {
    const context = { ...c, world: c.crewWorld };
    for (const [decision, shown] of [
      ['LEAVE', 'LEFT'],
      ['TAKE', 'TAKEN'],
    ]) {
      const path = await refusedStep(context);
      const [, , teamId, , key] = path.split('/') as [string, string, string, string, string];
      yield {
        path: `${path}/decide`,
        body: { decision },
        read: async () => {
          const data = oneOf(await operator(c, `/crew-steps?teamId=${teamId}`), key, 'key');
          return { data, shown: { decision: data.decision === shown ? decision : data.decision } };
        },
      };
    }
  },
  async *createTimeOff(c) {
    const path = `/teams/${c.other.teamIds[1]}/time-off`;
    for (const day of [1, 2])
      yield {
        path,
        body: {
          startsAt: `2027-03-0${day}T08:00:00+03:00`,
          endsAt: `2027-03-0${day}T1${day}:00:00+03:00`,
          reason: `Training ${day}`,
        },
        read: async ({ id }) => ({ data: oneOf(await operator(c, path), id) }),
      };
  },
  async *updateAppointment(c) {
    const id = await appointmentOf(c);
    const [one, two] = c.world.teamIds;
    for (const body of [
      { teamId: one, ...daySlot(), force: true, reason: 'Asked for it' },
      { teamId: two, ...nightSlot(), force: true, reason: 'Training' },
      { ...daySlot(), force: false },
      { status: 'Confirmed', statusReason: 'OTHER', statusNotes: 'Rang once' },
      { status: 'In The Way', force: true, reason: 'Early' },
      { status: 'Cannot Complete', statusReason: 'UNSAFE', outcome: 'UNSAFE', statusNotes: 'A dog' },
    ])
      yield { path: `/appointments/${id}`, body, read: () => shownAppointment(c, id) };
    const other = await appointmentOf(c);
    await change(c, `/appointments/${other}`, { status: 'In The Way', force: true, reason: 'Early' });
    const body = { status: 'Cannot Complete', outcome: 'WEATHER' };
    yield { path: `/appointments/${other}`, body, read: () => shownAppointment(c, other) };
  },
  async *correctAppointment(c) {
    for (const [status, why] of [
      ['Confirmed', 'The wrong visit was moved'],
      ['Scheduled', 'The wrong day was moved'],
    ]) {
      const id = await appointmentOf(c);
      await change(c, `/appointments/${id}`, { status: 'In The Way', force: true, reason: 'Early' });
      yield {
        path: `/appointments/${id}/correct`,
        body: { status, reason: why },
        read: async () => {
          const { data, shown } = await shownAppointment(c, id);
          return { data, shown: { ...shown, reason: shown.statusNotes } };
        },
      };
    }
  },
};

/** A booking as the operator reads it, and in the form of bodies. */
async function readBooking(c: ReadContext, id: string, more: object = {}): Promise<Read> {
  const { history: _, ...data } = await operator(c, `/bookings/${id}`);
  return { data, shown: { ...(await shownBooking(c, id)), ...more } };
}

async function newHold({ service }: ReadContext, key: string, body: object): Promise<string> {
  return ((await made(service.v1(key, 'POST', '/partners/holds', body))) as Any).holdId;
}

/** Those fields of a creation that neither customer nor slot are. */
const details = (number: number, world: World) => ({
  partnerId: world.partnerId,
  serviceId: world.serviceId,
  externalReference: `OFFICE-${number}`,
  notes: `Office ${number}`,
  instructions: `Way in ${number}`,
  accessCode: `Key ${number}`,
});

const BOOKINGS: Table = {
  async *createBookingForPartner(c) {
    const customers = (world: World, number: number): Any[] => [
      { contactId: world.contactId, addressId: world.addressId },
      {
        contact: {
          phone: randomPhone(),
          name: `Office ${number}`,
          language: number % 2 === 0 ? 'ar' : 'en',
          ...place(world, number),
          ...addressTexts(number),
        },
      },
    ];
    const slots = [
      [slotOf(TODAY, '12:00', '14:00'), slotOf(TODAY, '15:00', '17:00')],
      [slotOf(TODAY, '23:00', '01:00'), nightSlot()],
    ];
    for (const [which, world] of [c.world, c.other].entries()) {
      for (const [index, customer] of customers(world, 8 + which).entries()) {
        const slot = slots[which]![index]!;
        const { instructions, accessCode, ...rest } = details(which + 1, world);
        const { addressId } = customer;
        const { serviceId } = world;
        const holdId = addressId && (await newHold(c, world.key, { addressId, serviceId, ...slot }));
        const reference = `${rest.externalReference}-${index}`;
        yield {
          path: '/bookings',
          body: {
            ...rest,
            ...customer,
            ...slot,
            externalReference: reference,
            force: which === 0,
            reason: which === 0 ? `Because ${index}` : undefined,
            ...(index === 0 && { instructions, accessCode, holdId }),
          },
          read: async ({ bookingId }) => {
            const found = await readBooking(c, bookingId);
            const contact = await operator(c, `/contacts/${found.data.contactId}`);
            const address = oneOf(contact.addresses, found.data.addressId);
            const hold =
              holdId === undefined
                ? null
                : await made(c.service.v1(world.key, 'GET', `/partners/holds/${holdId}`));
            const shown = {
              ...found.shown,
              contact: { ...contact, ...address },
              holdId: (hold as Any)?.bookingId === bookingId ? holdId : null,
            };
            return { data: found.data, shown };
          },
        };
      }
    }
  },
  async *cancelBooking(c) {
    for (const notes of ['An accident', 'A flood']) {
      const id = await booking(c.world);
      yield {
        path: `/bookings/${id}/cancel`,
        body: { reasonId: await reason(c.service), notes, onBehalfOf: 'CUSTOMER' },
        read: () => cancelled(c, id),
      };
    }
  },
  async *closeBooking(c) {
    for (const [outcome, notes] of [
      ['CUSTOMER_ABSENT', 'Nobody opened'],
      ['WEATHER', 'A flood'],
    ]) {
      const id = await notDone(c);
      yield {
        path: `/bookings/${id}/close`,
        body: { reasonId: await reason(c.service), outcome, notes },
        read: () => cancelled(c, id),
      };
    }
  },
  async *recordOutcome(c) {
    const id = await notDone(c);
    for (const [outcome, why] of [
      ['CUSTOMER_ABSENT', 'She said so'],
      ['WEATHER', 'It rained'],
    ]) {
      const read = async () => {
        const { data } = await readBooking(c, id);
        const shown = { outcome: data.outcome, reason: await lastReason(c, id) };
        return { data, shown };
      };
      yield { path: `/bookings/${id}/outcome`, body: { outcome, reason: why }, read };
    }
  },
  async *waiveFees(c) {
    const policy = {
      nameEn: 'Kept',
      nameAr: 'س',
      cancel: [{ hoursBefore: 2_160, percent: 50 }],
      assignments: [{ partnerId: c.world.partnerId }],
    };
    const { id: policyId } = (await made(c.service.operator('POST', '/policies', policy))) as Any;
    const id = await booking(c.world);
    await made(c.service.operator('PATCH', `/policies/${policyId}`, { assignments: [] }));
    const body = { reasonId: await reason(c.service) };
    await made(c.service.v1(c.world.key, 'PATCH', `/partners/bookings/${id}/cancel`, body));
    for (const [amount, why] of [
      [10.5, 'A gesture'],
      [20, 'Another one'],
    ] as const) {
      const read = async () => {
        const { data } = await readBooking(c, id);
        return { data, shown: { amount: data.feesGivenBack, reason: data.feeHistory.at(-1).reason } };
      };
      yield { path: `/bookings/${id}/fees/waive`, body: { amount, reason: why }, read };
    }
  },
  async *correctBooking(c) {
    const phone = randomPhone();
    const [first, second] = (await Promise.all(
      ['first', 'second'].map((unit) => made(c.world.contact({ phone, unit }))),
    )) as [Any, Any];
    const slot = slotOf(TODAY, '12:00', '14:00');
    const id = await booking(c.world, { contactId: first.id, addressId: first.addressId, ...slot });
    const bodies = [second, first].map(({ addressId }, number) => ({
      notes: `Notes ${number}`,
      instructions: `Instructions ${number}`,
      accessCode: `Code ${number}`,
      addressId,
      address: { id: addressId, ...addressTexts(7 + number), ...place(c.world, 7 + number) },
    }));
    const nothing = { notes: null, instructions: null, accessCode: null, address: NO_TEXTS };
    for (const body of [...bodies, nothing])
      yield {
        path: `/bookings/${id}`,
        body,
        read: async () => {
          const { data, shown } = await readBooking(c, id);
          return { data, shown: { ...shown, addressId: shown.address.id } };
        },
      };
  },
  async *failBooking(c) {
    for (const why of ['Nobody can be reached', 'The line is dead']) {
      const id = await booking(c.world);
      const read = async () => {
        const { data } = await readBooking(c, id);
        return { data, shown: { reason: data.failureReason } };
      };
      yield { path: `/bookings/${id}/fail`, body: { reason: why }, read };
    }
  },
  async *revisitBooking(c) {
    for (const [index, slot] of [daySlot(), nightSlot(), nightSlot()].entries()) {
      const id = await notDone(c);
      const force = index < 2;
      yield {
        path: `/bookings/${id}/revisit`,
        body: { ...slot, teamId: c.world.teamIds[index], force, ...(force && { reason: `Again ${index}` }) },
        read: () => readBooking(c, id),
      };
    }
  },
};

/** The reason of the newest change of the booking in the audit log. */
async function lastReason(c: ReadContext, id: string): Promise<string> {
  return (await operator(c, `/audit?target=booking:${id}&limit=1`))[0].after.reason;
}

async function cancelled(c: ReadContext, id: string): Promise<Read> {
  const { data } = await readBooking(c, id);
  return { data, shown: { ...data, ...data.cancellation } };
}

const PAYMENTS: Table = {
  async *refundPayment(c) {
    for (const [amount, reason] of [
      [75, 'Half of the work was done'],
      [20.5, 'They came late'],
    ] as const) {
      const id = await payment(c, TO_DECIDE);
      yield { path: `/payments/${id}/refund`, body: { amount, reason }, read: () => readPayment(c, id) };
    }
  },
  async *declineRefund(c) {
    for (const reason of ['The work was done', 'The gate was locked']) {
      const id = await payment(c, TO_DECIDE);
      yield { path: `/payments/${id}/refund/decline`, body: { reason }, read: () => readPayment(c, id) };
    }
  },
  async *markRefundDone(c) {
    for (const reference of ['BANK-1', 'BANK-2']) {
      const id = await payment(c, REFUND_FAILED);
      yield { path: `/payments/${id}/refund/done`, body: { reference }, read: () => readPayment(c, id) };
    }
  },
};

async function readPayment(c: ReadContext, id: string): Promise<Read> {
  const data = await operator(c, `/payments/${id}`);
  return { data, shown: { ...data.refund, reason: data.refundDecision?.reason } };
}

export const OPERATOR_WRITES: Table = {
  ...SETUP_WRITES,
  ...STATEMENT_WRITES,
  ...seriesWrites({
    base: '',
    read: operator,
    readBooking: (c, id) => operator(c, `/bookings/${id}`),
  }),
  ...CUSTOMERS,
  ...MOVES,
  ...BOOKINGS,
  ...PAYMENTS,
};

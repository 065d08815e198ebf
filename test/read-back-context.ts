import type { TestContext } from 'node:test';
import { crew, TODAY, telephoneOf } from './crew-fixtures.ts';
import { createWorld, everyDay, type World } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';
import { type Context, made } from './openapi-context.ts';
import { portal, signIn } from './portal-fixtures.ts';
import type { Any, Read, Writes } from './read-back.ts';
import { createHookWorld } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** The context of the tables of requests that are read back. */

export type ReadContext = Context & {
  /** Another partner, in a zone of its own. */
  other: World;
  /** Another service of the world's partner. */
  serviceId: string;
  /** Another customer of the world's partner. */
  customer: { contactId: string; addressId: string };
  /** A world of one team, and its telephone. */
  crewWorld: World;
  telephone: string;
  /** A session of the portal. */
  session: string;
  /** A service whose business time can be moved by a request. */
  clocked: TestService;
};

/** Of a contact. */
export const CORRECTIONS = [
  { name: 'Huda Al-Harbi', language: 'ar' },
  { name: 'Sara Al-Qahtani', language: 'en' },
  { language: null },
];

export type Table = Record<string, Writes<ReadContext>>;

const LONG = { team: { shifts: everyDay('08:00', '02:00') }, service: { bookingHorizonDays: 700 } };

export async function openContext(t: TestContext): Promise<ReadContext> {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  // Payments stay as the tests write them: each is leased to a worker that does nothing.
  await service.deps.db.rows({
    text: `
      alter table payments alter lease set default gen_random_uuid(),
        alter leased_until set default '2100-01-01'`,
  });
  const world = await createHookWorld(service, { teams: 3, ...LONG });
  const serviceId = await newService(service, world.categoryId);
  const serviceIds = [world.serviceId, serviceId].sort();
  await made(service.operator('PATCH', `/zones/${world.zoneId}`, { serviceIds }));
  for (const id of world.teamIds) await made(service.operator('PATCH', `/teams/${id}`, { serviceIds }));
  const { id: contactId, addressId } = (await made(world.contact())) as Any;
  const crewWorld = await createWorld(service);
  return {
    receiver,
    service,
    world,
    serviceId,
    customer: { contactId, addressId },
    other: await createHookWorld(service, { teams: 2, ...LONG }),
    session: await signIn(service, { key: world.key }),
    crewWorld,
    telephone: await telephoneOf(service, crewWorld.teamIds[0]!),
    clocked: await startTestService(t, { sandboxFromTestNow: true }),
  };
}

export async function newService(service: TestService, categoryId: string): Promise<string> {
  const body = {
    name: name('Service'),
    categoryId,
    durationMinutes: 120,
    defaultPrice: 80,
    bookingHorizonDays: 700,
  };
  return (await made(service.operator('POST', '/services', body))).id;
}

export const create = async ({ service }: ReadContext, path: string, body: unknown): Promise<Any> =>
  made(service.operator('POST', path, body));
export const operator = (c: ReadContext, path: string): Promise<Any> => made(c.service.operator('GET', path));
export const partner = (c: ReadContext, path: string, key = c.world.key): Promise<Any> =>
  made(c.service.v1(key, 'GET', `/partners${path}`));
export const inPortal = (c: ReadContext, path: string): Promise<Any> =>
  made(portal(c.service, c.session, 'GET', path));
/** The one of the list with this id. */
export const oneOf = (list: Any, id: string, field = 'id'): Any =>
  (list as Any[]).find((each) => each[field] === id);

let names = 0;
/** An unused name. */
export const name = (what: string): string => `${what} ${++names}`;

const telephones = new Map<string, Promise<string>>();

/** What the crew sees of a visit today. */
export async function visitOf(c: ReadContext, teamId: string, appointmentId: string): Promise<Any> {
  const key = `${c.world.partnerId} ${teamId}`;
  const telephone = telephones.get(key) ?? telephoneOf(c.service, teamId);
  telephones.set(key, telephone);
  const { visits } = (await made(crew(c.service, await telephone, 'GET', '/day'))) as Any;
  return oneOf(visits, appointmentId);
}

/** A booking as all reads together show it, in the form of bodies. */
export async function shownBooking(c: ReadContext, bookingId: string): Promise<Any> {
  const booking = await operator(c, `/bookings/${bookingId}`);
  const date = booking.date.slice(0, 10);
  const visit = date === TODAY ? await visitOf(c, booking.team.id, booking.appointmentId) : undefined;
  return {
    ...booking,
    date,
    timeslot: { ...booking.timeslot, date },
    instructions: visit?.instructions,
    accessCode: visit?.accessCode,
    teamId: booking.team.id,
    reasonId: booking.cancellation?.reasonId,
    ...(await forcedIn(c, `booking:${bookingId}`)),
  };
}

/** `force` and its reason, as the audit log has them. */
async function forcedIn(c: ReadContext, target: string) {
  const [last] = await operator(c, `/audit?target=${target}&limit=1`);
  return { force: last?.after?.forced ?? false, reason: last?.after?.forcedBecause };
}

/** An appointment as all reads together show it, in the form of bodies. */
export async function shownAppointment(c: ReadContext, id: string): Promise<Read> {
  const data = await operator(c, `/appointments/${id}`);
  const { outcome, history } = await operator(c, `/bookings/${data.bookingId}`);
  const { startAt, endAt } = data.timeslot;
  const last = history.findLast((each: Any) => each.reason !== null || each.notes !== null);
  return {
    data,
    shown: {
      ...data,
      appointmentId: id,
      teamId: data.team.id,
      timeslot: { startAt, endAt, endsAtNextDay: endAt <= startAt, date: data.date },
      outcome,
      statusReason: last?.reason,
      statusNotes: last?.notes,
      ...(await forcedIn(c, `appointment:${id}`)),
    },
  };
}

/** The texts of an address, different ones for each number. */
export const addressTexts = (number: number) => ({
  cityName: `City ${number}`,
  districtName: `District ${number}`,
  streetName: `Street ${number}`,
  shortAddress: `RRRD292${number}`,
  buildingNumber: `B${number}`,
  unit: `U${number}`,
  floor: `F${number}`,
  postalCode: `1221${number}`,
  directions: `Gate ${number}`,
});
export const NO_TEXTS = Object.fromEntries(Object.keys(addressTexts(0)).map((field) => [field, null]));

/** A place of its own in the world's zone. */
export const place = ({ latitude, longitude }: World, number: number) => ({
  latitude: (latitude + number * 0.001).toFixed(6),
  longitude: (longitude + number * 0.002).toFixed(6),
});

/** A timeslot with its date, which bodies may have twice. */
export const slotOf = (date: string, startAt: string, endAt: string) => ({
  date,
  timeslot: { startAt, endAt, endsAtNextDay: endAt < startAt, date },
});
/** Unused dates, after those of `nextSlot`. */
let dates = 0;
const nextDate = () => new Date(Date.UTC(2027, 1, ++dates)).toISOString().slice(0, 10);
export const daySlot = () => slotOf(nextDate(), '09:00', '11:00');
export const nightSlot = () => slotOf(nextDate(), '23:00', '01:00');

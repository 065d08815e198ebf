import { type Booking, type Client, type Hold, PartnerBookingError } from '../sdk/src/sdk.ts';
import { DAY, dateOf, type Instant, MINUTE, SECOND, startOfDate, toUtcIso } from '../src/base/clock.ts';

/**
 * The partner interface in the terms of OCTO, at one place: a product is a service, a reservation a hold without a customer, and its
 * confirmation a customer with a booking that takes the hold. What OCTO keeps of a reservation and a hold does not know, the adapter remembers.
 */

type OctoError = { error: string; errorMessage: string };
export type OctoReply<Body> = { status: number; body: Body | OctoError };

type Contact = { fullName?: string | null; phoneNumber?: string | null; notes?: string | null };
type UnitItem = { uuid?: string; unitId: string; resellerReference?: string };
export type Dates = { productId: string; optionId: string; localDateStart?: string; localDateEnd?: string };
export type Reservation = {
  uuid?: string;
  productId: string;
  optionId: string;
  availabilityId: string;
  unitItems: UnitItem[];
  expirationMinutes?: number;
  resellerReference?: string;
  notes?: string | null;
};
export type Confirmation = { contact: Contact; resellerReference?: string };

type Reserved = {
  reservation: Reservation;
  createdAt: Instant;
  updatedAt: Instant;
  contact: Contact;
  cancelledAt: Instant | null;
};
type Place = { client: Client; now: () => Instant; place: { latitude: string; longitude: string } };
type Slot = { startAt: string; endAt: string };

const DAYS = { FREE: 'AVAILABLE', FULL: 'SOLD_OUT', CLOSED: 'CLOSED' } as const;
const OPTION = 'DEFAULT';
const UNIT = 'visit';

/** OCTO's errors: a status and a body. */
class Refusal extends Error {
  readonly reply: OctoReply<never>;
  constructor(status: number, error: string, details: Record<string, string> = {}) {
    super(error);
    this.reply = {
      status,
      body: { error, errorMessage: error.toLowerCase().replaceAll('_', ' '), ...details },
    };
  }
}

const invalid = (what: string, name: string, value: string): Refusal =>
  new Refusal(400, `INVALID_${what}`, { [name]: value });

const money = (price: number) => ({
  original: Math.round(price * 100),
  retail: Math.round(price * 100),
  net: null,
  currency: 'SAR',
  currencyPrecision: 2,
  includedTaxes: [],
});

/** An availability's id is its start. */
const idOf = (date: string, startAt: string): string => `${date}T${startAt}:00+03:00`;

const slotOf = (availabilityId: string): { date: string; startAt: string } => {
  const [, date, startAt] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):00\+03:00$/.exec(availabilityId) ?? [];
  if (date === undefined || startAt === undefined)
    throw invalid('AVAILABILITY_ID', 'availabilityId', availabilityId);
  return { date, startAt };
};

function availabilityOf(date: string, { startAt, endAt }: Slot, isFree = true) {
  const id = idOf(date, startAt);
  const endDate = endAt > startAt ? date : dateOf(startOfDate(date) + DAY);
  return {
    id,
    localDateTimeStart: id,
    localDateTimeEnd: idOf(endDate, endAt),
    utcCutoffAt: toUtcIso(Date.parse(id)),
    allDay: false,
    available: isFree,
    status: isFree ? 'AVAILABLE' : 'SOLD_OUT',
    vacancies: isFree ? 1 : 0,
    capacity: null,
    maxUnits: 1,
    openingHours: [],
  };
}

const unit = {
  id: UNIT,
  internalName: 'Visit',
  reference: null,
  type: 'OTHER',
  restrictions: {
    minAge: 0,
    maxAge: 100,
    idRequired: false,
    minQuantity: 1,
    maxQuantity: 1,
    paxCount: 1,
    accompaniedBy: [],
  },
  requiredContactFields: ['firstName', 'phoneNumber'],
};

const productOf = (service: { id: string; nameEn: string; price: number }, starts: readonly string[]) => ({
  id: service.id,
  internalName: service.nameEn,
  reference: null,
  locale: 'en',
  timeZone: 'Asia/Riyadh',
  allowFreesale: false,
  instantConfirmation: true,
  instantDelivery: true,
  availabilityRequired: true,
  availabilityType: 'START_TIME',
  deliveryFormats: ['QRCODE'],
  deliveryMethods: ['VOUCHER'],
  redemptionMethod: 'MANIFEST',
  defaultCurrency: 'SAR',
  availableCurrencies: ['SAR'],
  pricingPer: 'BOOKING',
  options: [
    {
      id: OPTION,
      default: true,
      internalName: service.nameEn,
      reference: null,
      availabilityLocalStartTimes: starts,
      cancellationCutoff: '0 hours',
      cancellationCutoffAmount: 0,
      cancellationCutoffUnit: 'hour',
      requiredContactFields: ['firstName', 'phoneNumber'],
      restrictions: { minUnits: 1, maxUnits: 1 },
      units: [{ ...unit, pricingFrom: [money(service.price)] }],
      pricingFrom: [money(service.price)],
    },
  ],
});

/** Reservation and booking as OCTO's one Booking: while it is held from the hold, afterwards from the booking. */
function bookingOf(reserved: Reserved, hold: Hold, booking: Booking | null, now: Instant) {
  const { reservation, createdAt, contact, cancelledAt } = reserved;
  const { unitItems, resellerReference = null, notes = null } = reservation;
  const end = booking?.cancellation ?? null;
  const status = statusOf(hold, booking);
  const cancelled = end === null ? cancelledAt : Date.parse(end.at);
  const person = {
    fullName: null,
    firstName: null,
    lastName: null,
    emailAddress: null,
    phoneNumber: null,
    locales: ['ar-SA'],
    postalCode: null,
    country: 'SA',
    notes: null,
    ...contact,
  };
  return {
    id: hold.holdId,
    uuid: hold.holdId,
    testMode: true,
    resellerReference,
    supplierReference: booking?.trackingReference ?? null,
    status,
    utcCreatedAt: toUtcIso(createdAt),
    utcUpdatedAt: toUtcIso(booking === null ? reserved.updatedAt : Date.parse(booking.updatedAt)),
    utcExpiresAt: booking === null ? toUtcIso(Date.parse(hold.expiresAt)) : null,
    utcRedeemedAt: null,
    utcConfirmedAt: booking === null ? null : toUtcIso(Date.parse(booking.createdAt)),
    productId: hold.serviceId,
    optionId: OPTION,
    cancellable: ['ON_HOLD', 'CONFIRMED'].includes(status) && Date.parse(reservation.availabilityId) > now,
    cancellation:
      status === 'CANCELLED' && cancelled !== null
        ? { refund: 'FULL', reason: end?.notes ?? null, utcCancelledAt: toUtcIso(cancelled) }
        : null,
    freesale: false,
    availabilityId: reservation.availabilityId,
    availability: availabilityOf(hold.date, hold.timeslot),
    contact: person,
    notes,
    deliveryMethods: ['VOUCHER'],
    voucher: null,
    unitItems: unitItems.map(({ uuid, unitId, resellerReference: reference = null }) => ({
      uuid: uuid ?? hold.holdId,
      resellerReference: reference,
      supplierReference: null,
      unitId,
      status,
      utcRedeemedAt: null,
      contact: person,
      ticket: null,
    })),
    pricing: money(booking?.price ?? hold.price),
  };
}

const HELD = { HELD: 'ON_HOLD', EXPIRED: 'EXPIRED', RELEASED: 'CANCELLED', CONSUMED: 'CONFIRMED' } as const;

function statusOf(hold: Hold, booking: Booking | null): string {
  if (booking === null) return HELD[hold.status];
  if (booking.status === 'canceled') return 'CANCELLED';
  if (booking.status === 'failed') return 'REJECTED';
  return booking.status === 'success' ? 'REDEEMED' : 'CONFIRMED';
}

/** OCTO's answer to a request that the service refuses. */
function refusalOf(error: unknown): OctoReply<never> {
  if (error instanceof Refusal) return error.reply;
  if (!(error instanceof PartnerBookingError)) throw error;
  const { status, code, message } = error;
  if (status === 401) return { status, body: { error: 'UNAUTHORIZED', errorMessage: message } };
  if (status === 403) return { status, body: { error: 'FORBIDDEN', errorMessage: message } };
  return { status: 400, body: { error: 'UNPROCESSABLE_ENTITY', errorMessage: `${code}: ${message}` } };
}

/** The endpoints of OCTO that an adapter has. */
export function octoAdapter({ client, now, place }: Place) {
  const reservations = new Map<string, Reserved>();

  const services = async () => (await client.coverage.get(place)).services;
  async function serviceOf({ productId, optionId }: { productId: string; optionId: string }) {
    const service = (await services()).find(({ id }) => id === productId);
    if (service === undefined) throw invalid('PRODUCT_ID', 'productId', productId);
    if (optionId !== OPTION) throw invalid('OPTION_ID', 'optionId', optionId);
    return service;
  }
  const calendarOf = ({ productId, localDateStart, localDateEnd }: Dates) => {
    const from = localDateStart ?? dateOf(now());
    const to = localDateEnd ?? from;
    return client.timeslots.calendar({ ...place, serviceId: productId, from, to });
  };
  const startsOf = async (productId: string): Promise<string[]> => {
    const month = { localDateStart: dateOf(now()), localDateEnd: dateOf(now() + 30 * DAY) };
    const { days } = await calendarOf({ productId, optionId: OPTION, ...month });
    return [...new Set(days.flatMap(({ slots = [] }) => slots.map(({ startAt }) => startAt)))].sort();
  };
  function reservedAs(uuid: string): Reserved {
    const reserved = reservations.get(uuid);
    if (reserved === undefined) throw invalid('BOOKING_UUID', 'uuid', uuid);
    return reserved;
  }
  async function read(uuid: string) {
    const reserved = reservedAs(uuid);
    const hold = await client.holds.get(uuid);
    const booking = hold.bookingId === null ? null : await client.bookings.get(hold.bookingId);
    return { reserved, hold, booking };
  }
  const shown = async (uuid: string) => {
    const { reserved, hold, booking } = await read(uuid);
    return bookingOf(reserved, hold, booking, now());
  };
  const answering = async <Body>(work: () => Promise<Body>): Promise<OctoReply<Body>> => {
    try {
      return { status: 200, body: await work() };
    } catch (error) {
      return refusalOf(error);
    }
  };

  return {
    products: () =>
      answering(async () =>
        Promise.all((await services()).map(async (one) => productOf(one, await startsOf(one.id)))),
      ),
    product: (productId: string) =>
      answering(async () =>
        productOf(await serviceOf({ productId, optionId: OPTION }), await startsOf(productId)),
      ),
    calendar: (dates: Dates) =>
      answering(async () => {
        const service = await serviceOf(dates);
        const { days } = await calendarOf(dates);
        return days.map(({ date, state, slots = [] }) => ({
          localDate: date,
          available: state === 'FREE',
          status: DAYS[state],
          vacancies: slots.length,
          capacity: null,
          openingHours: [],
          pricingFrom: money(service.price),
        }));
      }),
    availability: (wanted: Dates & { availabilityIds?: string[] }) =>
      answering(async () => {
        const { price } = await serviceOf(wanted);
        const { availabilityIds, ...dates } = wanted;
        const asked = availabilityIds?.map(slotOf);
        const names = asked?.map(({ date }) => date).sort();
        const { days } = await calendarOf(
          names === undefined ? dates : { ...dates, localDateStart: names[0]!, localDateEnd: names.at(-1)! },
        );
        const found = days.flatMap(({ date, slots = [] }) => slots.map((slot) => availabilityOf(date, slot)));
        return found
          .filter(({ id }) => availabilityIds === undefined || availabilityIds.includes(id))
          .map((one) => ({ ...one, pricing: money(price) }));
      }),
    reserve: (reservation: Reservation) =>
      answering(async () => {
        await serviceOf(reservation);
        const { uuid, productId: serviceId, availabilityId, unitItems, expirationMinutes } = reservation;
        for (const { unitId } of unitItems) if (unitId !== UNIT) throw invalid('UNIT_ID', 'unitId', unitId);
        const { date, startAt } = slotOf(availabilityId);
        const [day] = (await calendarOf({ ...reservation, localDateStart: date })).days;
        // Sent again: the calendar has no longer what it holds itself.
        const held = uuid === undefined ? [] : await client.holds.list().toArray();
        const own = held.find(
          ({ reference, timeslot: { startAt: at } }) => reference === uuid && at === startAt,
        );
        const timeslot = own?.timeslot ?? day?.slots?.find((slot) => slot.startAt === startAt);
        if (timeslot === undefined) throw new Refusal(400, 'UNPROCESSABLE_ENTITY');
        const seconds =
          expirationMinutes === undefined ? {} : { seconds: (expirationMinutes * MINUTE) / SECOND };
        const named = uuid === undefined ? {} : { reference: uuid };
        const hold = await client.holds.create({ ...place, serviceId, date, timeslot, ...seconds, ...named });
        const at = { createdAt: now(), updatedAt: now(), cancelledAt: null };
        reservations.set(hold.holdId, { reservation, contact: {}, ...at });
        return shown(hold.holdId);
      }),
    booking: (uuid: string) => answering(() => shown(uuid)),
    extend: (uuid: string, { expirationMinutes = 10 }: { expirationMinutes?: number }) =>
      answering(async () => {
        const reserved = reservedAs(uuid);
        await client.holds.extend(uuid, { seconds: (expirationMinutes * MINUTE) / SECOND });
        reserved.updatedAt = now();
        return shown(uuid);
      }),
    confirm: (uuid: string, { contact, resellerReference }: Confirmation) =>
      answering(async () => {
        const reserved = reservedAs(uuid);
        const hold = await client.holds.get(uuid);
        // Expired: it would be tried as without a hold, which OCTO does not know.
        if (hold.status !== 'HELD') throw new Refusal(400, 'UNPROCESSABLE_ENTITY');
        const { fullName: name, phoneNumber: phone } = contact;
        if (name == null || phone == null) throw new Refusal(400, 'UNPROCESSABLE_ENTITY');
        const customer = await client.contacts.findOrCreate({ name, phone, ...place });
        const { serviceId, date, timeslot } = hold;
        const slot = { startAt: timeslot.startAt, endAt: timeslot.endAt };
        const named = {
          externalReference: resellerReference ?? reserved.reservation.resellerReference ?? uuid,
        };
        await client.bookings.create({
          contactId: customer.id,
          addressId: customer.addressId!,
          serviceId,
          date,
          timeslot: slot,
          holdId: uuid,
          ...named,
        });
        reserved.contact = contact;
        reserved.reservation.resellerReference = named.externalReference;
        return shown(uuid);
      }),
    cancel: (uuid: string, { reason = null }: { reason?: string | null }) =>
      answering(async () => {
        const { reserved, hold, booking } = await read(uuid);
        if (booking === null) {
          if (hold.status !== 'HELD') throw new Refusal(400, 'UNPROCESSABLE_ENTITY');
          await client.holds.release(uuid);
          reserved.cancelledAt = now();
        } else {
          const [first] = await client.bookings.listCancellationReasons();
          const notes = reason === null ? {} : { notes: reason };
          await client.bookings.cancel(booking.bookingId, { reasonId: first!.id, ...notes });
        }
        return shown(uuid);
      }),
  };
}

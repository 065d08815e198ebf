import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClient } from '../sdk/src/sdk.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { type OctoReply, octoAdapter } from './octo-adapter.ts';

/**
 * The partner interface through an adapter of OCTO, the standard of tours and activities: each request and each answer has the
 * form of the schemas that its reference implementation uses. node scripts/install-tools.ts octo
 */
const FOLDER = fileURLToPath(new URL('../tools/octo/', import.meta.url));
const installed = existsSync(`${FOLDER}node_modules/@octocloud/types`);
// In CI a missing package is an error.
const skip = !installed && process.env.TEST_TOOLS !== 'required' && 'is not installed';

type Parsed = { success: boolean; error?: { message: string } };
type Schemas = Record<string, { safeParse(value: unknown): Parsed; array(): Schemas[string] }>;

const schemas = (): Schemas => createRequire(`${FOLDER}package.json`)('@octocloud/types');

/** The value, after it was found to be of the schema's form. */
function assertForm<T>(name: string, value: T, isList = false): T {
  const schema = schemas()[name]!;
  const { success, error } = (isList ? schema.array() : schema).safeParse(value);
  assert.ok(success, `${name}: ${error?.message}\n${JSON.stringify(value)}`);
  return value;
}

/** The body of an answer without error, of the schema's form. */
function answered<Body>(reply: OctoReply<Body>, name: string, isList = false): Body {
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return assertForm(name, reply.body as Body, isList);
}

/** Asserts the error of an answer, and its form. */
function refused(reply: OctoReply<unknown>, name: string, error: string): void {
  assert.equal(reply.status, 400);
  assert.equal((assertForm(name, reply.body) as { error: string }).error, error);
}

async function open(t: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 1 });
  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  await service.operator('POST', '/cancellation-reasons', reason);
  const client = createClient({ apiKey: world.key, baseUrl: `${service.url}/v1`, retries: 0 });
  const { latitude, longitude, serviceId } = world;
  const now = () => service.clock.now();
  const option = { productId: serviceId, optionId: 'DEFAULT' };
  const place = { latitude: String(latitude), longitude: String(longitude) };
  return { service, world, option, octo: octoAdapter({ client, now, place }) };
}

const reservation = (option: { productId: string; optionId: string }, time: string) =>
  assertForm('zBookingReservationBody', {
    ...option,
    availabilityId: `${WORLD_DATE}T${time}:00+03:00`,
    unitItems: [{ uuid: randomUUID(), unitId: 'visit' }],
    resellerReference: `REF-${randomUUID()}`,
  });

test('OCTO: products, calendar and availability', { skip }, async (t) => {
  const { octo, option } = await open(t);
  const [product, ...more] = answered(await octo.products(), 'zProduct', true);
  assert.ok(product !== undefined);
  assert.deepEqual([product.id, more], [option.productId, []]);
  assert.deepEqual(answered(await octo.product(option.productId), 'zProduct'), product);
  assert.ok(product.options[0]?.availabilityLocalStartTimes.includes('10:00'));
  const dates = { ...option, localDateStart: WORLD_DATE, localDateEnd: '2026-12-20' };
  const days = answered(
    await octo.calendar(assertForm('zAvailabilityCalendarBody', dates)),
    'zAvailabilityCalendar',
    true,
  );
  assert.deepEqual([days.length, days[0]?.localDate, days[0]?.status], [28, WORLD_DATE, 'AVAILABLE']);
  const day = assertForm('zAvailabilityCheckBody', { ...option, localDateStart: WORLD_DATE });
  const free = answered(await octo.availability(day), 'zAvailability', true);
  const id = `${WORLD_DATE}T10:00:00+03:00`;
  const one = answered(await octo.availability({ ...option, availabilityIds: [id] }), 'zAvailability', true);
  assert.deepEqual(
    one,
    free.filter((slot: { id: string }) => slot.id === id),
  );
  assert.equal(one[0]?.localDateTimeEnd, `${WORLD_DATE}T12:00:00+03:00`);

  const unknown = { ...option, productId: randomUUID() };
  refused(await octo.product(unknown.productId), 'zErrorInvalidProductId', 'INVALID_PRODUCT_ID');
  refused(await octo.availability(unknown), 'zErrorInvalidProductId', 'INVALID_PRODUCT_ID');
  const other = { ...option, optionId: 'OTHER' };
  refused(await octo.calendar(other), 'zErrorInvalidOptionId', 'INVALID_OPTION_ID');
  const badId = { ...option, availabilityIds: ['tomorrow'] };
  refused(await octo.availability(badId), 'zErrorInvalidAvailabilityId', 'INVALID_AVAILABILITY_ID');
});

test('OCTO: a day is sold out, or closed', { skip }, async (t) => {
  const { octo, option, service, world } = await open(t);
  const [teamId] = world.teamIds;
  const shifts = [1, 2].map((weekday) => ({ weekday, startAt: '10:00', endAt: '12:00' }));
  assert.equal((await service.operator('PATCH', `/teams/${teamId}`, { shifts })).status, 200);
  assert.equal((await world.book({ timeslot: { startAt: '10:00', endAt: '12:00' } })).status, 200);
  const dates = { ...option, localDateStart: '2026-11-22', localDateEnd: '2026-11-24' };
  const days = answered(await octo.calendar(dates), 'zAvailabilityCalendar', true);
  assert.deepEqual(
    days.map(({ localDate, status, available }) => [localDate, status, available]),
    [
      ['2026-11-22', 'CLOSED', false],
      [WORLD_DATE, 'SOLD_OUT', false],
      ['2026-11-24', 'AVAILABLE', true],
    ],
  );
});

test('OCTO: reservation, extension, confirmation and cancellation', { skip }, async (t) => {
  const { octo, option } = await open(t);
  const wanted = { uuid: randomUUID(), ...reservation(option, '10:00'), expirationMinutes: 5 };
  const held = answered(await octo.reserve(assertForm('zBookingReservationBody', wanted)), 'zBooking');
  assert.equal(answered(await octo.reserve(wanted), 'zBooking').uuid, held.uuid, 'sent again');
  assert.deepEqual(
    [held.status, held.utcExpiresAt, held.utcConfirmedAt],
    ['ON_HOLD', '2026-11-22T05:05:00.000Z', null],
  );
  assert.deepEqual(answered(await octo.booking(held.uuid), 'zBooking'), held);
  const longer = assertForm('zExtendReservationBody', { expirationMinutes: 10 });
  const extended = answered(await octo.extend(held.uuid, longer), 'zBooking');
  assert.equal(extended.utcExpiresAt, '2026-11-22T05:15:00.000Z');
  const customer = { fullName: 'Noura Al-Qahtani', phoneNumber: '+966501234567' };
  const confirmation = assertForm('zBookingConfirmationBody', { contact: customer });
  const confirmed = answered(await octo.confirm(held.uuid, confirmation), 'zBooking');
  assert.deepEqual(
    [confirmed.uuid, confirmed.status, confirmed.resellerReference, confirmed.utcExpiresAt],
    [held.uuid, 'CONFIRMED', wanted.resellerReference, null],
  );
  assert.equal(confirmed.contact.fullName, customer.fullName);
  assert.deepEqual(confirmed.pricing, held.pricing);
  refused(await octo.confirm(held.uuid, confirmation), 'zErrorUnprocessableEntity', 'UNPROCESSABLE_ENTITY');
  refused(await octo.extend(held.uuid, longer), 'zErrorUnprocessableEntity', 'UNPROCESSABLE_ENTITY');
  refused(
    await octo.reserve(reservation(option, '10:00')),
    'zErrorUnprocessableEntity',
    'UNPROCESSABLE_ENTITY',
  );
  const cancelled = answered(
    await octo.cancel(held.uuid, assertForm('zBookingCancellationBody', { reason: 'Ill' })),
    'zBooking',
  );
  assert.deepEqual(
    [cancelled.status, cancelled.cancellable, cancelled.cancellation?.reason],
    ['CANCELLED', false, 'Ill'],
  );
  refused(await octo.cancel(held.uuid, {}), 'zErrorUnprocessableEntity', 'UNPROCESSABLE_ENTITY');
});

test('OCTO: reservations that are cancelled, expire, or are of nothing', { skip }, async (t) => {
  const { octo, option, service } = await open(t);
  const first = answered(await octo.reserve(reservation(option, '10:00')), 'zBooking');
  assert.equal(answered(await octo.cancel(first.uuid, {}), 'zBooking').status, 'CANCELLED');
  const second = answered(await octo.reserve(reservation(option, '10:00')), 'zBooking');
  service.clock.set(Date.parse(second.utcExpiresAt!));
  assert.equal(answered(await octo.booking(second.uuid), 'zBooking').status, 'EXPIRED');
  const contact = { fullName: 'Noura' };
  refused(await octo.confirm(second.uuid, { contact }), 'zErrorUnprocessableEntity', 'UNPROCESSABLE_ENTITY');

  const nothing = randomUUID();
  for (const reply of [
    await octo.booking(nothing),
    await octo.extend(nothing, {}),
    await octo.confirm(nothing, { contact }),
    await octo.cancel(nothing, {}),
  ])
    refused(reply, 'zErrorInvalidBookingUuid', 'INVALID_BOOKING_UUID');
  const wanted = reservation(option, '10:00');
  const unit = { ...wanted, unitItems: [{ unitId: 'adult' }] };
  refused(await octo.reserve(unit), 'zErrorInvalidUnitId', 'INVALID_UNIT_ID');
  const never = { ...wanted, availabilityId: 'never' };
  refused(await octo.reserve(never), 'zErrorInvalidAvailabilityId', 'INVALID_AVAILABILITY_ID');
  refused(await octo.reserve({ ...wanted, optionId: 'OTHER' }), 'zErrorInvalidOptionId', 'INVALID_OPTION_ID');
});

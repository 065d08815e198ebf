import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { type Answer, startTestService } from './harness.ts';

/** A hint that names a request leads there: what it names is found by it. */

/** Its hints are in a response of 200, to an administrator who sees the settings. */
const EXPLANATIONS = ['src/availability/operator.ts'];
const REQUEST = /\b(GET|POST|PUT|PATCH|DELETE) (\/(?:partners|operator)\/[^ '"`]*)/g;

/** A request without ids and values, as it stands in a source or in a hint. */
const shapeOf = (method: string, path: string): string =>
  `${method} ${path
    .replaceAll(/\$\{[^}]*(?:\([^)]*\))*[^}]*\}|:[a-zA-Z]+|[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4}/g, ':id')
    .replace(/=.*/, '=')}`;

/** The requests that the refusals of a source name. */
function namedBy(source: string): string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  if (!/new ApiError\(|conflict\(|validationError\(/.test(code) || !code.includes('hints')) return [];
  return [...code.matchAll(REQUEST)].map(([, method, path]) => shapeOf(method!, path!));
}

test('requests that hints name are found in sources', () => {
  const hint =
    'throw new ApiError(code, text, { hints: ["GET /partners/bookings/:bookingId/status returns it"] });';
  assert.deepEqual(namedBy(hint), ['GET /partners/bookings/:id/status']);
  assert.deepEqual(namedBy(`/** GET /partners/bookings lists them; hints */\nconflict(a)`), []);
});

test('each request that a hint of a refusal names leads to what it says', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3, partner: { maxHolds: 1 } });
  const { addressId, serviceId, contactId } = world;
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    path.startsWith('/operator/')
      ? service.operator(method, path.slice('/operator'.length), body)
      : service.v1(world.key, method, path, body);
  const ok = (answer: Answer): Answer => {
    assert.ok(answer.status < 300, answer.text);
    return answer;
  };
  const followed = new Set<string>();

  /** The response to the first request that a hint of the refusal names; its parameters are in the details. */
  const follow = async (
    refusal: Answer,
    {
      status,
      code,
      more = {},
      body,
    }: { status: number; code: string; more?: Record<string, string>; body?: unknown },
  ): Promise<Answer> => {
    assert.deepEqual([refusal.status, refusal.body.error?.code], [status, code], refusal.text);
    const { hints = [], ...details } = refusal.body.error.details;
    const [[, method, path] = []] = hints.flatMap((hint: string) => [...hint.matchAll(REQUEST)]);
    assert.ok(method !== undefined && path !== undefined, `no request in ${refusal.text}`);
    followed.add(shapeOf(method, path));
    const values: Record<string, string> = { ...details, ...more };
    const filled = path
      .replaceAll(/:([a-zA-Z]+)/g, (_: string, name: string) => values[name])
      .replace(/(\w+)=$/, (_: string, name: string) => `${name}=${values[name]}`);
    return ok(await ask(method, filled, body));
  };

  // A reference that another booking has, of blanks, letters and signs; by the partner and by the operator.
  for (const [date, externalReference] of [
    ['2026-11-24', 'ORDER-1'],
    ['2026-11-25', 'A/1 ü&b=%2F'],
    ['2026-11-26', 'طلب ١٢'],
  ]) {
    const holder = ok(await world.book({ externalReference, date })).body.data.bookingId;
    const again = { externalReference, date: '2026-12-01' };
    const named = { status: 409, code: 'DUPLICATE_EXTERNAL_REFERENCE' };
    const found = await follow(await world.book(again), named);
    assert.deepEqual(
      found.body.data.map(({ bookingId }: { bookingId: string }) => bookingId),
      [holder],
    );
    const moved = ok(await world.book({ date: '2026-12-02' })).body.data.bookingId;
    const patched = await service.v1(world.key, 'PATCH', `/partners/bookings/${moved}`, {
      externalReference,
    });
    assert.equal((await follow(patched, named)).body.data[0].bookingId, holder);
    ok(await service.operator('POST', `/bookings/${moved}/fail`, { reason: 'Not needed' }));
    const slot = { timeslot: { startAt: '10:00', endAt: '12:00' } };
    const byOperator = await service.operator('POST', '/bookings', {
      partnerId: world.partnerId,
      contactId,
      addressId,
      serviceId,
      ...slot,
      ...again,
    });
    const listed = await follow(byOperator, named);
    assert.deepEqual(
      listed.body.data.map(({ bookingId }: { bookingId: string }) => bookingId),
      [holder],
    );
  }

  // A reference that another series has.
  const weekly = { contactId, addressId, serviceId, firstDate: '2030-01-06', startAt: '09:00' };
  const makeSeries = (more: object = {}) =>
    service.v1(world.key, 'POST', '/partners/series', { ...weekly, externalReference: 'WEEKLY-1', ...more });
  const { seriesId } = ok(await makeSeries()).body.data;
  const duplicate = { status: 409, code: 'DUPLICATE_EXTERNAL_REFERENCE' };
  assert.equal((await follow(await makeSeries({ visits: 2 }), duplicate)).body.data.seriesId, seriesId);

  // A hold that a booking took; a reference that another hold has; more holds than the account may have.
  const slot = { date: '2026-12-03', timeslot: { startAt: '10:00', endAt: '12:00' } };
  const hold = ok(await service.v1(world.key, 'POST', '/partners/holds', { addressId, serviceId, ...slot }))
    .body.data;
  const taken = ok(await world.book({ ...slot, holdId: hold.holdId })).body.data;
  const consumed = { status: 409, code: 'HOLD_CONSUMED' };
  const status = await follow(await world.book({ ...slot, holdId: hold.holdId }), consumed);
  assert.equal(status.body.data.bookingId, taken.bookingId);
  const day = (date: string) => ({ addressId, serviceId, ...slot, date, seconds: 600 });
  const contacts = ok(await world.contact({ latitude: String(world.latitude + 0.01) })).body.data;
  const reference = 'CART-1';
  const wanted = { ...day('2026-12-04'), reference };
  const first = ok(await service.v1(world.key, 'POST', '/partners/holds', wanted)).body.data;
  const second = { ...day('2026-12-05'), addressId: contacts.addressId };
  const again = await service.v1(world.key, 'POST', '/partners/holds', { ...second, reference });
  const holder = await follow(again, { status: 409, code: 'CONFLICT' });
  assert.equal(holder.body.data.holdId, first.holdId);
  const limit = await service.v1(world.key, 'POST', '/partners/holds', second);
  await follow(limit, { status: 422, code: 'HOLD_LIMIT_REACHED', more: { id: first.holdId } });
  ok(await service.v1(world.key, 'POST', '/partners/holds', second));

  // A run of a booking that has one.
  const runs = `/partners/sandbox/bookings/${taken.bookingId}/runs`;
  const run = { script: 'complete', everySeconds: 3600 };
  ok(await service.v1(world.key, 'POST', runs, run));
  const underWay = await service.v1(world.key, 'POST', runs, run);
  const ofTaken = { bookingId: taken.bookingId };
  await follow(underWay, { status: 409, code: 'CONFLICT', more: ofTaken });
  ok(await service.v1(world.key, 'POST', runs, run));

  // An appointment that the operator cannot cancel alone; an address without a place, and one that nothing serves.
  ok(await service.operator('PATCH', `/partners/${world.partnerId}`, { paymentResponsibility: 'PLATFORM' }));
  const unpaid = ok(await world.book({ date: '2026-12-08' })).body.data;
  const refused = await service.operator('PATCH', `/appointments/${unpaid.appointmentId}`, {
    status: 'Cancelled',
  });
  const reasons = { nameEn: 'Moved', nameAr: 'انتقل' };
  const reason = ok(await service.operator('POST', '/cancellation-reasons', reasons)).body.data;
  const transition = { status: 422, code: 'INVALID_TRANSITION', body: { reasonId: reason.id } };
  const ended = await follow(refused, transition);
  assert.equal(ended.body.data.appointment.status, 'Cancelled');

  const address = async (fields: object) =>
    ok(await world.contact({ phone: '+966501239876', name: 'Nora', ...fields })).body.data;
  const nowhere = await address({ latitude: undefined, longitude: undefined, cityName: 'Riyadh' });
  const point = { latitude: String(world.latitude), longitude: String(world.longitude) };
  const placed = { phone: '+966501239876', name: 'Nora', ...point };
  const unplaced = await world.book({ contactId: nowhere.id, addressId: nowhere.addressId });
  const found = await follow(unplaced, { status: 400, code: 'VALIDATION_ERROR', body: placed });
  ok(await world.book({ contactId: nowhere.id, addressId: found.body.data.addressId, date: '2026-12-09' }));
  const sea = await address({ latitude: '10', longitude: '10' });
  const unserved = await world.book({ contactId: sea.id, addressId: sea.addressId });
  const more = { addressId: sea.addressId };
  const served = await follow(unserved, { status: 404, code: 'SERVICE_NOT_ALLOWED', more });
  assert.deepEqual(served.body.data, []);

  const named = globSync('src/**/*.ts')
    .filter((path) => !/\.test\.ts$|schema|routes/.test(path) && !EXPLANATIONS.includes(path))
    .flatMap((path) => namedBy(readFileSync(path, 'utf8')));
  assert.deepEqual([...new Set(named)].sort(), [...followed].sort(), 'each is caused and followed here');
});

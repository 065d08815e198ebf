import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booked, patched, shown } from './appointment-fixtures.ts';
import { crew, TODAY, telephoneOf } from './crew-fixtures.ts';
import { createWorld } from './fixtures.ts';
import { alsoOnServer, call, startTestService, type TestService } from './harness.ts';
import { tablesWith } from './needle.ts';
import { makeLink, portal, signIn } from './portal-fixtures.ts';
import { until } from './until.ts';
import { createHookWorld } from './webhook-fixtures.ts';
import { startReceiver, subscribe } from './webhook-receiver.ts';

/** Telephones of teams, and the calls to customers about their visits. */

const PHONE = '+966509871234';
const START = '2026-11-23T10:00:00+03:00';

async function as(service: TestService, role: string) {
  const { token } = (await service.operator('POST', '/tokens', { name: role, role })).body.data;
  const headers = { authorization: `Bearer ${token}` };
  return (method: string, path: string, body?: unknown) =>
    call(`${service.operatorUrl}/operator`, method, path, body, headers);
}

test('a team has a phone: in one form, shown to dispatchers, masked for viewers and in the audit log', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { team: { phone: PHONE } });
  const [id] = world.teamIds as [string];
  const path = `/teams/${id}`;
  assert.equal((await service.operator('GET', path)).body.data.phone, PHONE);
  const booking = await booked(world);
  assert.equal((await shown(service, booking)).team.phone, PHONE);
  const viewer = await as(service, 'viewer');
  const masked = '+966••••••234';
  assert.equal((await viewer('GET', path)).body.data.phone, masked);
  const board = (await viewer('GET', '/board?date=2026-11-23')).body.data;
  assert.equal(board.teams[0].phone, masked);
  assert.deepEqual((await viewer('POST', `${path}/reveal`)).body.data, { phone: PHONE });
  assert.equal((await service.operator('GET', '/audit?action=team.reveal')).body.meta.total, 1);
  assert.equal((await viewer('PATCH', path, { phone: null })).status, 403);

  for (const phone of ['0509871234', '+966 50 987 1234', '+4915112345678', ''])
    assert.equal((await service.operator('PATCH', path, { phone })).status, 400, phone);
  const without = await service.operator('PATCH', path, { phone: null });
  assert.equal(without.body.data.phone, null);
  await service.operator('PATCH', path, { phone: PHONE });
  const { data } = (await service.operator('GET', '/audit?action=team.update')).body;
  assert.deepEqual(
    data.map(({ after }: { after: { phone: string | null } }) => after.phone),
    [masked, null],
  );
  assert.deepEqual(await tablesWith(service.deps.db, PHONE.slice(1)), ['teams']);
});

test("a team's phone reaches no partner, customer, other crew or file", async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createHookWorld(service, { teams: 2, partner: { trackingPage: true } });
  const [mine, other] = world.teamIds as [string, string];
  await service.operator('PATCH', `/teams/${mine}`, { phone: PHONE });
  await subscribe(service, world.partnerId, receiver.url);
  const booking = await booked(world, '10:00', {
    date: TODAY,
    timeslot: { startAt: '11:00', endAt: '13:00' },
  });
  const { bookingId } = booking;
  await patched(service, booking, { teamId: mine });
  for (const status of ['Confirmed', 'In The Way']) await patched(service, booking, { status });
  await until(() => receiver.received.length >= 3);
  const partner = (path: string, headers = {}) =>
    service.v1(world.key, 'GET', `/partners${path}`, undefined, headers);
  const { trackingUrl } = (await partner(`/bookings/${bookingId}/status`)).body.data;
  const phone = await telephoneOf(service, other);
  const own = await telephoneOf(service, mine);
  const session = await signIn(service, { link: (await makeLink(service, world.partnerId)).token });
  const csv = async (path: string) => {
    const authorization = { authorization: `Bearer operator-token-of-the-tests`, accept: 'text/csv' };
    return await (await fetch(`${service.operatorUrl}/operator${path}`, { headers: authorization })).text();
  };
  const texts: Record<string, string> = {
    webhooks: JSON.stringify(receiver.received.map(({ json }) => json)),
    status: (await partner(`/bookings/${bookingId}/status`)).text,
    bookings: (await partner('/bookings')).text,
    feed: (await partner('/events')).text,
    partnerExport: (await partner('/bookings/export?month=2026-11')).text,
    page: await (await fetch(trackingUrl)).text(),
    otherCrew: (await crew(service, phone, 'GET', '/day')).text,
    ownCrew: (await crew(service, own, 'GET', '/day')).text,
    portal: (await portal(service, session, 'GET', '/bookings')).text,
    portalDeliveries: (await portal(service, session, 'GET', '/deliveries')).text,
    appointments: await csv('/appointments'),
    bookingsFile: await csv('/bookings'),
    teams: await csv('/teams'),
    customer: (await service.operator('GET', `/contacts/${world.contactId}/export`)).text,
  };
  for (const [name, text] of Object.entries(texts)) {
    assert.ok(text.length > 20, `${name}: ${text}`);
    assert.ok(!text.includes('509871234'), `${name}: ${text}`);
  }
  assert.match(texts.appointments!, /team\.nameAr,zoneId/);
  assert.match(texts.teams!, /^id,name,nameAr,zoneIds,/);
});

test('the answer of a call stays with the visit: who, when, about which start', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const before = await shown(service, booking);
  assert.equal(before.lastCall, null);
  const path = `/appointments/${booking.appointmentId}/calls`;
  const dispatcher = await as(service, 'dispatcher');
  const answered = await dispatcher('POST', path, { answer: 'NO_ANSWER', startsAt: START });
  assert.equal(answered.status, 200, answered.text);
  const { lastCall } = answered.body.data;
  assert.deepEqual([lastCall.answer, lastCall.startsAt], ['NO_ANSWER', START]);
  assert.match(lastCall.by, /^operator-token:/);
  assert.equal(lastCall.byName, 'dispatcher');
  assert.equal(Date.parse(lastCall.at), service.clock.now());
  await service.operator('POST', path, { answer: 'AGREED', startsAt: '2026-11-23T12:00:00+03:00' });
  const after = await shown(service, booking);
  assert.deepEqual([after.lastCall.answer, after.lastCall.startsAt], ['AGREED', '2026-11-23T12:00:00+03:00']);
  assert.equal(after.version, before.version, 'what others have read stays fresh');
  const board = (await service.operator('GET', '/board?date=2026-11-23')).body.data;
  assert.deepEqual(board.appointments[0].lastCall, after.lastCall);

  const { history } = (await service.operator('GET', `/bookings/${booking.bookingId}`)).body.data;
  const calls = history.filter(({ what }: { what: string }) => what === 'appointment.call');
  assert.deepEqual(
    calls.map(({ reason, by }: Record<string, string>) => [reason, by]),
    [
      ['NO_ANSWER', lastCall.by],
      ['AGREED', 'operator:first-token'],
    ],
  );
  const viewer = await as(service, 'viewer');
  assert.equal((await viewer('POST', path, { answer: 'AGREED', startsAt: START })).status, 403);
  for (const body of [
    { answer: 'PERHAPS', startsAt: START },
    { answer: 'AGREED' },
    { answer: 'AGREED', startsAt: 'ten' },
  ])
    assert.equal((await dispatcher('POST', path, body)).status, 400);
  const partner = await service.v1(world.key, 'GET', `/partners/bookings/${booking.bookingId}`);
  assert.ok(!partner.text.includes('AGREED'), partner.text);
});

test('two dispatchers who call at once: both answers are kept', alsoOnServer, async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const path = `/appointments/${booking.appointmentId}/calls`;
  const people = [await as(service, 'dispatcher'), await as(service, 'dispatcher')];
  const answers = await Promise.all(
    people.map((one, index) =>
      one('POST', path, { answer: index ? 'AGREED' : 'CALL_BACK', startsAt: START }),
    ),
  );
  for (const { status, text } of answers) assert.equal(status, 200, text);
  const rows = await service.deps.db.rows<{ answer: string }>({
    text: 'select answer from visit_calls order by id',
  });
  assert.deepEqual(rows.map(({ answer }) => answer).sort(), ['AGREED', 'CALL_BACK']);
  assert.equal((await shown(service, booking)).lastCall.answer, rows[1]!.answer);
});

test('a list of calls is a file: chosen visits, with answers, and no formula of a name', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const { id: contactId, addressId } = (await world.contact({ name: '=HYPERLINK("x")' })).body.data;
  const [one, two] = [await booked(world, '10:00', { contactId, addressId }), await booked(world)];
  await booked(world);
  const path = `/appointments/${one.appointmentId}/calls`;
  await service.operator('POST', path, { answer: 'CALL_BACK', startsAt: START });
  const ids = `/appointments?ids=${one.appointmentId},${two.appointmentId.toUpperCase()}`;
  assert.equal((await service.operator('GET', ids)).body.meta.total, 2);
  const headers = { authorization: `Bearer operator-token-of-the-tests`, accept: 'text/csv' };
  const text = await (await fetch(`${service.operatorUrl}/operator${ids}`, { headers })).text();
  const lines = text.trim().split('\r\n');
  assert.equal(lines.length, 3);
  assert.match(lines[0]!, /lastCall\.answer,lastCall\.startsAt,lastCall\.at,lastCall\.by/);
  assert.match(text, /CALL_BACK/);
  assert.match(text, /"'=HYPERLINK\(""x""\)"/);
  const many = Array.from({ length: 101 }, () => one.appointmentId).join(',');
  for (const wrong of ['x', many])
    assert.equal((await service.operator('GET', `/appointments?ids=${wrong}`)).status, 400);
});

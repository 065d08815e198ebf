import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { addDays } from '../src/base/clock.ts';
import { createWorld, everyDay, squareAround, WORLD_DATE, type World } from './fixtures.ts';
import { call, onServer, startTestService, type TestService } from './harness.ts';

/** The preview that every change which can hit sold visits has. */

type Change = (world: World) => [method: string, path: string, body: Record<string, unknown>];

const ofTeam =
  (body: Record<string, unknown>): Change =>
  ({ teamIds: [id] }) => ['PATCH', `/teams/${id}`, body];

/** Each puts all visits of its world out of place. `byTeam`: they are in attention afterwards. */
const KINDS: Record<string, { change: Change; reason: string; byTeam: boolean }> = {
  'weekly hours': {
    change: ofTeam({ shifts: everyDay('13:00', '20:00') }),
    reason: 'OFF_SHIFT',
    byTeam: true,
  },
  skills: { change: ofTeam({ serviceIds: [] }), reason: 'NO_SKILL', byTeam: true },
  'zones of the team': { change: ofTeam({ zoneIds: [] }), reason: 'NOT_IN_ZONE', byTeam: true },
  'a team switched off': { change: ofTeam({ isActive: false }), reason: 'INACTIVE', byTeam: true },
  'time off': {
    change: ({ teamIds: [id] }) => [
      'POST',
      `/teams/${id}/time-off`,
      { startsAt: '2026-11-22T00:00:00+03:00', endsAt: '2026-12-22T00:00:00+03:00' },
    ],
    reason: 'TIME_OFF',
    byTeam: true,
  },
  'hours from a date': {
    change: ({ teamIds: [id] }) => [
      'POST',
      '/schedules',
      {
        nameEn: 'Later',
        nameAr: 'لاحقًا',
        from: '2026-11-22',
        teamIds: [id],
        weekly: everyDay('13:00', '20:00'),
      },
    ],
    reason: 'OFF_SHIFT',
    byTeam: true,
  },
  'a zone switched off': {
    change: ({ zoneId }) => ['PATCH', `/zones/${zoneId}`, { isActive: false }],
    reason: 'OUTSIDE_ZONE',
    byTeam: false,
  },
  'an outline': {
    change: ({ zoneId, latitude, longitude }) => [
      'PATCH',
      `/zones/${zoneId}`,
      { area: squareAround(latitude + 20, longitude) },
    ],
    reason: 'OUTSIDE_ZONE',
    byTeam: false,
  },
  'outlines together': {
    change: ({ zoneId, latitude, longitude }) => [
      'POST',
      '/zones/changes',
      { zones: [{ id: zoneId, area: squareAround(latitude + 30, longitude) }] },
    ],
    reason: 'OUTSIDE_ZONE',
    byTeam: false,
  },
  'another zone over it': {
    change: ({ latitude, longitude, serviceId }) => [
      'POST',
      '/zones/changes',
      {
        zones: [
          {
            name: `Over ${serviceId}`,
            area: squareAround(latitude, longitude),
            priority: 1,
            serviceIds: [serviceId],
          },
        ],
      },
    ],
    reason: 'OUTSIDE_ZONE',
    byTeam: false,
  },
  'a zone without the service': {
    change: ({ zoneId }) => ['PATCH', `/zones/${zoneId}`, { serviceIds: [] }],
    reason: 'NOT_OFFERED_IN_ZONE',
    byTeam: false,
  },
  'a service switched off': {
    change: ({ serviceId }) => ['PATCH', `/services/${serviceId}`, { isActive: false }],
    reason: 'SERVICE_OFF',
    byTeam: false,
  },
  'a category switched off': {
    change: ({ categoryId }) => ['PATCH', `/categories/${categoryId}`, { isActive: false }],
    reason: 'SERVICE_OFF',
    byTeam: false,
  },
};

const WORK = ['In The Way', 'In The location', 'In Progress'];
/** States of a visit, and whether the visit is still to begin. */
const STATES: Record<string, { become?: string[]; sql?: string; date?: string; isToBegin: boolean }> = {
  sold: { isToBegin: true },
  confirmed: { become: ['Confirmed'], isToBegin: true },
  unassigned: { sql: "update appointments set status = 'New' where id = $1", isToBegin: true },
  'on the way': { become: WORK.slice(0, 1), isToBegin: false },
  'in progress': { become: WORK, isToBegin: false },
  finished: { become: [...WORK, 'Finished'], isToBegin: false },
  'could not be done': { become: ['In The Way', 'Cannot Complete'], isToBegin: false },
  cancelled: { become: ['Cancelled'], isToBegin: false },
  ended: { date: '2026-11-22', isToBegin: false },
};

type Visit = { appointmentId: string; bookingId: string; trackingReference: string };
type Conflict = {
  appointmentId: string;
  reasons: string[];
  contact: { name: string; phone: string };
};

async function ok(service: TestService, method: string, path: string, body?: unknown) {
  const answer = await service.operator(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body.data;
}

async function sold(service: TestService, world: World, date: string): Promise<Visit> {
  const answer = await world.book({ date });
  assert.equal(answer.status, 200, answer.text);
  return ok(service, 'GET', `/bookings/${answer.body.data.bookingId}`);
}

/** A schedule has them under another name. */
const conflictsOf = ({
  conflicts,
  appointments,
}: {
  conflicts?: { total: number; digest: string; rows: Conflict[] };
  appointments: never;
}): { total: number; digest: string; rows: Conflict[] } => conflicts ?? appointments;

test('a preview names exactly the visits that the change then puts out of place', async (t) => {
  const service = await startTestService(t);
  const untouched = await createWorld(service);
  await sold(service, untouched, WORLD_DATE);
  for (const [kind, { change, reason, byTeam }] of Object.entries(KINDS)) {
    service.clock.set(Date.parse('2026-11-22T08:00:00+03:00'));
    const world = await createWorld(service);
    const expected: string[] = [];
    for (const [index, { become = [], sql, date, isToBegin }] of Object.values(STATES).entries()) {
      const { appointmentId } = await sold(service, world, date ?? addDays(WORLD_DATE, index));
      for (const status of become) await ok(service, 'PATCH', `/appointments/${appointmentId}`, { status });
      if (sql !== undefined) await service.deps.db.rows({ text: sql, values: [appointmentId] });
      if (isToBegin) expected.push(appointmentId);
    }
    const held = await service.v1(world.key, 'POST', '/partners/holds', {
      addressId: world.addressId,
      serviceId: world.serviceId,
      date: WORLD_DATE,
      timeslot: { startAt: '15:00', endAt: '17:00' },
    });
    assert.equal(held.status, 200, held.text);
    service.clock.set(Date.parse('2026-11-22T12:00:00+03:00'));

    const [method, path, body] = change(world);
    const before = await ok(service, 'GET', '/audit?limit=1');
    const preview = await ok(service, method, `${path}?preview=true`, body);
    assert.deepEqual(await ok(service, 'GET', '/audit?limit=1'), before, `${kind}: nothing is kept`);
    const told = conflictsOf(preview);
    assert.deepEqual(
      told.rows.map((row) => [row.appointmentId, row.reasons]),
      expected.map((id) => [id, [reason]]),
      kind,
    );
    assert.equal(preview.isApplied, false, kind);
    assert.equal(told.total, expected.length, kind);
    assert.match(told.rows[0]!.contact.phone, /^\+96650\d{7}$/, kind);

    const done = await ok(service, method, `${path}?expect=${told.digest}`, body);
    assert.equal(done.isApplied, true, kind);
    assert.deepEqual(conflictsOf(done), told, `${kind}: the change hits what the preview named`);
    const away = `/appointments?attention=team-away&teamId=${world.teamIds[0]}&limit=100`;
    const listed: string[] = (await ok(service, 'GET', away)).map(({ id }: { id: string }) => id);
    assert.deepEqual(listed.sort(), byTeam ? [...expected].sort() : [], `${kind}: attention`);
    if (method === 'PATCH') {
      const again = conflictsOf(await ok(service, method, `${path}?preview=true`, body));
      assert.equal(again.total, 0, `${kind}: they are out of place already`);
    }
  }
});

test('a client that does not ask for conflicts gets the answer of before', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  await sold(service, world, WORLD_DATE);
  for (const kind of ['skills', 'a zone without the service', 'a service switched off', 'time off']) {
    const [method, path, body] = KINDS[kind]!.change(world);
    const answer = await ok(service, method, path, body);
    assert.deepEqual([answer.conflicts, answer.isApplied], [undefined, undefined], kind);
  }
});

test('a preview has no ETag and needs the permission of the change', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const path = `/teams/${world.teamIds[0]}`;
  const preview = await service.operator('PATCH', `${path}?preview=true`, { name: 'Another' });
  assert.equal(preview.status, 200, preview.text);
  assert.equal(preview.headers.get('etag'), null);
  const saved = await service.operator('PATCH', `${path}?preview=false`, { name: 'Another' });
  assert.equal(saved.headers.get('etag'), `"${saved.body.data.version}"`);
  const { token } = await ok(service, 'POST', '/tokens', { name: 'Eyes', role: 'viewer' });
  const headers = { authorization: `Bearer ${token}` };
  const url = `${service.operatorUrl}/operator`;
  const refused = await call(url, 'PATCH', `${path}?preview=true`, { name: 'A third' }, headers);
  assert.equal(refused.status, 403);
});

test('a visit that is sold after the preview refuses the change, with the new list', async (t) => {
  const service = await startTestService(t);
  for (const [kind, { change }] of Object.entries(KINDS)) {
    const world = await createWorld(service);
    const first = await sold(service, world, WORLD_DATE);
    const [method, path, body] = change(world);
    const { digest } = conflictsOf(await ok(service, method, `${path}?preview=true`, body));
    const second = await sold(service, world, addDays(WORLD_DATE, 1));
    const refused = await service.operator(method, `${path}?expect=${digest}`, body);
    assert.equal(refused.status, 409, `${kind}: ${refused.text}`);
    const { reason, conflicts } = refused.body.error.details;
    assert.equal(reason, 'STALE', kind);
    assert.deepEqual(
      conflicts.rows.map((row: Conflict) => row.appointmentId),
      [first.appointmentId, second.appointmentId],
      kind,
    );
    assert.notEqual(conflicts.digest, digest);
    const done = await ok(service, method, `${path}?expect=${conflicts.digest}`, body);
    assert.equal(conflictsOf(done).total, 2, kind);
  }
});

test('a change waits for the booking being written', onServer('needs several connections'), async (t) => {
  const service = await startTestService(t);
  for (const [kind, { change }] of Object.entries(KINDS)) {
    const world = await createWorld(service);
    const { bookingId, appointmentId } = await sold(service, world, WORLD_DATE);
    const [method, path, body] = change(world);
    const { digest } = conflictsOf(await ok(service, method, `${path}?preview=true`, body));
    const writer = new pg.Client({ connectionString: service.deps.config.databaseUrl! });
    await writer.connect();
    const [booking, appointment] = [crypto.randomUUID(), crypto.randomUUID()];
    // All that a creation writes, not committed yet.
    await writer.query('begin');
    await writer.query('select pg_advisory_xact_lock_shared(1, 0)');
    await writer.query(
      `insert into bookings select (jsonb_populate_record(b, jsonb_build_object('id', $2::text))).*
       from bookings b where id = $1`,
      [bookingId, booking],
    );
    await writer.query(
      `insert into appointments select (jsonb_populate_record(a, jsonb_build_object('id', $2::text, 'booking_id', $3::text,
         'name', $4::text, 'starts_at', a.starts_at + interval '1 day', 'ends_at', a.ends_at + interval '1 day',
         'busy_until', a.busy_until + interval '1 day'))).* from appointments a where id = $1`,
      [appointmentId, appointment, booking, `SA-${appointment.slice(0, 8)}`],
    );
    const refused = service.operator(method, `${path}?expect=${digest}`, body);
    const waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
    while ((await writer.query(waiting)).rowCount === 0);
    await writer.query('commit');
    await writer.end();
    const answer = await refused;
    assert.equal(answer.status, 409, `${kind}: ${answer.text}`);
    const { rows } = answer.body.error.details.conflicts;
    assert.deepEqual(
      rows.map((row: Conflict) => row.appointmentId),
      [appointmentId, appointment],
      kind,
    );
    // Without `expect` it is in the answer.
    const done = conflictsOf(await ok(service, method, `${path}?preview=false`, body));
    assert.equal(done.total, 2, kind);
  }
});

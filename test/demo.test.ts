import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { APPOINTMENT_STATUSES, BOOKING_STATUSES, PAYMENT_STATUSES } from '../src/bookings/rules.ts';
import { comingSeason, seedDemo } from '../src/cli/demo.ts';
import { CREW_STATUSES } from '../src/crew/rules.ts';
import { dayOf, telephone } from './crew-fixtures.ts';
import { WORLD_DATE } from './fixtures.ts';
import { afterwards, onServer, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { until } from './until.ts';

async function all(service: TestService, path: string) {
  const answer = await service.operator('GET', `${path}?limit=100`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

test('the demo data fills an empty database, and only an empty one', async (t) => {
  const service = await startTestService(t);
  const { db, versions } = service.deps;
  const keys = await seedDemo(db, TEST_NOW, 'sandbox');
  assert.ok(keys !== null);
  await versions.refresh();

  const [categories, services, zones, teams] = [
    await all(service, '/categories'),
    await all(service, '/services'),
    await all(service, '/zones'),
    await all(service, '/teams'),
  ];
  assert.deepEqual([categories.length, services.length, zones.length, teams.length], [4, 12, 5, 12]);
  for (const { nameAr, descriptionAr } of categories)
    assert.match(nameAr + descriptionAr, /^[\p{Script=Arabic}\s،:]+$/u);
  const minutes = services.map((row: { durationMinutes: number }) => row.durationMinutes);
  assert.deepEqual([Math.min(...minutes), Math.max(...minutes)], [60, 360]);
  const free = services.filter((row: { defaultPrice: number }) => row.defaultPrice === 0);
  assert.deepEqual(free.map((row: { zeroPriceMeans: string }) => row.zeroPriceMeans).sort(), [
    'deferred',
    'free',
  ]);
  assert.ok(services.some((row: { assignment: string }) => row.assignment === 'deferred'));

  for (const team of teams)
    assert.ok(team.zoneIds.length <= 2 && team.zoneIds.length >= 1 && team.serviceIds.length > 2);
  const onFriday = teams.filter((team: { shifts: { weekday: number }[] }) =>
    team.shifts.some((shift) => shift.weekday === 5),
  );
  assert.ok(onFriday.length < 10);
  assert.ok(
    teams.some((team: { shifts: { startAt: string; endAt: string }[] }) =>
      team.shifts.some((shift) => shift.endAt < shift.startAt && shift.endAt > '00:00'),
    ),
  );

  assert.deepEqual(
    (await all(service, '/schedules')).map(({ nameEn, from }: Record<string, string>) => [nameEn, from]),
    [
      ['Eid al-Fitr 1448', '2027-03-09'],
      ['Ramadan 1448', '2027-02-08'],
    ],
  );

  const reasons = await all(service, '/cancellation-reasons');
  assert.equal(reasons.length, 5);
  for (const { nameAr } of reasons) assert.match(nameAr, /^[\p{Script=Arabic}\p{M}\s]+$/u);
  const tiers = await all(service, '/pricing-tiers');
  assert.deepEqual(
    tiers.map((row: Record<string, unknown>) => [row.minMinutes, row.maxMinutes, row.factor]),
    [
      [60, 179, 1],
      [180, 299, 0.95],
      [300, null, 0.9],
    ],
  );

  // Every service of a zone has a team there that can do it.
  for (const zone of zones)
    for (const serviceId of zone.serviceIds)
      assert.ok(
        teams.some(
          (team: { zoneIds: string[]; serviceIds: string[] }) =>
            team.zoneIds.includes(zone.id) && team.serviceIds.includes(serviceId),
        ),
        `${zone.name} ${serviceId}`,
      );

  const audit = await db.rows<{ actor: string; action: string; total: number }>({
    text: 'select actor, action, count(*) as total from audit_log group by actor, action order by action',
  });
  assert.deepEqual(
    audit.map((row) => [row.actor, row.action, row.total]),
    [
      ['seed:demo', 'category.create', 4],
      ['seed:demo', 'crew-link.create', 12],
      ['seed:demo', 'key.create', 2],
      ['seed:demo', 'partner.create', 2],
      ['seed:demo', 'partner.services', 2],
      ['seed:demo', 'partner.update', 2],
      ['seed:demo', 'reason.create', 5],
      ['seed:demo', 'schedule.create', 2],
      ['seed:demo', 'service.create', 12],
      ['seed:demo', 'team.create', 12],
      ['seed:demo', 'tier.create', 3],
      ['seed:demo', 'zone.create', 5],
    ],
  );
  assert.doesNotMatch(
    JSON.stringify(await db.rows({ text: 'select * from audit_log' })),
    new RegExp(`${keys.partner}|${keys.crew}`),
  );

  assert.equal(await seedDemo(db, TEST_NOW, 'sandbox'), null);
});

test('the season of the demo is coming, and never in its first days', () => {
  const seasonsAt = (date: string) =>
    comingSeason(Date.parse(`${date}T09:00:00+03:00`)).map(({ nameEn }) => nameEn);
  const table: [date: string, ...names: string[]][] = [
    ['2026-05-01', 'Ramadan 1448', 'Eid al-Fitr 1448'],
    ['2027-01-24', 'Ramadan 1448', 'Eid al-Fitr 1448'],
    ['2027-01-25', 'Eid al-Fitr 1448', 'Ramadan 1449'],
    ['2027-03-10', 'Ramadan 1449', 'Eid al-Fitr 1449'],
    ['2031-06-01'],
    ['2040-01-01'],
  ];
  for (const [date, ...names] of table) assert.deepEqual(seasonsAt(date), names, date);
});

test('the demo zones cover Riyadh without overlapping', async (t) => {
  const service = await startTestService(t);
  await seedDemo(service.deps.db, TEST_NOW, 'sandbox');
  const overlaps = await service.deps.db.rows<{ x: number; y: number; zones: string[] }>({
    // A grid that misses the borders, over the city and over its whole surroundings.
    text: `
      select x, y, array(select name from zones where area @> point(x, y) order by name) as zones
      from (select 46.3 + i * 0.01037 as x, 24.3 + j * 0.01013 as y
        from generate_series(0, 80) i, generate_series(0, 80) j) grid`,
  });
  assert.deepEqual(
    overlaps.filter((point) => point.zones.length > 1),
    [],
  );
  const city = overlaps.filter(({ x, y }) => x > 46.52 && x < 46.9 && y > 24.5 && y < 24.9);
  assert.ok(city.length > 1000);
  assert.deepEqual(
    city.filter((point) => point.zones.length === 0),
    [],
  );
  const zoneAt = async (longitude: number, latitude: number) =>
    (
      await service.deps.db.first<{ name: string }>({
        text: 'select name from zones where area @> point($1, $2)',
        values: [longitude, latitude],
      })
    )?.name;
  assert.equal(await zoneAt(46.6753, 24.7136), 'Riyadh Centre');
  assert.equal(await zoneAt(46.6346, 24.8213), 'Riyadh North'); // An Narjis
  assert.equal(await zoneAt(46.8246, 24.7269), 'Riyadh East'); // An Nasim
  assert.equal(await zoneAt(46.7069, 24.5593), 'Riyadh South'); // Al Aziziyah
  assert.equal(await zoneAt(46.5733, 24.6218), 'Riyadh West'); // Dhahrat Laban
});

for (const who of ['partner', 'platform'] as const) {
  test(`the ${who} key of the demo books a slot in the middle of Riyadh`, async (t) => {
    const service = await startTestService(t);
    const keys = await seedDemo(service.deps.db, TEST_NOW, 'sandbox');
    assert.ok(keys !== null);
    await service.deps.versions.refresh();
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await service.v1(keys[who], method, path, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };

    const contact = await call('POST', '/partners/contacts', {
      phone: '+966501234567',
      name: 'Noura Al-Qahtani',
      latitude: '24.7136',
      longitude: '46.6753',
    });
    const { addressId } = contact;
    const categories = await call('GET', `/partners/services?addressId=${addressId}`);
    assert.deepEqual(
      categories.map((category: { code: string }) => category.code),
      ['home-cleaning', 'deep-cleaning', 'furnishings', 'moving-and-building'],
    );
    const prices = categories.flatMap((category: { services: { name: string; price: number }[] }) =>
      category.services.map((row) => [row.name, row.price]),
    );
    assert.equal(prices.length, 12);
    const price = new Map<string, number>(prices);
    assert.deepEqual(
      ['Home cleaning, 2 hours', 'Sofa cleaning', 'Carpet cleaning'].map((name) => price.get(name)),
      who === 'partner' ? [89, 179, 149.5] : [95, 199, 139.75],
    );

    const arabic = await service.deps.db.rows({
      text: 'select 1 from services where name_ar is not null and name_ar <> name',
    });
    assert.equal(arabic.length, 12, 'every service has an Arabic name, too');

    const wanted = categories[0].services[0];
    assert.equal(wanted.name, 'Home cleaning, 2 hours');
    const query = `addressId=${addressId}&serviceId=${wanted.id}&date=${WORLD_DATE}`;
    const { slots } = await call('GET', `/partners/timeslots/available?${query}`);
    assert.deepEqual(slots[0], { startAt: '08:00', endAt: '10:00' });
    assert.deepEqual(slots.at(-1), { startAt: '23:00', endAt: '01:00' });

    const booking = await call('POST', '/partners/bookings', {
      contactId: contact.id,
      addressId,
      serviceId: wanted.id,
      date: WORLD_DATE,
      timeslot: slots.at(-1),
    });
    assert.equal(booking.status, who === 'partner' ? 'in progress' : 'waiting payment');
    assert.deepEqual(booking.timeslot, { startAt: '23:00', endAt: '01:00', endsAtNextDay: true });
    const read = await call('GET', `/partners/bookings/${booking.bookingId}/status`);
    // The worker makes the link of what is paid to the platform after the response, sooner or later than this.
    assert.deepEqual(who === 'partner' ? read : { ...read, paymentLink: null }, booking);
  });
}

test('the demo partners may subscribe an example, and their own machine only where the deployment permits it', async (t) => {
  const subscribe = async (env: Record<string, string>, urls: string[]) => {
    const service = await startTestService(t, { env });
    const keys = await seedDemo(service.deps.db, TEST_NOW, 'sandbox');
    await service.deps.versions.refresh();
    const events = ['booking.created'];
    const statuses: number[][] = [];
    for (const key of [keys!.partner, keys!.platform]) {
      const answers = urls.map((url) =>
        service.v1(key, 'POST', '/partners/webhooks/subscriptions', { url, events }),
      );
      statuses.push((await Promise.all(answers)).map(({ status }) => status));
    }
    return statuses;
  };
  const own = ['http://localhost:4000/hooks', 'http://127.0.0.1:4000/hooks'];
  const urls = ['https://hooks.example.com/bookings', 'https://example.org/bookings', ...own];
  const closed = [200, 403, 400, 400];
  assert.deepEqual(await subscribe({}, urls), [closed, closed]);
  const open = [200, 403, 200, 200];
  const WEBHOOK_ALLOW_HOSTS = 'localhost:4000,127.0.0.1:4000';
  assert.deepEqual(await subscribe({ WEBHOOK_ALLOW_HOSTS }, urls), [open, open]);
});

test(
  'of two processes that start together one fills the database',
  onServer('needs several connections'),
  async (t) => {
    const { db } = (await startTestService(t)).deps;
    const answers = await Promise.all([1, 2, 3].map(() => seedDemo(db, TEST_NOW, 'production')));
    const [keys, ...more] = answers.filter((answer) => answer !== null);
    assert.match(keys!.partner, /^pbs_live_/);
    assert.equal(more.length, 0);
  },
);

test('existing data of any kind prevents the demo', async (t) => {
  const service = await startTestService(t);
  const seed = () => seedDemo(service.deps.db, TEST_NOW, 'sandbox');
  const { body } = await service.operator('POST', '/categories', { nameEn: 'Mine', nameAr: 'لي' });
  assert.equal(await seed(), null);
  await service.operator('DELETE', `/categories/${body.data.id}`);
  const team = await service.operator('POST', '/teams', { name: 'Mine' });
  assert.equal(await seed(), null);
  await service.operator('DELETE', `/teams/${team.body.data.id}`);
  for (const [path, fields] of [
    ['/cancellation-reasons', { nameEn: 'Mine', nameAr: 'لي' }],
    ['/pricing-tiers', { minMinutes: 0, factor: 1 }],
  ] as const) {
    const made = await service.operator('POST', path, fields);
    assert.equal(await seed(), null, path);
    await service.operator('DELETE', `${path}/${made.body.data.id}`);
  }
  assert.notEqual(await seed(), null);
});

test('a new sandbox gets days of bookings, in every state, while it serves', async (t) => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'pbs-demo-'));
  afterwards(t, () => rmSync(DATA_DIR, { recursive: true, force: true }));
  const service = await startTestService(t, { env: { SEED: 'demo', DATA_DIR } });
  const { db } = service.deps;
  const { booking } = service.demo!;
  const texts = async (text: string) => (await db.rows<{ text: string }>({ text })).map((row) => row.text);
  // Done last of all.
  await until(async () => (await texts('select id::text as text from team_time_off')).length === 1);

  const bookings = await db.rows<{ status: string; appointment: string; payment_status: string }>({
    text: `
      select b.status, b.payment_status, a.status as appointment
      from bookings b join appointments a on a.booking_id = b.id`,
  });
  assert.ok(bookings.length >= 55 && bookings.length <= 70, String(bookings.length));
  const seen = (name: keyof (typeof bookings)[number]) => new Set(bookings.map((row) => row[name]));
  assert.deepEqual([...seen('status')].sort(), [...BOOKING_STATUSES].sort());
  assert.deepEqual([...seen('appointment')].sort(), [...APPOINTMENT_STATUSES].sort());
  // Nothing that is to be paid by link is free.
  assert.deepEqual([...seen('payment_status'), 'NOT_REQUIRED'].sort(), [...PAYMENT_STATUSES].sort());
  assert.deepEqual(
    await texts(
      'select distinct p.name as text from bookings b join partners p on p.id = b.partner_id order by 1',
    ),
    ['Demo Partner', 'Demo Platform'],
  );
  await until(
    async () =>
      (await texts("select id::text as text from payments where refund_status = 'DONE'")).length > 0,
  );
  await until(
    async () =>
      (await texts('select id::text as text from webhook_deliveries where attempt_count > 0')).length > 0,
  );
  const hit = await db.rows({
    text: `
      select 1 from team_time_off o join appointments a on a.team_id = o.team_id
      where a.starts_at >= o.starts_at and a.ends_at <= o.ends_at and a.status <> 'Cancelled'`,
  });
  assert.ok(hit.length > 0, 'a team is away that has appointments');
  // In chronological order.
  assert.deepEqual(
    await texts(`
      select position::text as text from (
        select position, created_at, lag(created_at) over (order by position) as before from events
      ) told where created_at < before`),
    [],
  );

  // Crews report what happens in the street, the office the rest.
  const moves = await db.rows<{ by: string; statuses: string[] }>({
    text: `
      select split_part(actor, ':', 1) as by,
        array_agg(distinct payload -> 'appointmentStatusChange' ->> 'to') as statuses
      from events where event = 'booking.appointment_status_changed' and actor ~ '^(crew|seed)' group by 1 order by 1`,
  });
  assert.deepEqual(moves, [
    { by: 'crew', statuses: [...CREW_STATUSES].sort() },
    { by: 'seed', statuses: ['Cancelled', 'Completed', 'Confirmed'] },
  ]);
  const { stepsRefused } = (await service.operator('GET', '/attention')).body.data;
  assert.equal(stepsRefused.rows[0]?.refusal, 'MOVED_ON');
  // The link that the start prints opens the day of its team.
  const { visits } = await dayOf(service, await telephone(service, { link: service.demo!.keys.crew! }));
  assert.ok(visits.length > 0);

  const answer = await service.v1(service.demo!.keys.partner, 'POST', '/partners/bookings', booking);
  assert.equal(answer.status, 200, 'what the start offers to book is still free');
});

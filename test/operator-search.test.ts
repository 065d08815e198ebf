import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { call, OPERATOR_TOKEN, startTestService } from './harness.ts';

type Item = { id: string; title: string; match: string } & Record<string, unknown>;

test('one search finds bookings, customers and settings', async (t) => {
  const service = await startTestService(t);
  const search = async (q: string, more = '') => {
    const answer = await service.operator('GET', `/search?q=${encodeURIComponent(q)}${more}`);
    assert.equal(answer.status, 200, `${q}: ${answer.text}`);
    return answer.body.data as { kind: string; items: Item[] }[];
  };
  const found = async (q: string, kind: string, more = '') =>
    (await search(q, more)).find((group) => group.kind === kind)?.items ?? [];
  const titles = async (q: string, kind: string) => (await found(q, kind)).map(({ title }) => title);
  assert.deepEqual(await search('nothing'), []);

  await createWorld(service, { zone: { name: 'Riyadh North' } });
  const { partnerId, serviceId, zoneId, teamIds, contact, book } = await createWorld(service, {
    partner: { name: 'Home Deals' },
    service: { name: 'Sofa cleaning', nameAr: 'تنظيف الكنب' },
    zone: { name: 'Riyadh South' },
    team: { name: 'Night Owls' },
  });
  const customer = async (name: string, phone: string) => {
    const answer = await contact({ name, phone });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data as { id: string; addressId: string };
  };
  const noura = await customer('Hessa Al-Mansour', '+966551234567');
  const ahmad = await customer('أَحْمَد المنصور', '+966559876543');
  await customer('Mansura Hess', '+966551239999');
  const booked = await book({
    contactId: noura.id,
    addressId: noura.addressId,
    externalReference: 'Order-2026_1',
  });
  assert.equal(booked.status, 200, booked.text);
  const { bookingId, appointmentId, trackingReference } = booked.body.data;

  // Phones in any spelling, their beginning and their end.
  for (const q of ['0551234567', '+966 55 123 4567', '٠٥٥١٢٣٤٥٦٧', '966551234567'])
    assert.deepEqual(
      (await found(q, 'customer')).map(({ id, match }) => [id, match]),
      [[noura.id, 'exact']],
      q,
    );
  assert.deepEqual(await titles('055123', 'customer'), ['Hessa Al-Mansour', 'Mansura Hess']);
  assert.deepEqual(await titles('9876543', 'customer'), ['أَحْمَد المنصور']);

  // Words of names, or their beginnings, with or without article and marks.
  assert.deepEqual(await titles('mansour', 'customer'), ['Hessa Al-Mansour']);
  assert.deepEqual(await titles('hess mans', 'customer'), ['Hessa Al-Mansour', 'Mansura Hess']);
  for (const q of ['احمد', 'منصور', 'المنصور أحمد', 'أحمـــد'])
    assert.deepEqual(
      (await found(q, 'customer')).map(({ id }) => id),
      [ahmad.id],
      q,
    );
  assert.deepEqual((await found('Hessa Al-Mansour', 'customer'))[0]?.match, 'exact');
  assert.deepEqual(await search('ًًً'), [], 'marks alone are no word');
  assert.deepEqual(await search("') | !x:* & %_\\"), []);

  // A customer brings its bookings along.
  const [item] = await found('0551234567', 'booking');
  assert.deepEqual(item, {
    id: bookingId,
    title: trackingReference,
    titleAr: null,
    detail: 'Order-2026_1',
    customer: 'Hessa Al-Mansour',
    phone: null,
    partner: 'Home Deals',
    status: 'in progress',
    appointmentId,
    appointmentStatus: 'Scheduled',
    startsAt: '2026-11-23T10:00:00+03:00',
    match: 'customer',
  });

  // References and ids.
  const matches = async (q: string) => (await found(q, 'booking')).map(({ id, match }) => [id, match]);
  const number = String(Number(trackingReference.slice(3)));
  for (const q of [
    trackingReference,
    trackingReference.toLowerCase(),
    `sa${number.padStart(4, '0')}`,
    `00${number}`.slice(-2),
    `sa ${number}`,
  ])
    assert.deepEqual((await matches(q))[0], [bookingId, 'exact'], q);
  assert.deepEqual(await matches('SA-00'), [[bookingId, 'start']]);
  for (const q of ['order-2026_1', bookingId, appointmentId, bookingId.toUpperCase()])
    assert.deepEqual(await matches(q), [[bookingId, 'exact']], q);
  assert.deepEqual(await matches('ORDER-2'), [[bookingId, 'start']]);
  assert.deepEqual(await matches('R-2026_'), [[bookingId, 'part']]);
  assert.deepEqual(await matches('order-2026%1'), []);
  // A whole reference is not searched inside others; those with it as a prefix are still found.
  const bookedAs = async (externalReference: string, startAt: string, endAt: string) => {
    const more = { contactId: noura.id, addressId: noura.addressId, externalReference };
    const answer = await book({ ...more, timeslot: { startAt, endAt } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.bookingId as string;
  };
  const longer = await bookedAs('Order-2026_11', '13:00', '15:00');
  const other = await bookedAs('X-Order-2026_1-0559876543', '16:00', '18:00');
  assert.deepEqual(await matches('ORDER-2026_1'), [
    [bookingId, 'exact'],
    [longer, 'start'],
  ]);
  assert.deepEqual(
    (await matches('RDER-2026_1')).map(([id]) => id).sort(),
    [bookingId, longer, other].sort(),
  );
  assert.deepEqual(await matches('R-2026%'), []);
  // The number of a customer is not looked for in references; another one, and a part of it, is.
  assert.deepEqual(await matches('0559876543'), []);
  assert.deepEqual(await matches('59876543'), [[other, 'part']]);
  for (const [kind, id] of [
    ['customer', noura.id],
    ['partner', partnerId],
    ['team', teamIds[0]],
    ['service', serviceId],
    ['zone', zoneId],
  ] as const)
    assert.deepEqual(
      (await found(id!, kind)).map((one) => [one.id, one.match]),
      [[id, 'exact']],
      kind,
    );

  // District and street, as they are written or without the marks.
  const far = (
    await contact({
      name: 'Layan',
      phone: '+966551110000',
      districtName: 'حي النَّرجس',
      streetName: 'Anas Street',
    })
  ).body.data;
  const there = await book({ contactId: far.id, addressId: far.addressId, date: '2026-11-24' });
  assert.equal(there.status, 200, there.text);
  for (const q of ['النرجس', 'anas st'])
    assert.deepEqual(await matches(q), [[there.body.data.bookingId, 'part']], q);

  // Settings by a part of a name in either language; the kind with the best match first.
  assert.deepEqual(await titles('owl', 'team'), ['Night Owls']);
  assert.deepEqual(
    (await found('الكنب', 'service')).map(({ titleAr }) => titleAr),
    ['تنظيف الكنب'],
  );
  assert.deepEqual(
    (await search('home')).map(({ kind, items }) => [kind, items[0]?.match]),
    [['partner', 'start']],
  );
  const kinds = (await search('Sofa cleaning')).map(({ kind }) => kind);
  assert.equal(kinds[0], 'service');
  assert.equal((await found('riyadh', 'zone')).length, 2);
  assert.equal((await found('riyadh', 'zone', '&limit=1')).length, 1);

  const refused = await service.operator('GET', '/search?q=%20a%20&limit=21');
  assert.deepEqual(refused.body.error?.details.message, [
    'q must be longer than or equal to 2 characters',
    'limit must not be greater than 20',
  ]);
  assert.equal((await service.operator('GET', '/search')).status, 400);
  const { token } = (await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' })).body.data;
  const read = (authorization: string) =>
    call(`${service.operatorUrl}/operator`, 'GET', '/search?q=home', undefined, { authorization });
  assert.deepEqual([(await read(`Bearer ${token}`)).status, (await read('Bearer no')).status], [200, 401]);
});

/**
 * A service to which customers of one name are added, numbered from the second on and created in second `at` of 1970.
 */
async function startWithCustomers(t: TestContext) {
  const service = await startTestService(t);
  const { partnerId } = await createWorld(service);
  let groups = 0;
  const add = (name: string, count: number, at = 0) =>
    service.deps.db.rows({
      text: `
        insert into contacts (id, partner_id, phone, name, utm_source, created_at)
        select id_at(at), $1, $3 || lpad(n::text, 4, '0'),
          $2 || case when n > 1 then ' ' || lpad(n::text, 4, '0') else '' end, 'test', at
        from generate_series(1, $4::integer) n, to_timestamp($5::integer) at`,
      values: [partnerId, name, `+96651${++groups}00`, count, at],
    });
  const customers = async (q: string, limit = 5) => {
    const answer = await service.operator('GET', `/search?q=${encodeURIComponent(q)}&limit=${limit}`);
    const groups = answer.body.data as { kind: string; items: Item[] }[];
    const items = groups.find(({ kind }) => kind === 'customer')?.items ?? [];
    return items.map(({ title, match }) => [title, match]);
  };
  return { add, customers };
}

test('a prefix match of a name is found among many other matches', async (t) => {
  const { add, customers } = await startWithCustomers(t);
  await add('Mansour Hessa', 300);
  await add('Hessa Zahrani', 2);
  const begun = [
    ['Hessa Zahrani', 'start'],
    ['Hessa Zahrani 0002', 'start'],
  ];
  assert.deepEqual((await customers('hess')).slice(0, 2), begun);
  assert.deepEqual((await customers('hess'))[2]?.[1], 'part');
  assert.deepEqual(await customers('hess', 2), begun);
  assert.deepEqual(await customers('hessa zahrani', 2), [['Hessa Zahrani', 'exact'], begun[1]]);
  // The best of many prefix matches, in natural order; other words after them.
  assert.deepEqual(await customers('mansour hessa', 2), [
    ['Mansour Hessa', 'exact'],
    ['Mansour Hessa 0002', 'start'],
  ]);
  assert.deepEqual(await customers('zahr hess', 2), [
    ['Hessa Zahrani', 'part'],
    ['Hessa Zahrani 0002', 'part'],
  ]);
});

test('of many customers with the words the newest are found, of few all', async (t) => {
  const { add, customers } = await startWithCustomers(t);
  await add('Zaid Omar', 1, 1);
  await add('Mansour Hessa', 400, 2);
  await add('Salem Hessa', 1, 3);
  await add('Omar Hessa', 3, 4);
  assert.deepEqual(await customers('hess', 4), [
    ['Omar Hessa', 'part'],
    ['Omar Hessa 0002', 'part'],
    ['Omar Hessa 0003', 'part'],
    ['Salem Hessa', 'part'],
  ]);
  // Older than all candidates for words; prefix matches are not counted twice.
  assert.deepEqual(await customers('omar'), [
    ['Omar Hessa', 'start'],
    ['Omar Hessa 0002', 'start'],
    ['Omar Hessa 0003', 'start'],
    ['Zaid Omar', 'part'],
  ]);
  assert.deepEqual(await customers('omar zaid'), [['Zaid Omar', 'part']]);
});

test('customers of all partners are listed, the latest first, and found by what they and their bookings are known by', async (t) => {
  const service = await startTestService(t);
  const one = await createWorld(service);
  service.clock.advance(1_000);
  const other = await createWorld(service);
  service.clock.advance(1_000);
  const { id } = (await one.contact({ name: 'Huda Al-Otaibi', phone: '+966551112222' })).body.data;
  const { trackingReference } = (await other.book({ externalReference: 'Order-77' })).body.data;
  const viewer = (await service.operator('POST', '/tokens', { name: 'V', role: 'viewer' })).body.data.token;
  const list = async (query: string, token = OPERATOR_TOKEN) => {
    const answer = await call(`${service.operatorUrl}/operator`, 'GET', `/contacts?${query}`, undefined, {
      authorization: `Bearer ${token}`,
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const ids = async (search: string) =>
    (await list(`search=${encodeURIComponent(search)}`)).data.map((found: Item) => found.id);

  const all = await list('limit=2');
  assert.deepEqual(
    all.data.map((found: Item) => found.id),
    [id, other.contactId],
  );
  assert.deepEqual(all.meta, { page: 1, limit: 2, total: 3, totalPages: 2 });
  assert.deepEqual([all.data[0].partnerId, all.data[0].phone], [one.partnerId, '+966551112222']);
  assert.equal((await list('limit=2&page=2')).data[0].id, one.contactId);
  for (const typed of ['huda', '0551112222', '2222', id]) assert.deepEqual(await ids(typed), [id], typed);
  for (const typed of [trackingReference, 'order-77', trackingReference.toLowerCase()])
    assert.deepEqual(await ids(typed), [other.contactId], typed);
  assert.deepEqual(await ids('nobody'), []);

  // Viewers see phones masked, and find by whole ones alone.
  assert.match((await list('', viewer)).data[0].phone, /•/);
  assert.deepEqual((await list('search=2222', viewer)).data, []);

  // An erased one is no longer listed, but found by her booking.
  const erased = await service.operator('POST', `/contacts/${id}/erase`, { reason: 'She asked for it' });
  assert.equal(erased.status, 200, erased.text);
  assert.equal((await list('')).meta.total, 2);
  assert.deepEqual(await ids('huda'), []);
  assert.deepEqual((await list(`search=${id}`)).data[0].phone, null);
});

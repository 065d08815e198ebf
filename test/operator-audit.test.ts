import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audit } from '../src/db/audit.ts';
import { createWorld } from './fixtures.ts';
import { call, startTestService, TEST_NOW, type TestService } from './harness.ts';

async function actionsAt(service: TestService, query: string): Promise<string[]> {
  const answer = await service.operator('GET', `/audit${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((row: { action: string }) => row.action);
}

test('the audit log is listed newest first, filtered and paged', async (t) => {
  const service = await startTestService(t);
  assert.deepEqual((await service.operator('GET', '/audit')).body, {
    success: true,
    data: [],
    meta: { page: 1, limit: 20, total: 0, totalPages: 0 },
  });

  const partner = (await service.operator('POST', '/partners', { name: 'Riyadh Homes' })).body.data;
  service.clock.advance(60_000);
  const changed = await service.operator('PATCH', `/partners/${partner.id}`, { status: 'SUSPENDED' });
  // The clock of a sandbox may go back; the order stays the one in which things were done.
  service.clock.advance(-30_000);
  const { token, id } = (await service.operator('POST', '/tokens', { name: 'Desk', role: 'viewer' })).body
    .data;

  const { body } = await service.operator('GET', '/audit');
  assert.deepEqual(body.meta, { page: 1, limit: 20, total: 3, totalPages: 1 });
  assert.deepEqual(
    body.data.map((row: { action: string; at: string }) => [row.action, row.at]),
    [
      ['token.create', '2026-11-22T08:00:30+03:00'],
      ['partner.update', '2026-11-22T08:01:00+03:00'],
      ['partner.create', '2026-11-22T08:00:00+03:00'],
    ],
  );
  const { id: entryId, ...entry } = body.data[1];
  assert.match(entryId, /^[\da-f-]{36}$/);
  assert.deepEqual(entry, {
    at: '2026-11-22T08:01:00+03:00',
    actor: 'operator:first-token',
    actorName: null,
    holderName: null,
    targetName: 'Riyadh Homes',
    action: 'partner.update',
    target: `partner:${partner.id}`,
    before: partner,
    after: changed.body.data,
    groupId: null,
  });
  assert.equal(body.data[2].before, null);
  assert.doesNotMatch(JSON.stringify(body), new RegExp(token));

  const target = `partner:${partner.id}`;
  assert.deepEqual(await actionsAt(service, `?target=${target}`), ['partner.update', 'partner.create']);
  assert.deepEqual(await actionsAt(service, `?target=${target}&action=partner.create`), ['partner.create']);
  assert.deepEqual(await actionsAt(service, '?action=partner'), []);
  assert.equal((await actionsAt(service, '?actor=operator:first-token')).length, 3);
  assert.deepEqual(await actionsAt(service, `?actor=operator-token:${id}`), []);
  assert.deepEqual(await actionsAt(service, '?search=PARTNER.c'), ['partner.create']);
  assert.deepEqual(await actionsAt(service, `?search=${id.slice(0, 13)}`), ['token.create']);
  assert.deepEqual(await actionsAt(service, '?search=%25'), []);

  const at = (text: string) => encodeURIComponent(`2026-11-22T${text}`);
  assert.deepEqual(await actionsAt(service, `?from=${at('08:01:00+03:00')}`), ['partner.update']);
  assert.deepEqual(await actionsAt(service, `?to=${at('05:00:30Z')}`), ['partner.create']);
  assert.deepEqual(await actionsAt(service, `?from=${at('05:00:00Z')}&to=${at('05:01:00Z')}`), [
    'token.create',
    'partner.create',
  ]);
  assert.deepEqual(await actionsAt(service, `?from=${at('06:00:00Z')}&to=${at('05:00:00Z')}`), []);
  const page = await service.operator('GET', '/audit?page=2&limit=2');
  assert.deepEqual(page.body.meta, { page: 2, limit: 2, total: 3, totalPages: 2 });
  assert.equal(page.body.data[0].action, 'partner.create');

  // Years the database does not know are no error: nothing was recorded in them.
  assert.deepEqual(await actionsAt(service, '?to=0000-01-01T00:00:00Z'), []);
  assert.deepEqual(await actionsAt(service, '?from=9999-12-31T23:59:00-23:00'), []);

  const groupId = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  await service.deps.db.transaction((tx) =>
    audit(tx, TEST_NOW, { actor: 'operator:test', action: 'thing.move', target: 'thing:1', groupId }),
  );
  assert.deepEqual(await actionsAt(service, `?groupId=${groupId}`), ['thing.move']);
  const [grouped] = (await service.operator('GET', '/audit?action=thing.move')).body.data;
  assert.equal(grouped.groupId, groupId);

  const bad = await service.operator('GET', '/audit?from=2026-11-22&to=2026-02-30T00:00:00Z&limit=101');
  assert.equal(bad.status, 400, bad.text);
  assert.deepEqual(bad.body.error.details.message, [
    'from must be a valid ISO 8601 date and time with offset',
    'to must be a valid ISO 8601 date and time with offset',
    'limit must not be greater than 100',
  ]);

  const viewed = await call(`${service.operatorUrl}/operator`, 'GET', '/audit', undefined, {
    authorization: `Bearer ${token}`,
  });
  assert.equal(viewed.status, 200);
});

test('entries say the names of tokens to every role', async (t) => {
  const service = await startTestService(t);
  const create = async (name: string, role: string) =>
    (await service.operator('POST', '/tokens', { name, role })).body.data as { id: string; token: string };
  const desk = await create('Front desk', 'dispatcher');
  const viewer = await create('Wall', 'viewer');
  const admin = await create('Amal', 'admin');
  const as = (token: string, method: string, path: string, body?: unknown) =>
    call(`${service.operatorUrl}/operator`, method, path, body, { authorization: `Bearer ${token}` });
  await as(admin.token, 'POST', '/partners', { name: 'Riyadh Homes' });
  await service.operator('POST', `/tokens/${desk.id}/sign-in-links`);
  const session = await service.deps.db.first<{ id: string }>({
    text: `
      insert into operator_sessions (token_id, hash, created_at, last_seen_at, expires_at)
      values ($1, sha256('a'), now(), now(), now() + interval '1 hour') returning id`,
    values: [desk.id],
  });
  assert.equal((await as(admin.token, 'DELETE', `/sessions/${session!.id}`)).status, 200);
  const names = async (action: string) =>
    (await as(viewer.token, 'GET', `/audit?action=${action}`)).body.data.map(
      ({ actorName, holderName }: { actorName: string | null; holderName: string | null }) => [
        actorName,
        holderName,
      ],
    );
  assert.deepEqual(await names('partner.create'), [['Amal', null]]);
  assert.deepEqual(await names('sign-in-link.create'), [[null, 'Front desk']]);
  assert.deepEqual(await names('session.revoke'), [['Amal', 'Front desk']]);
  assert.equal((await service.operator('PATCH', `/tokens/${admin.id}`, { name: 'Amal K.' })).status, 200);
  assert.deepEqual(await names('partner.create'), [['Amal K.', null]], 'the present name');
});

test('names of filters are treated as values', async (t) => {
  const service = await startTestService(t);
  await service.operator('POST', '/partners', { name: 'Riyadh Homes' });
  for (const name of ['actor', 'action', 'target', 'search'])
    assert.deepEqual(await actionsAt(service, `?${name}=${encodeURIComponent("' or true --")}`), [], name);
});

test('the log is found by names, references and phones, and says them', async (t) => {
  const service = await startTestService(t);
  const person = await service.operator('POST', '/tokens', { name: 'هدى', role: 'dispatcher' });
  const viewer = await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' });
  const as = (token: string, method: string, path: string, body?: unknown) =>
    call(`${service.operatorUrl}/operator`, method, path, body, { authorization: `Bearer ${token}` });
  const world = await createWorld(service, { team: { name: 'West 17' }, partner: { status: 'ACTIVE' } });
  const phone = '+966559876543';
  const customer = (await world.contact({ name: 'نانا القحطاني', phone })).body.data;
  const place = { contactId: customer.id, addressId: customer.addressId };
  const booked = await world.book({ ...place, externalReference: 'طلب-٩٨٧' });
  assert.equal(booked.status, 200, booked.text);
  const { bookingId, trackingReference } = booked.body.data;
  const other = await world.book({ date: '2026-11-24' });
  assert.equal(other.status, 200, other.text);
  const [visit, otherVisit] = await Promise.all(
    [bookingId, other.body.data.bookingId].map(async (id) => {
      const answer = await service.operator('GET', `/bookings/${id}`);
      return answer.body.data.appointment.id as string;
    }),
  );
  const ok = ({ status, text }: { status: number; text: string }) => assert.equal(status, 200, text);
  const { token } = person.body.data;
  ok(await as(token, 'PATCH', `/appointments/${visit}`, { status: 'Confirmed' }));
  ok(await service.operator('PATCH', `/appointments/${otherVisit}`, { status: 'Confirmed' }));
  ok(await service.operator('PATCH', `/contacts/${customer.id}`, { name: 'نانا سامي' }));
  ok(await service.operator('PATCH', `/addresses/${customer.addressId}`, { unit: '12' }));
  const request = await service.operator('POST', '/privacy-requests', { kind: 'ACCESS', phone });
  assert.equal(request.status, 201, request.text);
  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  const cancel = { reasonId: (await service.operator('POST', '/cancellation-reasons', reason)).body.data.id };
  ok(await service.operator('POST', `/bookings/${bookingId}/cancel`, cancel));

  const visitOnly = ['booking.cancel', 'appointment.update'];
  const hers = [
    'booking.cancel',
    'privacy-request.create',
    'address.update',
    'contact.update',
    'appointment.update',
  ];
  const both = ['appointment.update', 'appointment.update'];
  const found = async (query: Record<string, string>, ofToken?: string) => {
    const path = `/audit?${new URLSearchParams({ limit: '100', ...query })}`;
    const answer = await (ofToken === undefined ? service.operator('GET', path) : as(ofToken, 'GET', path));
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data as { action: string; target: string; targetName: string | null }[];
  };
  const actions = async (query: Record<string, string>, ofToken?: string) =>
    (await found(query, ofToken))
      .map(({ action }) => action)
      .filter((action) => !action.endsWith('.create') || action.startsWith('privacy'));

  for (const name of ['search', 'target'] as const) {
    for (const text of [trackingReference, 'طلب-987', 'طلب-٩٨٧'])
      assert.deepEqual(await actions({ [name]: text }), visitOnly, `${name} ${text}`);
    for (const text of ['نانا', 'نانا سامى', phone, '0559876543', '٠٥٥٩٨٧٦٥٤٣'])
      assert.deepEqual((await actions({ [name]: text })).sort(), hers.toSorted(), `${name} ${text}`);
    assert.deepEqual(await actions({ [name]: 'west ١٧' }), both, `${name} of a team`);
    assert.deepEqual(await actions({ [name]: 'Nobody' }), [], name);
  }
  assert.deepEqual(await actions({ target: `booking:${bookingId}` }), visitOnly);
  const partner = (await service.operator('GET', `/partners/${world.partnerId}`)).body.data;
  assert.deepEqual(
    (await actions({ search: partner.name })).sort(),
    [...both, 'booking.cancel', 'contact.update'].sort(),
  );
  for (const name of ['search', 'actor'])
    for (const text of ['هدي', 'هُدى'])
      assert.deepEqual(await actions({ [name]: text }), ['appointment.update'], `${name} ${text}`);
  assert.ok((await actions({ actor: 'First token' })).length >= 5);
  // Of whoever sees phones masked a part of one finds nobody.
  assert.deepEqual(await actions({ search: '9876543' }, viewer.body.data.token), []);
  assert.equal((await actions({ search: '0559876543' }, viewer.body.data.token)).length, hers.length);

  const names = async () =>
    Object.fromEntries(
      (await found({ search: customer.id })).map(({ target, targetName }) => [
        target.split(':')[0],
        targetName,
      ]),
    );
  assert.deepEqual(await names(), {
    contact: 'نانا سامي',
    address: 'نانا سامي',
    'privacy-request': 'نانا سامي',
    appointment: trackingReference,
    booking: trackingReference,
  });
  const [{ id: requestId }] = (await service.operator('GET', '/privacy-requests')).body.data;
  ok(await service.operator('POST', `/privacy-requests/${requestId}/refuse`, { answer: 'By telephone' }));
  ok(await service.operator('POST', `/contacts/${customer.id}/erase`, { reason: 'She asked' }));
  assert.doesNotMatch(JSON.stringify(await found({ search: customer.id })), /نانا/, 'erased is erased');
});

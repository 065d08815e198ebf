import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPartnerKey, createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { makeLink, portal, refused, signIn } from './portal-fixtures.ts';

/** A partner's customers in the portal. */

test("a partner's customers in the portal, by the rights of the session", async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const stranger = await createWorld(service);
  const phone = '+966501234567';
  const { id, addressId } = (await world.contact({ phone })).body.data;
  const { partnerId, key } = world;
  const session = await signIn(service, { link: (await makeLink(service, partnerId)).token });
  const as = (token: string, method: string, path: string, body?: unknown) =>
    portal(service, token, method, path, body);

  const known = (await service.v1(key, 'GET', `/partners/contacts/${id}`)).body.data;
  assert.deepEqual((await as(session, 'GET', `/contacts/${id}`)).body.data, known);
  for (const typed of ['0501234567', '+966501234567', '050 123 4567'])
    assert.deepEqual(
      (await as(session, 'GET', `/contacts?phone=${encodeURIComponent(typed)}`)).body.data,
      [known],
      typed,
    );
  for (const query of ['', '?phone=0509999999'])
    assert.deepEqual((await as(session, 'GET', `/contacts${query}`)).body.data, []);
  const copy = await as(session, 'GET', `/contacts/${id}/export`);
  assert.deepEqual(
    copy.body.data,
    (await service.v1(key, 'GET', `/partners/contacts/${id}/export`)).body.data,
  );

  assert.equal((await as(session, 'PATCH', `/contacts/${id}`, { name: 'Noora' })).body.data.name, 'Noora');
  assert.equal((await as(session, 'PATCH', `/addresses/${addressId}`, { unit: '14' })).body.data.unit, '14');

  const changes = [
    ['PATCH', `/contacts/${id}`, { name: 'X' }],
    ['PATCH', `/addresses/${addressId}`, { unit: 'X' }],
    ['POST', `/contacts/${id}/erase`, { reason: 'She asked for it' }],
  ] as const;
  const reads = ['/contacts?phone=0501234567', `/contacts/${id}`, `/contacts/${id}/export`];

  // Another partner's session.
  const others = await signIn(service, { key: stranger.key });
  assert.deepEqual((await as(others, 'GET', reads[0]!)).body.data, []);
  for (const path of reads.slice(1)) refused(await as(others, 'GET', path), 404, 'RESOURCE_NOT_FOUND');
  for (const [method, path, body] of changes)
    refused(await as(others, method, path, body), 404, 'RESOURCE_NOT_FOUND');

  const readOnly = await makeLink(service, partnerId, { readOnly: true });
  const reader = await signIn(service, { link: readOnly.token });
  for (const path of reads) assert.equal((await as(reader, 'GET', path)).status, 200, path);
  for (const [method, path, body] of changes)
    refused(await as(reader, method, path, body), 403, 'FORBIDDEN', { check: 'read-only' });

  const weak = await createPartnerKey(service, partnerId, ['partner_bookings_read']);
  const weaker = await signIn(service, { key: weak.key });
  for (const path of reads) refused(await as(weaker, 'GET', path), 403, 'FORBIDDEN', { check: 'permission' });
  for (const [method, path, body] of changes)
    refused(await as(weaker, method, path, body), 403, 'FORBIDDEN', { check: 'permission' });

  const erased = await as(session, 'POST', `/contacts/${id}/erase`, { reason: 'She asked for it' });
  assert.equal(erased.status, 200, erased.text);
  refused(await as(session, 'GET', `/contacts/${id}`), 404, 'RESOURCE_NOT_FOUND');
  assert.deepEqual((await as(session, 'GET', reads[0]!)).body.data, []);
});

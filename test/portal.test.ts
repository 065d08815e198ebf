import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitOf, refusedBy, type SessionColumns } from '../src/portal/rules.ts';
import { createPartner, createPartnerKey, createWorld } from './fixtures.ts';
import { OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';
import { makeLink, portal, refused, signIn } from './portal-fixtures.ts';

/** The portal's sessions and the links that open them. */

const HOUR = 3_600_000;

const me = async (service: TestService, token: string) => {
  const answer = await portal(service, token, 'GET', '/me');
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

test('a link signs in once, for 8 hours, also with simultaneous tries', async (t) => {
  const service = await startTestService(t);
  const { partnerId } = await createPartner(service);
  const { token, ...link } = await makeLink(service, partnerId);
  assert.match(token, /^pbs_link_[\w-]{43}$/);
  assert.deepEqual(link, {
    id: link.id,
    partnerId,
    status: 'ACTIVE',
    readOnly: false,
    createdBy: 'operator:first-token',
    expiresAt: '2026-11-23T08:00:00+03:00',
    usedAt: null,
    revokedAt: null,
    createdAt: '2026-11-22T08:00:00+03:00',
  });

  const both = await Promise.all(
    [1, 2].map(() => portal(service, null, 'POST', '/sessions', { link: token })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 401]);
  const { data } = both.find(({ status }) => status === 201)!.body;
  assert.equal(data.expiresAt, '2026-11-22T16:00:00+03:00');
  refused(await portal(service, null, 'POST', '/sessions', { link: token }), 401, 'UNAUTHORIZED', {
    check: 'link',
  });

  const who = await me(service, data.token);
  assert.equal(who.partnerId, partnerId);
  assert.deepEqual([who.keyId, who.readOnly, who.limit, who.permissions.length], [null, false, null, 12]);
  service.clock.advance(8 * HOUR - 1);
  await me(service, data.token);
  service.clock.advance(1);
  refused(await portal(service, data.token, 'GET', '/me'), 401, 'UNAUTHORIZED', { check: 'session' });

  const listed = (await service.operator('GET', `/partners/${partnerId}/portal-links`)).body;
  assert.deepEqual(
    listed.data.map(({ id, status }: { id: string; status: string }) => [id, status]),
    [[link.id, 'USED']],
  );
  // The plain text is stored nowhere.
  const stored = await service.deps.db.rows({
    text: `select to_jsonb(l)::text from portal_links l union all select to_jsonb(s)::text from portal_sessions s
      union all select to_jsonb(a)::text from audit_log a`,
  });
  for (const secret of [token, data.token]) {
    assert.ok(!JSON.stringify(stored).includes(secret));
    assert.ok(!service.logged().includes(secret));
  }
});

test('an expired or revoked link is refused; revoking one ends its session', async (t) => {
  const service = await startTestService(t);
  const { partnerId } = await createPartner(service);
  const brief = await makeLink(service, partnerId, { expiresInSeconds: 60 });
  service.clock.advance(60_000);
  refused(await portal(service, null, 'POST', '/sessions', { link: brief.token }), 401, 'UNAUTHORIZED');
  const revoke = (id: string) => service.operator('DELETE', `/portal-links/${id}`);
  refused(await revoke(brief.id), 422, 'INVALID_TRANSITION');

  const unused = await makeLink(service, partnerId);
  const revoked = await revoke(unused.id);
  assert.deepEqual([revoked.status, revoked.body.data.status], [200, 'REVOKED']);
  assert.deepEqual((await revoke(unused.id)).body.data, revoked.body.data);
  refused(await portal(service, null, 'POST', '/sessions', { link: unused.token }), 401, 'UNAUTHORIZED');

  const used = await makeLink(service, partnerId, { readOnly: true });
  const session = await signIn(service, { link: used.token });
  assert.equal((await me(service, session)).readOnly, true);
  assert.equal((await revoke(used.id)).body.data.status, 'REVOKED');
  refused(await portal(service, session, 'GET', '/me'), 401, 'UNAUTHORIZED');

  refused(
    await service.operator('POST', `/partners/${unused.id}/portal-links`, {}),
    404,
    'RESOURCE_NOT_FOUND',
  );
  const bad = await service.operator('POST', `/partners/${partnerId}/portal-links`, { expiresInSeconds: 59 });
  refused(bad, 400, 'VALIDATION_ERROR');
  const audit = await service.deps.db.rows({
    text: `select action, target from audit_log where action like 'portal-link.%' order by position`,
  });
  assert.deepEqual(audit, [
    { action: 'portal-link.create', target: `portal-link:${brief.id}` },
    { action: 'portal-link.create', target: `portal-link:${unused.id}` },
    { action: 'portal-link.revoke', target: `portal-link:${unused.id}` },
    { action: 'portal-link.create', target: `portal-link:${used.id}` },
    { action: 'portal-link.revoke', target: `portal-link:${used.id}` },
  ]);
});

test("a key's session has its permissions, and follows changes of the key", async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 1_000 });
  const world = await createWorld(service);
  const permissions = ['partner_bookings_read' as const];
  const { key, keyId } = await createPartnerKey(service, world.partnerId, permissions);
  const session = await signIn(service, { key });
  const who = await me(service, session);
  assert.deepEqual([who.keyId, who.permissions, who.limit], [keyId, permissions, null]);
  // Neither its rate limit nor its last use is touched.
  const used = await service.deps.db.first<{ used: unknown }>({
    text: 'select last_used_at as used from api_keys where id = $1',
    values: [keyId],
  });
  assert.equal(used!.used, null);

  const limitNow = async () => (await me(service, session)).limit;
  const patch = (body: unknown) => service.operator('PATCH', `/keys/${keyId}`, body);
  await patch({ ipAllowlist: ['203.0.113.7'] });
  assert.equal(await limitNow(), 'ADDRESS_NOT_ALLOWED');
  await patch({ ipAllowlist: ['127.0.0.0/8'] });
  assert.equal(await limitNow(), null);
  await patch({ permissions: ['partner_pricing_read'] });
  assert.deepEqual((await me(service, session)).permissions, ['partner_pricing_read']);
  await patch({ expiresAt: '2026-11-22T09:00:00+03:00' });
  service.clock.advance(HOUR);
  assert.equal(await limitNow(), 'KEY_EXPIRED');
  await patch({ expiresAt: null });
  await service.operator('PATCH', `/partners/${world.partnerId}`, { status: 'SUSPENDED' });
  assert.equal(await limitNow(), 'PARTNER_SUSPENDED');
  await service.operator('PATCH', `/partners/${world.partnerId}`, { status: 'ACTIVE' });

  const rotated = await service.operator('POST', `/keys/${keyId}/rotate`, { overlapMinutes: 60 });
  assert.equal(await limitNow(), null);
  service.clock.advance(HOUR);
  assert.equal(await limitNow(), 'KEY_REPLACED');
  assert.equal((await me(service, await signIn(service, { key }))).limit, 'KEY_REPLACED');
  const fresh = await signIn(service, { key: rotated.body.data.key });
  assert.equal((await me(service, fresh)).limit, null);
  await patch({ status: 'REVOKED' });
  const revoked = await me(service, await signIn(service, { key: rotated.body.data.key }));
  assert.deepEqual([revoked.limit, revoked.permissions], ['KEY_REVOKED', []]);
  refused(await service.v1(rotated.body.data.key, 'GET', '/partners/events'), 401, 'UNAUTHORIZED');

  assert.equal((await portal(service, session, 'DELETE', '/session')).status, 200);
  refused(await portal(service, session, 'GET', '/me'), 401, 'UNAUTHORIZED');
});

test('nothing else signs in, and tries are limited by address', async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 6 });
  const { partnerId, key } = await createPartner(service);
  const link = await makeLink(service, partnerId);
  const tries = [{ link: 'x' }, { key: 'x' }, { key: `${key.slice(0, -1)}!` }, { key: OPERATOR_TOKEN }];
  for (const body of tries)
    refused(await portal(service, null, 'POST', '/sessions', body), 401, 'UNAUTHORIZED');
  for (const token of [null, OPERATOR_TOKEN])
    refused(await portal(service, token, 'GET', '/me'), 401, 'UNAUTHORIZED', { check: 'session' });
  const tooMany = await portal(service, null, 'POST', '/sessions', { link: 'x' });
  refused(tooMany, 429, 'RATE_LIMIT_EXCEEDED', { check: 'failed-authentications' });
  // Neither is a link nor a key a session, nor vice versa; valid credentials still work.
  const session = await signIn(service, { key });
  for (const body of [{}, { link: link.token, key }]) {
    const answer = await portal(service, null, 'POST', '/sessions', body);
    refused(answer, 400, 'VALIDATION_ERROR');
    assert.deepEqual(answer.body.error.details.message, ['either link or key must be sent']);
  }
  refused(await portal(service, session, 'GET', '/nowhere'), 404, 'RESOURCE_NOT_FOUND');
  refused(await portal(service, session, 'POST', '/nowhere', {}), 404, 'RESOURCE_NOT_FOUND');
  service.clock.advance(60_001);
  refused(await portal(service, key, 'GET', '/me'), 401, 'UNAUTHORIZED');
  refused(await service.v1(session, 'GET', '/partners/events'), 401, 'UNAUTHORIZED');
});

test('a page at every path of the partners’ listener, with a strict policy, and none below its API', async (t) => {
  const service = await startTestService(t, { env: { OPERATOR_PORT: '0' } });
  const first = await fetch(`${service.url}/portal`);
  assert.equal(first.status, 200);
  assert.match(
    first.headers.get('content-security-policy')!,
    /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;/,
  );
  assert.equal(first.headers.get('referrer-policy'), 'no-referrer');
  const page = await first.text();
  assert.match(page, /<html lang="en" data-base="\/portal" data-deployment="sandbox">/);
  assert.equal(await (await fetch(`${service.url}/portal/requests/1-2?x=y`)).text(), page);
  const script = /<script type="module" src="(\/portal\/assets\/portal-[A-Z0-9]+\.js)">/.exec(page)![1]!;
  const file = await fetch(service.url + script);
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  // Partners are sent nothing of the operator's interface.
  const names = [
    script,
    ...[...page.matchAll(/href="(\/portal\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!),
  ];
  for (const name of names) {
    const text = await (await fetch(service.url + name)).text();
    assert.doesNotMatch(text, /\/reassignments|createPartner|\/operator/, name);
  }
  for (const path of ['/portal/api', '/portal/api/nowhere']) {
    const answer = await fetch(service.url + path);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8', path);
  }
  assert.equal((await fetch(`${service.operatorUrl}/portal`)).status, 404);
});

test('permissions of a session', () => {
  const good: SessionColumns = {
    partner_status: 'ACTIVE',
    key_id: 'k',
    key_status: 'ACTIVE',
    key_expires_at: null,
    previous_expires_at: null,
    is_current: true,
    is_previous: false,
    ip_allowlist: [],
  };
  const limit = (change: Partial<SessionColumns>) => limitOf({ ...good, ...change }, '192.0.2.1', 1_000);
  assert.equal(limit({}), null);
  assert.equal(limit({ key_expires_at: 1_001 }), null);
  assert.equal(limit({ key_expires_at: 1_000 }), 'KEY_EXPIRED');
  const old = { is_current: false, is_previous: true };
  assert.equal(limit({ ...old, previous_expires_at: 1_001 }), null);
  assert.equal(limit({ ...old, previous_expires_at: 1_000 }), 'KEY_REPLACED');
  assert.equal(limit({ is_current: false, is_previous: null }), 'KEY_REPLACED');
  assert.equal(limit({ ip_allowlist: ['192.0.2.0/24'] }), null);
  assert.equal(limit({ ip_allowlist: ['192.0.3.0/24'] }), 'ADDRESS_NOT_ALLOWED');
  assert.equal(limit({ key_status: 'REVOKED', ip_allowlist: ['192.0.3.0/24'] }), 'KEY_REVOKED');
  assert.equal(limit({ key_id: null, key_status: null, ip_allowlist: null }), null);
  assert.equal(limit({ key_id: null, partner_status: 'SUSPENDED' }), 'PARTNER_SUSPENDED');

  const all = { limit: null, readOnly: false, permissions: new Set(['partner_bookings_read' as const]) };
  assert.equal(refusedBy(all, 'change', 'partner_bookings_read'), null);
  assert.equal(refusedBy(all, 'read', 'partner_webhooks_manage'), 'permission');
  assert.equal(refusedBy({ ...all, readOnly: true }, 'change', undefined), 'read-only');
  assert.equal(refusedBy({ ...all, readOnly: true }, 'read', undefined), null);
  assert.equal(refusedBy({ ...all, limit: 'KEY_EXPIRED' }, 'read', undefined), 'session');
  assert.equal(refusedBy({ ...all, limit: 'KEY_EXPIRED' }, 'any', undefined), null);
});

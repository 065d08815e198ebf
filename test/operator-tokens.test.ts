import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { buildApp } from '../src/app.ts';
import { ROLES, type Role } from '../src/operator/roles.ts';
import { createTokenBook } from '../src/operator/tokens.ts';
import type { Db } from '../src/platform/db.ts';
import { createPartner } from './fixtures.ts';
import {
  type Answer,
  afterwards,
  call,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onPostgres,
  startTestService,
  type TestService,
} from './harness.ts';

async function make(service: TestService, role: Role, name = `The ${role}`) {
  const answer = await service.operator('POST', '/tokens', { name, role });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

/** Calls `/operator` with this token. */
function as(
  service: TestService,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return call(`${service.operatorUrl}/operator`, method, path, body, { authorization: `Bearer ${token}` });
}

function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.error.code, code);
}

type Route = { method: string; url: string; role: Role | undefined };

/** Every operator route there is, with the role in force. */
async function operatorRoutesOf(t: TestContext, service: TestService): Promise<Route[]> {
  const app = buildApp(service.deps, ['operator']);
  t.after(() => app.close());
  const found: { method: unknown; url: string; config?: { role?: Role } }[] = [];
  app.addHook('onRoute', (route) => void found.push(route));
  await app.ready();
  return found
    .filter(({ url }) => url.startsWith('/operator/'))
    .map(({ method, url, config }) => ({ method: String(method), url, role: config?.role }));
}

test('every route has a role, and opens for exactly those who have it', async (t) => {
  // With a clock of its own, so that the routes of the sandbox are there.
  const service = await startTestService(t, { sandboxClock: true });
  const routes = await operatorRoutesOf(t, service);
  const names = routes.map(({ method, url }) => `${method} ${url}`);
  for (const known of [
    'GET /operator/partners',
    'DELETE /operator/tokens/:id',
    'POST /operator/clock/advance',
  ])
    assert.ok(names.includes(known), known);

  const tokens = new Map<Role, string>();
  for (const role of ROLES) tokens.set(role, (await make(service, role)).token);
  for (const { method, url, role } of routes) {
    const name = `${method} ${url}`;
    assert.ok(role !== undefined && ROLES.includes(role), `${name}: ${role}`);
    if (url.startsWith('/operator/tokens')) assert.equal(role, 'admin', name);
    else if (method === 'GET') assert.equal(role, 'viewer', name);
    else assert.notEqual(role, 'viewer', name);

    const path = url.replace('/operator', '').replaceAll(/:\w+/g, randomUUID());
    for (const [holder, token] of tokens) {
      const answer = await as(service, token, method, path);
      if (ROLES.indexOf(holder) < ROLES.indexOf(role)) refused(answer, 403, 'FORBIDDEN');
      else assert.ok(![401, 403, 500].includes(answer.status), `${name} as ${holder}: ${answer.text}`);
    }
    refused(await as(service, 'wrong', method, path), 401, 'UNAUTHORIZED');
  }
});

test('what a role may not do is not done', async (t) => {
  const service = await startTestService(t);
  for (const role of ['viewer', 'dispatcher'] as const) {
    const { token } = await make(service, role);
    refused(await as(service, token, 'POST', '/partners', { name: role }), 403, 'FORBIDDEN');
    refused(await as(service, token, 'POST', '/tokens', { name: 'More', role: 'admin' }), 403, 'FORBIDDEN');
    refused(await as(service, token, 'GET', '/tokens'), 403, 'FORBIDDEN');
    assert.equal((await as(service, token, 'GET', '/partners')).status, 200);
  }
  assert.equal((await service.operator('GET', '/partners')).body.meta.total, 0);
  assert.equal((await service.operator('GET', '/tokens')).body.meta.total, 2);

  const { id, token } = await make(service, 'admin');
  const partner = await as(service, token, 'POST', '/partners', { name: 'By an admin' });
  assert.equal(partner.status, 201, partner.text);
  const audit = await service.deps.db.first<{ actor: string }>({
    text: 'select actor from audit_log where target = $1',
    values: [`partner:${partner.body.data.id}`],
  });
  assert.equal(audit?.actor, `operator-token:${id}`);
});

test('unknown routes are told to every holder of a token, and to nobody else', async (t) => {
  const service = await startTestService(t);
  const { key } = await createPartner(service);
  for (const role of ROLES) {
    const { token } = await make(service, role);
    for (const method of ['GET', 'POST'])
      refused(await as(service, token, method, '/nowhere'), 404, 'RESOURCE_NOT_FOUND');
    refused(await service.v1(token, 'GET', '/partners/pricing/tiers'), 401, 'UNAUTHORIZED');
  }
  const { token } = await make(service, 'admin');
  const unknown = `pbs_operator_${'x'.repeat(43)}`;
  for (const wrong of ['wrong', unknown, key, `${token}x`, token.slice(0, -1)])
    refused(await as(service, wrong, 'GET', '/nowhere'), 401, 'UNAUTHORIZED');
  refused(await call(`${service.operatorUrl}/operator`, 'GET', '/nowhere'), 401, 'UNAUTHORIZED');
});

test('a token is shown once, listed without its secret, renamed, revoked and removed', async (t) => {
  const service = await startTestService(t);
  const { token, ...created } = await make(service, 'dispatcher', '  Dispatch desk ');
  assert.match(token, /^pbs_operator_[\w-]{43}$/);
  const { id } = created;
  assert.deepEqual(created, {
    id,
    name: 'Dispatch desk',
    role: 'dispatcher',
    status: 'ACTIVE',
    prefix: token.slice(0, 17),
    last4: token.slice(-4),
    lastUsedAt: null,
    createdAt: '2026-11-22T08:00:00+03:00',
    updatedAt: '2026-11-22T08:00:00+03:00',
  });

  service.clock.advance(1_000);
  const patch = (body: unknown) => service.operator('PATCH', `/tokens/${id.toUpperCase()}`, body);
  assert.deepEqual((await patch({})).body.data, created);
  assert.deepEqual((await patch({ name: 'Dispatch desk ', status: 'ACTIVE' })).body.data, created);
  const renamed = (await patch({ name: 'Night desk' })).body.data;
  assert.deepEqual(renamed, { ...created, name: 'Night desk', updatedAt: '2026-11-22T08:00:01+03:00' });
  const revoked = (await patch({ status: 'REVOKED' })).body.data;
  assert.deepEqual(revoked, { ...renamed, status: 'REVOKED' });
  refused(await patch({ status: 'ACTIVE' }), 422, 'INVALID_TRANSITION');
  assert.deepEqual((await patch({ status: 'REVOKED' })).body.data, revoked);

  const bad = await service.operator('POST', '/tokens', { role: 'root', status: 'ACTIVE' });
  assert.equal(bad.status, 400, bad.text);
  assert.deepEqual(bad.body.error.details.message, [
    'name should not be empty',
    'property status should not exist',
    'role must be one of the following values: admin, dispatcher, viewer',
  ]);
  assert.deepEqual((await patch({ role: 'admin' })).body.error.details.message, [
    'property role should not exist',
  ]);

  const kept = await make(service, 'viewer', 'Wall screen');
  const names = async (query: string) =>
    (await service.operator('GET', `/tokens${query}`)).body.data.map((row: { name: string }) => row.name);
  service.clock.advance(1_000);
  await make(service, 'viewer', 'Newest');
  assert.deepEqual((await names('')).sort(), ['Newest', 'Night desk', 'Wall screen']);
  assert.equal((await names(''))[0], 'Newest');
  assert.deepEqual(await names('?search=NIGHT'), ['Night desk']);
  assert.deepEqual(await names('?role=viewer&limit=1'), ['Newest']);
  assert.deepEqual(await names('?status=REVOKED'), ['Night desk']);
  const list = await service.operator('GET', '/tokens');
  assert.doesNotMatch(list.text, new RegExp(`${token}|${kept.token}|hash`));

  const removed = await service.operator('DELETE', `/tokens/${id}`);
  assert.deepEqual([removed.status, removed.body.data], [200, { id, removed: true }]);
  assert.equal((await service.operator('DELETE', `/tokens/${id}`)).status, 404);
  assert.equal((await patch({ name: 'x' })).status, 404);

  const audit = await service.deps.db.rows({
    text: 'select action, before, after from audit_log where target = $1 order by position',
    values: [`token:${id}`],
  });
  assert.deepEqual(audit, [
    { action: 'token.create', before: null, after: created },
    { action: 'token.update', before: created, after: renamed },
    { action: 'token.update', before: renamed, after: revoked },
    { action: 'token.delete', before: revoked, after: null },
  ]);
  // Nowhere is what was shown once.
  const stored = await service.deps.db.rows({ text: 'select to_jsonb(t)::text from operator_tokens t' });
  assert.doesNotMatch(JSON.stringify(stored), new RegExp(kept.token));
  assert.doesNotMatch(service.logged(), new RegExp(kept.token));
});

test('a token stops at once when it is revoked or removed', async (t) => {
  const service = await startTestService(t);
  for (const stop of [
    (id: string) => service.operator('PATCH', `/tokens/${id}`, { status: 'REVOKED' }),
    (id: string) => service.operator('DELETE', `/tokens/${id}`),
  ]) {
    const { id, token } = await make(service, 'viewer');
    assert.equal((await as(service, token, 'GET', '/partners')).status, 200);
    assert.equal((await stop(id)).status, 200);
    refused(await as(service, token, 'GET', '/partners'), 401, 'UNAUTHORIZED');
  }
});

test('a token stops in the other processes within a second', { skip: !onPostgres }, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const first = await startTestService(t, { databaseUrl });
  const second = await startTestService(t, { databaseUrl });
  const { id, token } = await make(first, 'viewer');
  assert.equal((await as(second, token, 'GET', '/partners')).status, 200);
  const began = performance.now();
  await first.operator('PATCH', `/tokens/${id}`, { status: 'REVOKED' });
  while ((await as(second, token, 'GET', '/partners')).status === 200)
    assert.ok(performance.now() - began < 1_000, 'it still works');
});

test('tokens are remembered for one version, and never while the version is unknown', async (t) => {
  const service = await startTestService(t);
  const { token } = await make(service, 'viewer');
  const { db, versions } = service.deps;
  let asked = 0;
  const counting: Db = {
    ...db,
    first: (statement) => {
      asked++;
      return db.first(statement);
    },
  };
  let version: number | null = 1;
  const book = createTokenBook(
    counting,
    { ...versions, current: () => version },
    OPERATOR_TOKEN,
    assert.fail,
  );
  afterwards(t, () => book.close());
  const askedFor = async (presented: string): Promise<number> => {
    asked = 0;
    for (let time = 0; time < 3; time++) await book.find(presented, service.clock.now());
    return asked;
  };
  assert.equal(await askedFor(token), 1);
  assert.equal(await askedFor(token), 0);
  version = 2;
  assert.equal(await askedFor(token), 1);
  version = null;
  assert.equal(await askedFor(token), 3);
  version = 2;
  assert.equal(await askedFor(token), 1);
  // Also that a token is unknown; and what cannot be one is never asked for.
  assert.equal(await askedFor(`pbs_operator_${'x'.repeat(43)}`), 1);
  assert.equal(await askedFor('x'.repeat(56)), 0);
  assert.equal(await askedFor(OPERATOR_TOKEN), 0);
});

test('when a token was last used is written, and only moves forward', async (t) => {
  const service = await startTestService(t);
  const { id, token } = await make(service, 'viewer');
  const { db, versions } = service.deps;
  const now = service.clock.now();
  for (const at of [now + 60_000, now]) {
    const book = createTokenBook(db, versions, OPERATOR_TOKEN, assert.fail);
    assert.equal((await book.find(token, at))?.role, 'viewer');
    await book.close();
    const [row] = (await service.operator('GET', '/tokens')).body.data;
    assert.deepEqual([row.id, row.lastUsedAt], [id, '2026-11-22T08:01:00+03:00']);
  }
});

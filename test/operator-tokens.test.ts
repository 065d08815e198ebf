import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Db } from '../src/db/connection.ts';
import { isRead } from '../src/http/methods.ts';
import { ROLES, type Role } from '../src/operator/roles.ts';
import { createTokenCache } from '../src/operator/tokens.ts';
import { buildApp } from '../src/program/app.ts';
import { createPartner } from './fixtures.ts';
import {
  type Answer,
  afterwards,
  alsoOnServer,
  call,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onPostgres,
  onServer,
  startTestService,
  type TestService,
} from './harness.ts';
import { until } from './until.ts';

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

/** What viewers may do beside reading. */
const OPEN_TO_VIEWERS = [
  '/operator/sessions/:id',
  '/operator/contacts/:id/reveal',
  '/operator/teams/:id/reveal',
];

type Route = { method: string; url: string; role: Role | undefined };

/** Every operator route there is, with the role in force. */
async function operatorRoutesOf(t: TestContext, service: TestService): Promise<Route[]> {
  const app = buildApp(service.deps, ['operator']);
  t.after(() => app.close());
  const found: { method: unknown; url: string; config?: { role?: Role; isSignIn?: true } }[] = [];
  app.addHook('onRoute', (route) => void found.push(route));
  await app.ready();
  return found
    .filter(({ url, config }) => url.startsWith('/operator/') && !config?.isSignIn)
    .map(({ method, url, config }) => ({ method: String(method), url, role: config?.role }));
}

test('every route has a role, and is open for exactly the roles that include it', async (t) => {
  // With a sandbox's clock, so that its routes exist.
  const service = await startTestService(t, { sandboxClock: true, maxAuthFailures: 1000 });
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
    // They have the numbers of customers who asked for something.
    else if (isRead(method) && url.startsWith('/operator/privacy-requests/:id'))
      assert.equal(role, 'dispatcher', name);
    // A copy of a customer's data has her phone.
    else if (url === '/operator/contacts/:id/export') assert.equal(role, 'dispatcher', name);
    else if (isRead(method)) assert.equal(role, 'viewer', name);
    // Everybody may sign out, and ask for a phone.
    else assert.equal(role === 'viewer', OPEN_TO_VIEWERS.includes(url), name);

    const path = url.replace('/operator', '').replaceAll(/:\w+/g, randomUUID());
    const refuses = (answer: Answer, status: number, code: string): void =>
      method === 'HEAD' ? assert.equal(answer.status, status, name) : refused(answer, status, code);
    for (const [holder, token] of tokens) {
      const answer = await as(service, token, method, path);
      if (ROLES.indexOf(holder) < ROLES.indexOf(role)) refuses(answer, 403, 'FORBIDDEN');
      else assert.ok(![401, 403, 500].includes(answer.status), `${name} as ${holder}: ${answer.text}`);
    }
    refuses(await as(service, 'wrong', method, path), 401, 'UNAUTHORIZED');
  }
});

test('a forbidden request changes nothing', async (t) => {
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

test('unknown routes are 404 for every token, and not for others', async (t) => {
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
    isPerson: false,
    status: 'ACTIVE',
    prefix: token.slice(0, 17),
    last4: token.slice(-4),
    expiresAt: null,
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
  assert.deepEqual((await patch({ role: 'root' })).body.error.details.message, [
    'role must be one of the following values: admin, dispatcher, viewer',
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
  // The plain text is stored nowhere.
  const stored = await service.deps.db.rows({ text: 'select to_jsonb(t)::text from operator_tokens t' });
  assert.doesNotMatch(JSON.stringify(stored), new RegExp(kept.token));
  assert.doesNotMatch(service.logged(), new RegExp(kept.token));
});

test('a revoked or removed token stops at once', async (t) => {
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

test('a token stops in the other processes too', onServer('needs several connections'), async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const first = await startTestService(t, { databaseUrl });
  const second = await startTestService(t, { databaseUrl });
  const { id, token } = await make(first, 'viewer');
  assert.equal((await as(second, token, 'GET', '/partners')).status, 200);
  await first.operator('PATCH', `/tokens/${id}`, { status: 'REVOKED' });
  await until(async () => (await as(second, token, 'GET', '/partners')).status === 401);
});

test('tokens are cached for one version, and never while the version is unknown', async (t) => {
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
  const book = createTokenCache(
    counting,
    { ...versions, current: () => version },
    [OPERATOR_TOKEN],
    assert.fail,
  );
  afterwards(t, () => book.close());
  const askedFor = async (presented: string): Promise<number> => {
    asked = 0;
    for (let time = 0; time < 3; time++) await book.find(presented, service.clock.now());
    return asked;
  };
  // At each new version: which tokens there are, and this one.
  assert.equal(await askedFor(token), 2);
  assert.equal(await askedFor(token), 0);
  version = 2;
  assert.equal(await askedFor(token), 2);
  version = null;
  assert.equal(await askedFor(token), 3);
  version = 2;
  // For an unknown token, only the counter.
  assert.equal(await askedFor(`pbs_operator_${'x'.repeat(43)}`), 1);
  assert.equal(await askedFor(`pbs_operator_${'y'.repeat(43)}`), 0);
  assert.equal(await askedFor('x'.repeat(56)), 0);
  assert.equal(await askedFor(OPERATOR_TOKEN), 0);
  assert.equal(await askedFor(token), 1);
});

test('the last use of a token is stored, and only moves forward', async (t) => {
  const service = await startTestService(t);
  const { id, token } = await make(service, 'viewer');
  const { db, versions } = service.deps;
  const now = service.clock.now();
  for (const at of [now + 60_000, now]) {
    const book = createTokenCache(db, versions, [OPERATOR_TOKEN], assert.fail);
    assert.equal((await book.find(token, at))?.role, 'viewer');
    await book.close();
    const [row] = (await service.operator('GET', '/tokens')).body.data;
    assert.deepEqual([row.id, row.lastUsedAt], [id, '2026-11-22T08:01:00+03:00']);
  }
});

/** The first response that is not a 401. */
const opened = (read: () => Promise<Answer>): Promise<Answer> =>
  until(async () => {
    const answer = await read();
    return answer.status !== 401 && answer;
  });

test('a token that was unknown works at once after its creation', alsoOnServer, async (t) => {
  // However often a fast machine requests within the interval: each 401 counts as a guess.
  const service = await startTestService(t, { maxAuthFailures: 1_000_000 });
  const other = await startTestService(t, {
    ...(onPostgres && { databaseUrl: service.deps.config.databaseUrl! }),
  });
  const maker = onPostgres ? other : service;
  for (let time = 0; time < 3; time++) {
    refused(await as(service, `pbs_operator_${'x'.repeat(43)}`, 'GET', '/partners'), 401, 'UNAUTHORIZED');
    const { id, token } = await make(maker, 'viewer');
    // Another process reads the counter at most once per interval.
    const read = () => as(service, token, 'GET', '/partners');
    const answer = maker === service ? await read() : await opened(read);
    assert.equal(answer.status, 200, answer.text);
    await service.operator('PATCH', `/tokens/${id}`, { status: 'REVOKED' });
    refused(await as(service, token, 'GET', '/partners'), 401, 'UNAUTHORIZED');
  }
});

test('guesses of tokens are limited by address, those of /metrics with them; valid tokens are not', async (t) => {
  const METRICS_TOKEN = 'token-of-prometheus-in-tests';
  const service = await startTestService(t, {
    env: { TRUSTED_PROXIES: '127.0.0.1', METRICS_TOKEN },
    maxAuthFailures: 6,
  });
  const { token } = await make(service, 'viewer');
  const ask = (path: string, presented: string | null, address = '203.0.113.7') =>
    call(service.url, 'GET', path, undefined, {
      'x-forwarded-for': address,
      ...(presented !== null && { authorization: `Bearer ${presented}` }),
    });
  for (const presented of ['wrong', null, `pbs_operator_${'x'.repeat(43)}`]) {
    refused(await ask('/operator/partners', presented), 401, 'UNAUTHORIZED');
    refused(await ask('/metrics', presented), 401, 'UNAUTHORIZED');
  }
  for (const path of ['/operator/partners', '/operator/nowhere', '/metrics', '/v1/partners/pricing/tiers']) {
    const answer = await ask(path, 'wrong');
    refused(answer, 429, 'RATE_LIMIT_EXCEEDED');
    assert.equal(answer.headers.get('retry-after'), '60', path);
    const { check, limit, window, retryAfter } = answer.body.error.details;
    assert.deepEqual([check, limit, window, retryAfter], ['failed-authentications', 6, 60, 60], path);
    refused(await ask(path, 'wrong', '203.0.113.8'), 401, 'UNAUTHORIZED');
  }
  assert.equal((await ask('/operator/partners', token)).status, 200);
  assert.equal((await ask('/metrics', METRICS_TOKEN)).status, 200);
  service.clock.advance(60_000);
  refused(await ask('/operator/partners', 'wrong'), 401, 'UNAUTHORIZED');
});

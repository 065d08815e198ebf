import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserOf } from '../src/http/browsers.ts';
import { type Answer, call, OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';
import { until } from './until.ts';

/** Sessions of the console. */

const HOUR = 3_600_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const PIN = '407193';

type Headers = Record<string, string>;

const at = (service: TestService, method: string, path: string, headers: Headers, body?: unknown) =>
  call(`${service.operatorUrl!}/operator`, method, path, body, headers);

const cookieOf = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';')[0]!;

/** The cookie of a new session. */
async function signIn(service: TestService, body: unknown, headers: Headers = {}): Promise<string> {
  const answer = await at(service, 'POST', '/sessions', { 'user-agent': FIREFOX, ...headers }, body);
  assert.equal(answer.status, 201, answer.text);
  return cookieOf(answer);
}

/** Calls as a page of the console does. */
const page = (service: TestService, cookie: string, method: string, path: string, body?: unknown) =>
  at(service, method, path, { cookie, origin: service.operatorUrl!, 'sec-fetch-site': 'same-origin' }, body);

async function makeToken(service: TestService, body: object = {}) {
  const answer = await service.operator('POST', '/tokens', { name: 'Noura', role: 'dispatcher', ...body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data as { id: string; token: string; expiresAt: string | null };
}

async function makeLink(service: TestService, tokenId: string): Promise<string> {
  const answer = await service.operator('POST', `/tokens/${tokenId}/sign-in-links`);
  assert.equal(answer.status, 201, answer.text);
  return /^\/console#link=(pbs_signin_[\w-]{43})$/.exec(answer.body.data.url)![1]!;
}

function refused(answer: Answer, status: number, details: object = {}): void {
  assert.equal(answer.status, status, answer.text);
  for (const [name, value] of Object.entries(details))
    assert.equal(answer.body.error.details[name], value, answer.text);
}

test('a token opens a session of 14 hours, whose cookie no script reads and no other path gets', async (t) => {
  const service = await startTestService(t);
  const { id: tokenId, token } = await makeToken(service);
  const answer = await at(service, 'POST', '/sessions', { 'user-agent': FIREFOX }, { token: ` ${token} ` });
  assert.equal(answer.body.data.expiresAt, '2026-11-22T22:00:00+03:00');
  assert.match(
    answer.headers.get('set-cookie')!,
    /^pbs_console=pbs_console_[\w-]{43}; Path=\/operator; Max-Age=50400; HttpOnly; SameSite=Strict$/,
  );
  assert.doesNotMatch(answer.text, /pbs_console_/);
  const cookie = cookieOf(answer);
  const me = (await page(service, cookie, 'GET', '/me')).body.data;
  assert.deepEqual(
    [me.name, me.role, me.actor, me.session],
    ['Noura', 'dispatcher', `operator-token:${tokenId}`, answer.body.data],
  );
  assert.equal((await service.operator('GET', '/me')).body.data.session, null);
  refused(await page(service, cookie, 'POST', '/partners', { name: 'P' }), 403, { check: 'role' });

  service.clock.advance(14 * HOUR - 1);
  assert.equal((await page(service, cookie, 'GET', '/me')).status, 200);
  service.clock.advance(1);
  refused(await page(service, cookie, 'GET', '/me'), 401, { reason: 'not-valid' });
  // Nothing but hashes is stored or logged.
  const secret = cookie.split('=')[1]!;
  const stored = await service.deps.db.rows({ text: 'select to_jsonb(s)::text from operator_sessions s' });
  assert.doesNotMatch(JSON.stringify(stored) + service.logged(), new RegExp(secret));
});

test('with a public address over TLS the cookie is only sent over TLS', async (t) => {
  const service = await startTestService(t, { env: { PUBLIC_URL: 'https://booking.example.sa' } });
  const answer = await at(service, 'POST', '/sessions', {}, { token: OPERATOR_TOKEN });
  assert.match(answer.headers.get('set-cookie')!, /; Secure$/);
  const behind = await startTestService(t, { env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const overTls = { 'x-forwarded-proto': 'https' };
  const proxied = await at(behind, 'POST', '/sessions', overTls, { token: OPERATOR_TOKEN });
  assert.match(proxied.headers.get('set-cookie')!, /; Secure$/);
});

test('requests of other sites are refused under a cookie, and bearer tokens need no origin', async (t) => {
  const service = await startTestService(t);
  const cookie = await signIn(service, { token: OPERATOR_TOKEN });
  const own = service.operatorUrl!;
  const change = (headers: Headers) =>
    at(service, 'POST', '/partners', { cookie, ...headers }, { name: `P ${Math.random()}` });
  const read = (headers: Headers) => at(service, 'GET', '/partners', { cookie, ...headers });
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: own.replace(/\d+$/, '1') },
    { origin: own, 'sec-fetch-site': 'same-site' },
    { origin: own, 'sec-fetch-site': 'cross-site' },
    { origin: own, 'sec-fetch-site': 'none' },
  ] as Headers[])
    refused(await change(headers), 403, { check: 'origin' });
  assert.equal((await change({ origin: own })).status, 201);
  for (const site of ['cross-site', 'same-site'])
    refused(await read({ 'sec-fetch-site': site }), 403, { check: 'origin' });
  for (const headers of [{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }] as Headers[])
    assert.equal((await read(headers)).status, 200);
  // Nor does another site sign the browser in as somebody else.
  refused(
    await at(service, 'POST', '/sessions', { origin: 'https://evil.example' }, { token: OPERATOR_TOKEN }),
    403,
    { check: 'origin' },
  );
  assert.equal((await service.operator('POST', '/partners', { name: 'By a program' })).status, 201);
});

test('a link opens one session, also when two open it at once, and within 72 hours', async (t) => {
  const service = await startTestService(t);
  const { id } = await makeToken(service);
  const open = (link: string) => at(service, 'POST', '/sessions', {}, { link, pin: PIN });
  const link = await makeLink(service, id);
  const answers = await Promise.all([open(link), open(link)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401]);
  refused(await open(link), 401, { check: 'link' });
  const cookie = cookieOf(answers.find(({ status }) => status === 201)!);
  assert.equal((await page(service, cookie, 'GET', '/me')).body.data.name, 'Noura');

  const replaced = await makeLink(service, id);
  const last = await makeLink(service, id);
  refused(await open(replaced), 401);
  service.clock.advance(72 * HOUR - 1);
  await signIn(service, { link: last, pin: PIN });
  const late = await makeLink(service, id);
  service.clock.advance(72 * HOUR);
  refused(await open(late), 401);

  const ending = await makeLink(service, id);
  await service.operator('PATCH', `/tokens/${id}`, { status: 'REVOKED' });
  refused(await open(ending), 401);
  refused(await service.operator('POST', `/tokens/${id}/sign-in-links`), 422);
  const viewer = await makeToken(service, { role: 'viewer' });
  const headers = { authorization: `Bearer ${viewer.token}` };
  refused(await at(service, 'POST', `/tokens/${viewer.id}/sign-in-links`, headers), 403);
});

test('a token expires at its time, and its sessions with it', async (t) => {
  const service = await startTestService(t);
  const token = await makeToken(service, { expiresAt: '2026-11-22T09:00:00+03:00' });
  assert.equal(token.expiresAt, '2026-11-22T09:00:00+03:00');
  const bearer = () => at(service, 'GET', '/me', { authorization: `Bearer ${token.token}` });
  const cookie = await signIn(service, { token: token.token });
  const me = (await page(service, cookie, 'GET', '/me')).body.data;
  assert.equal(me.session.expiresAt, '2026-11-22T09:00:00+03:00');
  service.clock.advance(HOUR - 1);
  assert.equal((await bearer()).status, 200);
  service.clock.advance(1);
  refused(await bearer(), 401);
  refused(await page(service, cookie, 'GET', '/me'), 401);
  refused(await at(service, 'POST', '/sessions', {}, { token: token.token }), 401);
  const changed = await service.operator('PATCH', `/tokens/${token.id}`, { expiresAt: null });
  assert.equal(changed.body.data.expiresAt, null);
  assert.equal((await bearer()).status, 200);
  const bad = await service.operator('PATCH', `/tokens/${token.id}`, { expiresAt: 'tomorrow' });
  refused(bad, 400);
});

test('a session ends with its token, its sign-out, or an administrator', async (t) => {
  const service = await startTestService(t);
  for (const end of [
    (id: string) => service.operator('PATCH', `/tokens/${id}`, { status: 'REVOKED' }),
    (id: string) => service.operator('DELETE', `/tokens/${id}`),
  ]) {
    const { id, token } = await makeToken(service);
    const cookie = await signIn(service, { token });
    assert.equal((await end(id)).status, 200);
    refused(await page(service, cookie, 'GET', '/me'), 401);
  }

  const noura = await makeToken(service);
  const sara = await makeToken(service, { name: 'Sara', role: 'viewer' });
  const [first, second, other] = [
    await signIn(service, { token: noura.token }),
    await signIn(service, { token: noura.token }, { 'user-agent': 'curl/8' }),
    await signIn(service, { token: sara.token }),
  ];
  const admin = await signIn(service, { token: OPERATOR_TOKEN });
  const listed = async (cookie: string) =>
    (await page(service, cookie, 'GET', '/sessions')).body.data as Record<string, unknown>[];
  assert.equal((await listed(admin)).length, 4);
  const own = await listed(first);
  assert.deepEqual(own.map(({ tokenId, isCurrent }) => [tokenId, isCurrent]).sort(), [
    [noura.id, false],
    [noura.id, true],
  ]);
  const current = own.find(({ isCurrent }) => isCurrent)!;
  assert.deepEqual([current.browser, current.system, current.role], ['Firefox', 'Windows', 'dispatcher']);
  const idOf = async (cookie: string) => (await page(service, cookie, 'GET', '/me')).body.data.session.id;

  refused(await page(service, first, 'DELETE', `/sessions/${await idOf(other)}`), 404);
  refused(await page(service, first, 'DELETE', `/sessions/${await idOf(admin)}`), 404);
  assert.equal((await page(service, first, 'DELETE', `/sessions/${await idOf(second)}`)).status, 200);
  refused(await page(service, second, 'GET', '/me'), 401);
  const out = await page(service, first, 'DELETE', `/sessions/${current.id}`);
  assert.match(out.headers.get('set-cookie')!, /^pbs_console=; Path=\/operator; Max-Age=0;/);
  refused(await page(service, first, 'GET', '/me'), 401);
  const saraId = await idOf(other);
  assert.equal((await page(service, admin, 'DELETE', `/sessions/${saraId}`)).status, 200);
  refused(await page(service, other, 'GET', '/me'), 401);
  const audit = (await service.operator('GET', '/audit?action=session.revoke')).body.data;
  assert.deepEqual(
    audit.map(({ target, before }: { target: string; before: unknown }) => [target, before]),
    [[`session:${saraId}`, { holder: `operator-token:${sara.id}` }]],
  );
});

test('the stream of changes works with the cookie, and ends with the session', async (t) => {
  const service = await startTestService(t);
  const { token } = await makeToken(service);
  const cookie = await signIn(service, { token });
  const response = await fetch(`${service.operatorUrl!}/operator/stream`, { headers: { cookie } });
  assert.equal(response.status, 200);
  const read = response.text();
  const { id } = (await page(service, cookie, 'GET', '/me')).body.data.session;
  assert.equal((await page(service, cookie, 'DELETE', `/sessions/${id}`)).status, 200);
  await read;
});

test('guesses of links, tokens and cookies count as failed authentications', async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 3 });
  refused(await at(service, 'POST', '/sessions', {}, { token: 'wrong' }), 401, { check: 'token' });
  refused(await at(service, 'POST', '/sessions', {}, { link: 'wrong', pin: PIN }), 401, { check: 'link' });
  refused(await at(service, 'GET', '/me', { cookie: 'a=b; pbs_console=wrong' }), 401);
  refused(await at(service, 'POST', '/sessions', {}, { link: 'wrong', pin: PIN }), 429);
  refused(await at(service, 'GET', '/me', { cookie: 'pbs_console=wrong' }), 429);
  await signIn(service, { token: OPERATOR_TOKEN });
  refused(await at(service, 'POST', '/sessions', {}, {}), 400);
});

test('while the first token is replaced both are valid, and their sessions', async (t) => {
  const other = 'another-token-of-the-operator';
  const service = await startTestService(t, { env: { OPERATOR_TOKEN_PREVIOUS: other } });
  for (const token of [OPERATOR_TOKEN, other])
    assert.equal((await at(service, 'GET', '/me', { authorization: `Bearer ${token}` })).status, 200);
  refused(await at(service, 'GET', '/me', { authorization: `Bearer ${other}x` }), 401);
  const cookie = await signIn(service, { token: other });
  await service.deps.db.rows({ text: `update operator_sessions set first_hash = sha256('${other}')` });
  assert.equal((await page(service, cookie, 'GET', '/me')).status, 200);
});

test('another first token ends the sessions of the one before', async (t) => {
  const service = await startTestService(t);
  const cookie = await signIn(service, { token: OPERATOR_TOKEN });
  await service.deps.db.rows({ text: "update operator_sessions set first_hash = sha256('another')" });
  refused(await page(service, cookie, 'GET', '/me'), 401);
});

test('when a session was last seen is stored', async (t) => {
  const service = await startTestService(t);
  const cookie = await signIn(service, { token: OPERATOR_TOKEN });
  service.clock.advance(60_000);
  await page(service, cookie, 'GET', '/me');
  await until(async () => {
    const [row] = (await page(service, cookie, 'GET', '/sessions')).body.data;
    return row.lastSeenAt === '2026-11-22T08:01:00+03:00';
  });
});

test('browsers are named as their users know them', () => {
  const CHROME =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const SAFARI =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
  assert.deepEqual(browserOf(CHROME), { browser: 'Chrome', system: 'Linux' });
  assert.deepEqual(browserOf(`${CHROME} Edg/140.0.0.0`), { browser: 'Edge', system: 'Linux' });
  assert.deepEqual(browserOf(SAFARI), { browser: 'Safari', system: 'iOS' });
  assert.deepEqual(browserOf('curl/8'), { browser: null, system: null });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../src/base/clock.ts';
import { isEasyPin } from '../src/operator/session-rules.ts';
import {
  type Answer,
  alsoOnServer,
  call,
  OPERATOR_TOKEN,
  startTestService,
  type TestService,
} from './harness.ts';
import { until } from './until.ts';

/** People of the office: browsers that their links enrol, and the PINs that open sessions there. */

const PIN = '407193';
const WRONG = '918273';

type Cookies = { session: string; browser: string };

const sent = (
  service: TestService,
  method: string,
  path: string,
  cookies: Partial<Cookies>,
  body?: unknown,
) =>
  call(`${service.operatorUrl!}/operator`, method, path, body, {
    cookie: Object.values(cookies).join('; '),
    origin: service.operatorUrl!,
    'sec-fetch-site': 'same-origin',
  });

function cookiesOf(answer: Answer): Cookies {
  assert.equal(answer.status, 201, answer.text);
  const [session, browser] = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  return { session: session!, browser: browser! };
}

function refused(answer: Answer, status: number, details: object = {}): void {
  assert.equal(answer.status, status, answer.text);
  for (const [name, value] of Object.entries(details))
    assert.equal(answer.body.error.details[name], value, answer.text);
}

async function person(service: TestService, name = 'Huda', role = 'dispatcher'): Promise<string> {
  const { status, body } = await service.operator('POST', '/tokens', { name, role });
  assert.equal(status, 201);
  return body.data.id;
}

async function linkOf(service: TestService, id: string, body?: object): Promise<string> {
  const answer = await service.operator('POST', `/tokens/${id}/sign-in-links`, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.url.split('link=')[1];
}

/** A browser that a link of the person has enrolled. */
const enrolled = async (service: TestService, id: string, body?: object, pin = PIN): Promise<Cookies> =>
  cookiesOf(await sent(service, 'POST', '/sessions', {}, { link: await linkOf(service, id, body), pin }));

const byPin = (service: TestService, { browser }: Pick<Cookies, 'browser'>, pin = PIN) =>
  sent(service, 'POST', '/sessions', { browser }, { pin });

const meOf = (service: TestService, cookies: Cookies) => sent(service, 'GET', '/me', cookies);

/** Waits until the time of the last use is stored. */
const used = async (service: TestService, cookies: Cookies): Promise<void> => {
  assert.equal((await meOf(service, cookies)).status, 200);
  const seen = { text: 'select max(last_seen_at) = $1 as is_now from operator_sessions' };
  await until(async () => {
    const values = [new Date(service.clock.now()).toISOString()];
    return (await service.deps.db.first<{ is_now: boolean }>({ ...seen, values }))!.is_now;
  });
};

test('a browser that a link enrolled is opened by the PIN for 90 days', async (t) => {
  const service = await startTestService(t);
  const id = await person(service);
  const answer = await sent(service, 'POST', '/sessions', {}, { link: await linkOf(service, id), pin: PIN });
  const set = answer.headers.getSetCookie();
  assert.equal(set.length, 2);
  assert.match(
    set[0]!,
    /^pbs_console=pbs_console_[\w-]{43}; Path=\/operator; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
  );
  assert.match(
    set[1]!,
    /^pbs_browser=pbs_browser_[\w-]{43}; Path=\/operator; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
  );
  const cookies = cookiesOf(answer);
  assert.equal((await meOf(service, cookies)).body.data.name, 'Huda');
  // Nobody but she has a credential: the token is not valid any more.
  assert.equal((await service.operator('GET', '/tokens?isPerson=true')).body.data[0].isPerson, true);
  assert.equal((await service.operator('GET', '/tokens?isPerson=false')).body.meta.total, 0);

  for (let day = 1; day < 90; day++) {
    service.clock.advance(14 * HOUR);
    if (day % 30 === 1) refused(await meOf(service, cookies), 401, { reason: 'not-valid' });
    service.clock.advance(10 * HOUR);
    if (day % 30 !== 1) continue;
    const again = await byPin(service, cookies);
    cookies.session = cookiesOf(again).session;
    assert.equal(again.headers.getSetCookie().length, 1);
    assert.equal((await meOf(service, cookies)).body.data.name, 'Huda');
    // The session in place of the one before.
    assert.equal((await sent(service, 'GET', '/sessions', cookies)).body.meta.total, 1);
  }
  assert.equal((await byPin(service, cookies)).status, 201);
  service.clock.advance(DAY);
  refused(await byPin(service, cookies), 401, { check: 'pin', reason: 'not-enrolled' });
});

test('a session lasts while it is used, and not beyond the enrolment', async (t) => {
  const service = await startTestService(t);
  const cookies = await enrolled(service, await person(service));
  for (let turn = 0; turn < 3; turn++) {
    service.clock.advance(13 * HOUR);
    await used(service, cookies);
  }
  const { session } = (await meOf(service, cookies)).body.data;
  assert.equal(Date.parse(session.expiresAt), service.clock.now() + 14 * HOUR);
  // The stream that an open page keeps is no use.
  service.clock.advance(13 * HOUR);
  const headers = { cookie: cookies.session };
  const stream = await fetch(`${service.operatorUrl!}/operator/stream`, { headers });
  assert.equal(stream.status, 200);
  service.clock.advance(HOUR);
  refused(await meOf(service, cookies), 401);
  await stream.text();
});

test('a token of the last way no longer signs in once its holder is a person', async (t) => {
  const service = await startTestService(t);
  const { id, token } = (await service.operator('POST', '/tokens', { name: 'Huda', role: 'viewer' })).body
    .data;
  const bearer = () =>
    call(`${service.operatorUrl!}/operator`, 'GET', '/me', undefined, { authorization: `Bearer ${token}` });
  assert.equal((await bearer()).status, 200);
  await linkOf(service, id);
  refused(await bearer(), 401);
});

test('five wrong PINs end the enrolment of the browser, not the person', async (t) => {
  const service = await startTestService(t);
  const id = await person(service);
  const cookies = await enrolled(service, id);
  const home = await enrolled(service, id, { addsBrowser: true }, '570138');
  for (const triesLeft of [4, 3, 2, 1])
    refused(await byPin(service, cookies, WRONG), 401, { check: 'pin', reason: 'wrong', triesLeft });
  // A right one gives all tries back.
  assert.equal((await byPin(service, cookies)).status, 201);
  for (const triesLeft of [4, 3, 2, 1, 0])
    refused(await byPin(service, cookies, WRONG), 401, { reason: 'wrong', triesLeft });
  refused(await byPin(service, cookies), 401, { reason: 'not-enrolled' });
  refused(await meOf(service, cookies), 401);
  // Each browser has its own PIN.
  assert.equal((await meOf(service, home)).body.data.name, 'Huda');
  refused(await byPin(service, home), 401, { reason: 'wrong' });
  assert.equal((await byPin(service, home, '570138')).status, 201);
  assert.equal((await enrolled(service, id)).browser.length > 0, true);
});

test('of simultaneous guesses five count', alsoOnServer, async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 1000 });
  const cookies = await enrolled(service, await person(service));
  const guesses = Array.from({ length: 20 }, (_none, index) => byPin(service, cookies, `80417${index % 10}`));
  const reasons = (await Promise.all(guesses)).map(({ body }) => body.error.details.reason);
  assert.equal(reasons.filter((reason) => reason === 'wrong').length, 5);
  assert.equal(reasons.filter((reason) => reason === 'not-enrolled').length, 15);
  refused(await byPin(service, cookies), 401, { reason: 'not-enrolled' });
});

test('a PIN has six digits, is not easy to guess, and is changed with the old one', async (t) => {
  for (const pin of ['000000', '111111', '123456', '654321', '012345', '121212', '123123'])
    assert.equal(isEasyPin(pin), true, pin);
  for (const pin of [PIN, '112233', '135791', '198765']) assert.equal(isEasyPin(pin), false, pin);
  const service = await startTestService(t);
  const id = await person(service);
  const link = await linkOf(service, id);
  for (const pin of ['12345', '1234567', '40719a', '٤٠٧١٩٣', '123456'])
    refused(await sent(service, 'POST', '/sessions', {}, { link, pin }), 400);
  const cookies = cookiesOf(await sent(service, 'POST', '/sessions', {}, { link, pin: PIN }));

  const change = (pin: string, newPin: string) =>
    sent(service, 'POST', '/sessions', cookies, { pin, newPin });
  refused(await change(PIN, '222222'), 400);
  refused(await change(WRONG, '570138'), 401, { reason: 'wrong', triesLeft: 4 });
  cookies.session = cookiesOf(await change(PIN, '570138')).session;
  refused(await byPin(service, cookies), 401, { reason: 'wrong', triesLeft: 4 });
  assert.equal((await byPin(service, cookies, '570138')).status, 201);
  const [entry] = (await service.operator('GET', '/audit?action=token.change_pin')).body.data;
  assert.deepEqual(
    [entry.actorName, entry.target, entry.before, entry.after],
    ['Huda', `token:${id}`, null, null],
  );

  // Neither PINs nor cookies are stored or logged.
  const stored = await service.deps.db.rows({
    text: `select to_jsonb(e)::text from operator_enrolments e
      union all select to_jsonb(a)::text from audit_log a union all select to_jsonb(s)::text from operator_sessions s`,
  });
  const all = JSON.stringify(stored) + service.logged();
  for (const secret of [PIN, '570138', cookies.browser.split('=')[1]!])
    assert.equal(all.includes(secret), false, secret);
});

test('an administrator ends sessions and enrolments at once', async (t) => {
  const service = await startTestService(t);
  const id = await person(service);
  const closed = async (cookies: Cookies): Promise<void> => {
    refused(await meOf(service, cookies), 401);
    refused(await byPin(service, cookies), 401, { reason: 'not-enrolled' });
  };
  const office = await enrolled(service, id);
  const home = await enrolled(service, id, { addsBrowser: true });
  for (const cookies of [office, home]) assert.equal((await meOf(service, cookies)).status, 200);
  const unused = await linkOf(service, id, { addsBrowser: true });
  assert.equal((await service.operator('DELETE', `/tokens/${id}/sessions`)).status, 200);
  for (const cookies of [office, home]) await closed(cookies);
  refused(await sent(service, 'POST', '/sessions', {}, { link: unused, pin: PIN }), 401, { check: 'link' });
  const [ended] = (await service.operator('GET', '/audit?action=token.sign_out')).body.data;
  assert.deepEqual([ended.target, ended.targetName ?? ended.holderName], [`token:${id}`, 'Huda']);

  // A new link that does not add a browser.
  const lost = await enrolled(service, id);
  await linkOf(service, id);
  await closed(lost);

  // One of her sessions, also after she has signed out in that browser.
  const one = await enrolled(service, id);
  const other = await enrolled(service, id, { addsBrowser: true });
  const { id: sessionId } = (await meOf(service, one)).body.data.session;
  assert.equal((await service.operator('DELETE', `/sessions/${sessionId}`)).status, 200);
  await closed(one);
  const own = (await meOf(service, other)).body.data.session.id;
  assert.equal((await sent(service, 'DELETE', `/sessions/${own}`, other)).status, 200);
  refused(await meOf(service, other), 401);
  other.session = cookiesOf(await byPin(service, other)).session;

  // She herself ends the browser that she has lost.
  const third = await enrolled(service, id, { addsBrowser: true });
  const idOfOther = (await meOf(service, other)).body.data.session.id;
  assert.equal((await sent(service, 'DELETE', `/sessions/${idOfOther}`, third)).status, 200);
  await closed(other);

  for (const end of [
    (ended: string) => service.operator('PATCH', `/tokens/${ended}`, { status: 'REVOKED' }),
    (ended: string) =>
      service.operator('PATCH', `/tokens/${ended}`, { expiresAt: '2026-11-22T07:00:00+03:00' }),
    (ended: string) => service.operator('DELETE', `/tokens/${ended}`),
  ]) {
    const gone = await person(service, 'Amal');
    const cookies = await enrolled(service, gone);
    assert.equal((await end(gone)).status, 200);
    await closed(cookies);
  }
});

test('a second administrator invites; OPERATOR_TOKEN works when the last one has ended', async (t) => {
  const service = await startTestService(t);
  const id = await person(service);
  const huda = await enrolled(service, id);
  const invite = (cookies: Cookies) =>
    sent(service, 'POST', '/tokens', cookies, { name: 'Reem', role: 'viewer' });
  refused(await invite(huda), 403, { check: 'role', role: 'admin', tokenRole: 'dispatcher' });
  assert.equal((await service.operator('PATCH', `/tokens/${id}`, { role: 'admin' })).status, 200);
  const reem = await invite(huda);
  assert.equal(reem.status, 201, reem.text);
  const link = await sent(service, 'POST', `/tokens/${reem.body.data.id}/sign-in-links`, huda);
  assert.equal(link.status, 201);
  const { data } = (await service.operator('GET', '/audit?actor=Huda')).body;
  assert.deepEqual(
    data.map(({ action, actorName }: { action: string; actorName: string }) => [action, actorName]),
    [
      ['sign-in-link.create', 'Huda'],
      ['token.create', 'Huda'],
    ],
  );
  const { id: session } = (await meOf(service, huda)).body.data.session;
  assert.equal((await sent(service, 'DELETE', `/tokens/${id}`, huda)).status, 200);
  refused(await meOf(service, huda), 401);
  assert.ok(session);
  const again = await person(service, 'Sara', 'admin');
  assert.equal((await meOf(service, await enrolled(service, again))).body.data.role, 'admin');
});

test('another site does not guess PINs, and guesses without the cookie count as failures', async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 2 });
  const cookies = await enrolled(service, await person(service));
  const cross = await call(
    `${service.operatorUrl!}/operator`,
    'POST',
    '/sessions',
    { pin: WRONG },
    {
      cookie: cookies.browser,
      origin: 'https://evil.example',
    },
  );
  refused(cross, 403, { check: 'origin' });
  for (const status of [401, 401, 429])
    refused(await byPin(service, { browser: 'pbs_browser=pbs_browser_wrong' }), status);
  assert.equal((await byPin(service, cookies)).status, 201);
  assert.equal((await sent(service, 'POST', '/sessions', {}, { token: OPERATOR_TOKEN })).status, 201);
});

test('with a public address over TLS the cookie of the browser is only sent over TLS', async (t) => {
  const service = await startTestService(t, { env: { PUBLIC_URL: 'https://booking.example.sa' } });
  const link = await linkOf(service, await person(service));
  const answer = await call(`${service.operatorUrl!}/operator`, 'POST', '/sessions', { link, pin: PIN });
  for (const cookie of answer.headers.getSetCookie()) assert.match(cookie, /; Secure$/);
});

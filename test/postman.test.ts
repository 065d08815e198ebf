import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type PostmanCollection,
  type PostmanRequest,
  postmanCollection,
  postmanText,
} from '../scripts/print-postman.ts';
import { STATEMENT_FILES } from '../src/statements/file-routes.ts';
import { startChildService } from './child-service.ts';
import { type Answer, call } from './harness.ts';
import { receive } from './receivers.ts';

const text = readFileSync(new URL('../openapi/postman_collection.json', import.meta.url), 'utf8');
const collection: PostmanCollection = JSON.parse(text);
const openapi = JSON.parse(readFileSync(new URL('../openapi/partner.json', import.meta.url), 'utf8'));

/** Names that Postman declares in every script besides `pm`: a script that declares one of them again fails. */
const SANDBOX_NAMES = [
  'data',
  'environment',
  'globals',
  'iteration',
  'request',
  'responseBody',
  'responseCode',
];

type Sent = { name: string; answer: Answer; failed: string[] };

/** Sends the requests one after the other as Postman's runner does, as far as this collection needs it. */
async function run(requests: readonly PostmanRequest[], given: Record<string, string>): Promise<Sent[]> {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  for (const [key, value] of Object.entries(given)) variables.set(key, value);
  const fill = (value: string): string =>
    value.replace(
      /\{\{(\w+)\}\}/g,
      (_all, name) => variables.get(name) ?? assert.fail(`no variable ${name}`),
    );

  const sent: Sent[] = [];
  for (let place = 0; place < requests.length; ) {
    const { name, request, event = [] } = requests[place++]!;
    const failed: string[] = [];
    const runScript = (listen: string, answer?: Answer): void => {
      const pm = {
        collectionVariables: {
          get: (key: string) => variables.get(key),
          set: (key: string, value: string) => variables.set(key, value),
        },
        info: { requestName: name },
        execution: {
          // Of several of one name runners take the last.
          setNextRequest: (next: string) => (place = requests.findLastIndex((one) => one.name === next)),
        },
        response: {
          json: () => answer!.body,
          to: { have: { status: (status: number) => assert.equal(answer!.status, status, answer!.text) } },
        },
        test(what: string, check: () => void) {
          try {
            check();
          } catch (error) {
            failed.push(`${what}: ${(error as Error).message}`);
          }
        },
      };
      const { script } = event.find((one) => one.listen === listen) ?? {};
      if (script) new Function('pm', ...SANDBOX_NAMES, script.exec.join('\n'))(pm);
    };
    runScript('prerequest');
    const { url, method, header, body } = request;
    const path = url.path.map((part) => {
      if (!part.startsWith(':')) return part;
      return fill(url.variable!.find(({ key }) => `:${key}` === part)!.value);
    });
    const query = (url.query ?? []).filter(({ disabled }) => !disabled);
    const search = query.map(({ key, value }) => `${key}=${encodeURIComponent(fill(value))}`).join('&');
    const { apikey } = collection.auth;
    const key = (field: string): string => fill(apikey.find((one) => one.key === field)!.value);
    assert.equal(key('in'), 'header');
    const headers = {
      [key('key')]: key('value'),
      ...Object.fromEntries(header.map((one) => [one.key.toLowerCase(), one.value])),
    };
    const target = `/${path.join('/')}${search && `?${search}`}`;
    const answer = await call(fill(url.host[0]!), method, target, body && fill(body.raw), headers);
    runScript('test', answer);
    sent.push({ name, answer, failed });
  }
  return sent;
}

test('openapi/postman_collection.json matches openapi/partner.json', () => {
  assert.equal(text, postmanText(), 'write it anew: npm run generate');
});

test('every operation has its request, in the folder of its tag', () => {
  const wanted = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { tags: string[] }>).map(([method, { tags }]) =>
      [tags[0], method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1')].join(' '),
    ),
  );
  const [, ...folders] = collection.item;
  const found = folders.flatMap(({ name, item }) =>
    item
      .filter((one) => !/^(?:For the sandbox|Again): /.test(one.name))
      .map(({ request }) => `${name} ${request.method} /${request.url.path.join('/')}`),
  );
  assert.deepEqual(found.sort(), wanted.sort());
});

test('every request has a unique name', () => {
  const names = collection.item.flatMap(({ item }) => item.map(({ name }) => name));
  assert.deepEqual(
    names.filter((name, place) => names.indexOf(name) !== place),
    [],
  );
});

test('it contains no secrets and no existing ids', () => {
  const values = Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]));
  assert.equal(values.apiKey, '');
  assert.doesNotMatch(text, /pbs_(?:test|live)_/);
  const bodies = collection.item.flatMap(({ item }) => item.map(({ request }) => request.body?.raw ?? ''));
  for (const body of bodies) assert.doesNotMatch(body, /[\da-f]{8}-[\da-f]{4}-4/, body);
});

test('the requests of the collection, from top to bottom', async (t) => {
  const receiver = await receive(t, (_request, response) => response.end());
  const service = await startChildService(t, { WEBHOOK_ALLOW_HOSTS: `localhost:${receiver.port}` });
  const webhookUrl = `http://localhost:${receiver.port}/hooks`;
  // Deliveries for the requests that read them: the collection subscribes only after its bookings.
  const early = await call(
    service.baseUrl,
    'POST',
    '/partners/webhooks/subscriptions',
    { url: webhookUrl, events: ['booking.created'] },
    { 'x-api-key': service.keys.partner },
  );
  assert.equal(early.status, 200, early.text);
  const given = { baseUrl: service.baseUrl, apiKey: service.keys.partner, webhookUrl };
  const [first, ...folders] = collection.item;

  await t.test('the first booking', async () => {
    const sent = await run(first!.item, given);
    assert.deepEqual(
      sent.flatMap(({ failed }) => failed),
      [],
    );
    const [booking, , paid, , cancelled] = sent.slice(-5).map(({ answer }) => answer.body.data);
    assert.equal(booking.status, 'in progress');
    assert.equal(paid.paymentStatus, 'PAID');
    assert.equal(cancelled.status, 'canceled');
  });

  await t.test('every other folder', async () => {
    const sent = await run(
      folders.flatMap(({ item }) => item),
      given,
    );
    const refused = sent.filter(({ answer }) => answer.status !== 200);
    // Delivered ones have not failed.
    assert.deepEqual(
      refused.map(({ name, answer }) => [name, answer.status, answer.body.error.code]).sort(),
      [
        // Only the operator issues one.
        ...['Read a statement', ...STATEMENT_FILES.map(({ summary }) => summary)].map((name) => [
          name,
          404,
          'RESOURCE_NOT_FOUND',
        ]),
        // None of its visits waits.
        ['Book a visit of a series that could not be placed, or was skipped', 422, 'INVALID_TRANSITION'],
        ['Retry a failed webhook delivery now', 422, 'DELIVERY_NOT_RETRYABLE'],
      ].sort(),
    );
    assert.deepEqual(
      sent.flatMap(({ failed }) => failed),
      [],
    );
  });

  await t.test('the folder of the sandbox alone, repeatedly', async () => {
    const sandbox = folders.find(({ name }) => name === 'Sandbox')!;
    for (let time = 0; time < 2; time++) {
      const sent = await run(sandbox.item, given);
      assert.deepEqual(
        sent.flatMap(({ name, failed }) => failed.map((why) => `${name}: ${why}`)),
        [],
      );
      assert.ok(sent.length > 15, `${sent.length} requests`);
    }
  });

  await t.test('a day without a free timeslot is skipped', async () => {
    const past = '2020-01-01';
    const asked = first!.item.find(({ name }) => name.includes('timeslots'))!;
    const eager = structuredClone(first!.item);
    // Without the guard against dates that are over, the first day asked for has no timeslots.
    const step = eager.find(({ name }) => name === asked.name)!;
    step.event = step.event!.filter(({ listen }) => listen !== 'prerequest');
    const yesterday = new Date(Date.now() - 86_400_000 + 3 * 3_600_000).toISOString().slice(0, 10);
    const sent = await run(eager, { ...given, date: yesterday });
    const days = sent.filter(({ name }) => name === asked.name).map(({ answer }) => answer.body.data.date);
    assert.ok(days.length >= 2, days.join());
    assert.equal(days[0], yesterday);
    assert.deepEqual(
      sent.flatMap(({ failed }) => failed),
      [],
    );
    const careful = await run(first!.item.slice(0, 3), { ...given, date: past });
    assert.notEqual(careful.at(-1)!.answer.body.data.date, past);
  });

  await t.test('the whole collection, with a full first day: no request is skipped', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000 + 3 * 3_600_000).toISOString().slice(0, 10);
    const operator = { authorization: `Bearer ${service.operatorToken}` };
    const atOperator = (method: string, path: string, body?: unknown) =>
      call(new URL(service.baseUrl).origin, method, `/operator${path}`, body, operator);
    const { data: teams } = (await atOperator('GET', '/teams?limit=100')).body;
    for (const { id } of teams) {
      const off = await atOperator('POST', `/teams/${id}/time-off`, {
        startsAt: `${tomorrow}T00:00:00+03:00`,
        endsAt: `${tomorrow}T23:59:00+03:00`,
      });
      assert.equal(off.status, 201, off.text);
    }
    const all = collection.item.flatMap(({ item }) => item);
    const sent = await run(all, { ...given, date: tomorrow });
    const names = new Set(sent.map(({ name }) => name));
    assert.deepEqual(
      all.map(({ name }) => name).filter((name) => !names.has(name)),
      [],
    );
    assert.ok(sent.length > all.length, 'a day was full, so timeslots were asked for again');
    assert.deepEqual(
      sent.flatMap(({ name, failed }) => failed.map((why) => `${name}: ${why}`)),
      [],
    );
  });

  await t.test('another key shows the failures', async () => {
    const sent = await run(first!.item, { ...given, apiKey: service.keys.platform });
    assert.deepEqual(
      sent.filter(({ failed }) => failed.length > 0).map(({ answer }) => answer.body.error.code),
      ['PAYMENT_RESPONSIBILITY_MISMATCH'],
    );
  });
});

test('a document without an operation of the first booking is refused', () => {
  const { '/partners/bookings': _bookings, ...paths } = openapi.paths;
  assert.throws(() => postmanCollection({ ...openapi, paths }), /no operation createBooking/);
});

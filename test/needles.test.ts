import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { FILES } from '../scripts/print-openapi.ts';
import { findRequest, listRequests } from '../src/requests/queries.ts';
import type { Tracing } from '../src/runtime/tracing.ts';
import { createPartner, createWorld } from './fixtures.ts';
import { OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';
import { makeLink, portal, signIn } from './portal-fixtures.ts';
import { startReceiver, subscribe } from './webhook-receiver.ts';

/**
 * Phones and coordinates are sent in every place of every request, and looked for wherever something is kept or logged.
 */

const PHONES = [
  '+966501987654',
  '966501987654',
  '00966501987654',
  '0501987654',
  '501987654',
  '+966 50 198 7654',
  '050-198-7654',
  '٠٥٠١٩٨٧٦٥٤',
];
const PLACES = ['24.987613', '46.198765', '24.987613,46.198765', '24.987613 46.198765', '٢٤٫٩٨٧٦١٣'];
const NEEDLES = [...PHONES, ...PLACES];
const NAME = 'Needleman';

/** The needles in the text. */
function found(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll('٫', '.');
  const joined = plain.replaceAll(/[\s().-]/g, '');
  return [
    ...(joined.includes('01987654') ? ['the phone'] : []),
    ...(/24\.9876|46\.1987/.test(plain) ? ['the place'] : []),
  ];
}

/** The lines that have a needle. */
const foundIn = (text: string): string[] => text.split('\n').filter((line) => found(line).length > 0);

test('the search finds planted values', () => {
  for (const needle of NEEDLES) assert.equal(found(`x ${needle} y`).length, 1, needle);
  assert.deepEqual(found(NEEDLES.map((needle) => needle.slice(0, 4)).join(' ')), []);
});

type Json = Record<string, unknown>;
type Operation = {
  method: string;
  path: string;
  parameters: { name: string; in: string }[];
  fields: string[][];
};

/** The operations of an interface, and the paths of the fields of their bodies. */
function operationsOf(side: 'partner' | 'operator' | 'portal'): Operation[] {
  const document = JSON.parse(readFileSync(FILES[side], 'utf8'));
  const resolved = (schema: Json): Json =>
    typeof schema.$ref === 'string' ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema;
  const fieldsOf = (schema: Json, depth: number): string[][] => {
    const { properties, items } = resolved(schema) as { properties?: Record<string, Json>; items?: Json };
    if (items !== undefined && depth < 3) return fieldsOf(items, depth + 1).map((path) => ['0', ...path]);
    return Object.entries(properties ?? {}).flatMap(([name, child]) => [
      [name],
      ...(depth < 3 ? fieldsOf(child, depth + 1).map((path) => [name, ...path]) : []),
    ]);
  };
  return Object.entries<Record<string, Json>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'post', 'patch', 'put', 'delete'].includes(method))
      .map(([method, operation]) => {
        const body = operation.requestBody as
          | { content: { 'application/json': { schema: Json } } }
          | undefined;
        return {
          method: method.toUpperCase(),
          path,
          parameters: (operation.parameters ?? []) as Operation['parameters'],
          fields: body === undefined ? [] : fieldsOf(body.content['application/json'].schema, 0),
        };
      }),
  );
}

/** A body in which each of the fields is the value; of a path and its parent, the path takes precedence. */
function bodyOf(fields: readonly string[][], value: (index: number) => unknown): Json {
  const body: Json = {};
  fields.forEach((path, index) => {
    let at = body;
    for (const [depth, name] of path.slice(0, -1).entries()) {
      if (typeof at[name] !== 'object' || at[name] === null) at[name] = path[depth + 1] === '0' ? [] : {};
      at = at[name] as Json;
    }
    at[path.at(-1)!] = value(index);
  });
  return body;
}

/** Sends an invalid request: its response need not match the documents. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<void> {
  const ascii = Object.entries(headers).filter(([, value]) => /^[ -~]*$/.test(value));
  const hasBody = body !== undefined && method !== 'GET';
  const response = await fetch(url, {
    method,
    headers: { ...Object.fromEntries(ascii), ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  await response.arrayBuffer();
}

/** Sends needles in every place of every operation, those of the operator's interface so that none is carried out. */
async function sendEverywhere(
  base: string,
  operations: readonly Operation[],
  credentials: Record<string, string>,
  afterwards: () => Promise<void>,
): Promise<number> {
  let sent = 0;
  let turn = 0;
  const needle = (): string => NEEDLES[turn++ % NEEDLES.length]!;
  const number = (): number => [966501987654, 501987654, 24.987613, 46.198765][turn++ % 4]!;
  for (const { method, path, parameters, fields } of operations) {
    // A stream has no end, and the session must stay.
    if (path === '/stream' || path === '/session' || (method === 'DELETE' && !path.includes('{'))) continue;
    const filled = (value: () => string): string =>
      base + path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(value()));
    const query = (value: () => string): string =>
      [
        ...parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        'q',
        'lat',
        'phone',
        needle(),
      ]
        .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(value())}`)
        .join('&');
    const kinds: ((index: number) => unknown)[] = [
      needle,
      number,
      () => [needle(), number()],
      () => ({ [needle()]: needle(), value: number() }),
    ];
    const requests: [url: string, headers: Record<string, string>, body?: unknown][] = [
      [filled(needle), {}, { unknown: 1 }],
      [`${filled(needle)}/${encodeURIComponent(needle())}`, {}],
      [`${filled(() => '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10')}?${query(needle)}`, {}, { [needle()]: 1 }],
      ...kinds.map((kind): [string, Record<string, string>, unknown] => [
        filled(() => '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'),
        {},
        { ...bodyOf(fields, kind), [`unknown ${needle()}`]: needle(), [needle()]: number() },
      ]),
      [filled(needle), {}, `{"phone":"${needle()}" "x"`],
    ];
    // Headers are read before any route.
    if (sent === 0) {
      for (const name of ['user-agent', 'x-request-id', 'origin', 'referer', 'x-partner-domain', 'if-match'])
        requests.push([filled(needle), { [name]: needle() }, { unknown: 1 }]);
      requests.push(
        [filled(needle), { origin: `https://${encodeURIComponent(needle())}.example` }],
        [filled(needle), { 'x-request-id': `order-${PHONES[turn++ % 5]}` }],
        [
          filled(needle),
          { tracestate: `a=${needle()}`, 'idempotency-key': needle(), 'accept-language': needle() },
        ],
      );
    }
    for (const [url, headers, body] of requests) {
      await send(url, method, { ...credentials, ...headers }, body);
      sent++;
    }
    await afterwards();
  }
  return sent;
}

/** Spans as they would be exported. */
function recordingTracing(): { tracing: Tracing; text: () => string } {
  const told: unknown[] = [];
  const ids = { trace_id: '0'.repeat(32), span_id: '0'.repeat(16) };
  const tracing: Tracing = {
    start(name, options) {
      told.push([name, options]);
      return {
        ids,
        traceparent: `00-${ids.trace_id}-${ids.span_id}-01`,
        isSampled: true,
        run: (work) => work(),
        rename: (to) => void told.push(to),
        set: (attributes) => void told.push(attributes),
        fail: (type) => void told.push(type),
        end() {},
      };
    },
    active: () => null,
    apart: (work) => work(),
    async close() {},
  };
  return { tracing, text: () => told.map((one) => JSON.stringify(one)).join('\n') };
}

async function loggedRequests(service: TestService, partnerId: string): Promise<string[]> {
  const texts: string[] = [];
  let before: string | undefined;
  do {
    const { requests, nextCursor } = await listRequests(
      service.deps.db,
      { partnerId },
      { limit: 100, ...(before !== undefined && { before }) },
    );
    for (const { id } of requests)
      texts.push(JSON.stringify(await findRequest(service.deps.db, partnerId, id)));
    before = nextCursor ?? undefined;
  } while (before !== undefined);
  return texts;
}

async function start(t: TestContext, env: Record<string, string>) {
  const traced = recordingTracing();
  const service = await startTestService(t, { env, tracing: traced.tracing, maxAuthFailures: 1_000_000 });
  return { service, traced };
}

test('a sandbox stores and logs neither phones nor coordinates of requests', async (t) => {
  const receiver = await startReceiver(t);
  const { service, traced } = await start(t, { WEBHOOK_ALLOW_HOSTS: receiver.host, LOG_LEVEL: 'trace' });
  const world = await createWorld(service);
  const strict = await createPartner(service, { partner: { allowedDomains: ['shop.example'] } });
  const flush = () => service.deps.requestLog!.flush();

  // In order, with a receiver that says everything again.
  receiver.answer = (_request, response) => {
    response.writeHead(500).end(`${NEEDLES.join('; ')}, ${'x'.repeat(900)} ${PHONES[0]}`);
  };
  const subscription = await subscribe(service, world.partnerId, receiver.url, ['booking.created']);
  for (const phone of PHONES.slice(0, 1))
    await service.v1(world.key, 'POST', '/partners/contacts', {
      name: NAME,
      phone,
      latitude: '24.987613',
      longitude: '46.198765',
    });
  await world.book({ notes: `call ${PHONES.join(' or ')} at ${PLACES.join(' or ')}` });
  await service.v1(world.key, 'POST', `/partners/webhooks/subscriptions/${subscription.id}/test`);

  const partner = `${service.url}/v1`;
  const sent = await sendEverywhere(partner, operationsOf('partner'), { 'x-api-key': world.key }, flush);
  assert.ok(sent > 250, `${sent} requests`);
  await sendEverywhere(partner, operationsOf('partner').slice(0, 2), { 'x-api-key': strict.key }, flush);
  await send(`${partner}/partners/${PHONES[1]}?api_key=${PHONES[1]}`, 'GET', {});
  const bearer = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  await sendEverywhere(`${service.url}/operator`, operationsOf('operator'), bearer, async () => {});
  const token = await signIn(service, { link: (await makeLink(service, world.partnerId)).token });
  const visitor = { authorization: `Bearer ${token}` };
  await sendEverywhere(`${service.url}/portal/api`, operationsOf('portal'), visitor, async () => {});
  await flush();

  for (const partnerId of [world.partnerId, strict.partnerId]) {
    const kept = await loggedRequests(service, partnerId);
    assert.ok(kept.length > (partnerId === world.partnerId ? 250 : 20), `${kept.length} kept`);
    assert.deepEqual(
      kept.filter((text) => found(text).length > 0),
      [],
    );
    assert.ok(
      partnerId !== world.partnerId || kept.some((text) => text.includes(NAME)),
      'a sandbox keeps names',
    );
  }
  assert.deepEqual(foundIn(service.logged()), []);
  assert.deepEqual(foundIn(traced.text()), []);
  assert.ok(traced.text().includes('x-request-id'));
  assert.deepEqual(foundIn(await (await fetch(`${service.url}/metrics`)).text()), []);

  // All pages of the portal; bookings have their notes, which are the partner's own.
  for (const { method, path, parameters } of operationsOf('portal')) {
    if (method !== 'GET' || parameters.some((one) => one.in === 'path') || path === '/bookings') continue;
    const { text } = await portal(service, token, 'GET', path);
    assert.deepEqual(found(text), [], path);
  }
  const requests = await portal(service, token, 'GET', '/requests?limit=100');
  for (const { id } of requests.body.data)
    assert.deepEqual(found((await portal(service, token, 'GET', `/requests/${id}`)).text), []);
});

test('production stores no value of a body either', async (t) => {
  const { service, traced } = await start(t, { DEPLOYMENT: 'production' });
  const world = await createWorld(service);
  await service.v1(world.key, 'POST', '/partners/contacts', { name: NAME, phone: PHONES[0] });
  await world.book({ notes: NAME, externalReference: NAME });
  for (const { method, path, fields } of operationsOf('partner')) {
    const url = `${service.url}/v1${path.replaceAll(/\{\w+\}/g, world.serviceId)}`;
    await send(
      `${url}?q=${NAME}`,
      method,
      { 'x-api-key': world.key },
      bodyOf(fields, () => NAME),
    );
    await send(
      url,
      method,
      { 'x-api-key': world.key },
      bodyOf(fields, () => [NAME, { name: NAME }]),
    );
  }
  await sendEverywhere(
    `${service.url}/v1`,
    operationsOf('partner'),
    { 'x-api-key': world.key },
    async () => {},
  );
  await service.deps.requestLog!.flush();
  const kept = [...(await loggedRequests(service, world.partnerId)), service.logged(), traced.text()].join(
    '\n',
  );
  assert.deepEqual(foundIn(kept), []);
  assert.ok(!kept.includes(NAME));
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { saveFees } from '../src/bookings/fee-changes.ts';
import { bookingRefunded, customerPaid, lockForPayment, paymentFailed } from '../src/bookings/payment.ts';
import { EVENT_NAMES } from '../src/bookings/rules.ts';
import { RESPONSE_HEADERS } from '../src/http/raw-responses.ts';
import type { Permission } from '../src/partners/key-rules.ts';
import { withTotal } from '../src/policies/ledger.ts';
import { createPartner, createPartnerKey } from './fixtures.ts';
import { type Answer, call, OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';
import {
  checkerOf,
  createChecker,
  type DocumentedOperation,
  deliveryFaults,
  exchangeFaults,
  faultsAgainst,
} from './openapi-check.ts';
import {
  booking,
  type Context,
  made,
  nextSlot,
  type Request,
  reason,
  type Side,
  SUBSCRIPTIONS,
} from './openapi-context.ts';
import { CLOCK, NEVER_500, NEW, OPERATOR, OPERATOR_REFUSED } from './openapi-operator-operations.ts';
import { PARTNER, PARTNER_REFUSED } from './openapi-partner-operations.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/**
 * Calls every operation of the documents in every status and with every code that is documented for it; `call` holds
 * each answer against the document. What is the same for all operations follows from the document itself. A new
 * operation needs a line in PARTNER or OPERATOR, and one in PARTNER_REFUSED or OPERATOR_REFUSED for each code of its own
 * (test/openapi-partner-operations.ts, test/openapi-operator-operations.ts); what is missing is named. What the portal
 * answers is held against its document by test/portal.test.ts.
 */

const TABLES = {
  partner: { valid: PARTNER, refused: PARTNER_REFUSED },
  operator: { valid: OPERATOR, refused: OPERATOR_REFUSED },
};

// ---------------------------------------------------------------------------
// What is documented, and what was seen

type Told = { code?: string; message?: string; details?: Record<string, unknown> };

/** Details whose values are those of the example or of the test: only their types are compared. */
const OF_THEIR_OWN = [
  'appointmentId',
  'allowedDomains',
  'alternatives',
  'bookings',
  'bookingId',
  'current',
  'latestExpiresAt',
  'maxHolds',
  'quote',
  'domain',
  'externalReference',
  'holdId',
  'overlaps',
  'runId',
  'seriesId',
  'serviceIds',
  'source',
  'usedBy',
  'version',
  'zone',
];

/** The message and the details of an error, to compare examples with responses. */
function told({ message = '', details = {} }: Told): string {
  const shown = Object.entries(details)
    .map(([name, value]) => {
      if (OF_THEIR_OWN.includes(name)) return `${name}: ${typeof value}`;
      const text = JSON.stringify(value);
      return `${name}: ${name === 'docUrl' ? text.slice(text.indexOf('#')) : text}`;
    })
    .sort();
  return [message, ...shown]
    .join(' | ')
    .replaceAll(/externalReference=[^ ]+/g, 'externalReference=')
    .replaceAll(/SA-\d+/g, 'SA-');
}

/** `createBooking 409 CONFLICT`: a status, and of an error its code and its examples. */
function documented(side: Side): Map<string, string[]> {
  const { document, operations } = checkerOf(side);
  const found = new Map<string, string[]>();
  for (const { operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const name = response.$ref?.slice(response.$ref.lastIndexOf('/') + 1);
      const { content } = name === undefined ? response : document.components.responses[name]!;
      const examples = Object.values(content?.['application/json']?.examples ?? {});
      if (examples.length === 0) found.set(`${operation.operationId} ${status}`, []);
      for (const { value } of examples) {
        const { error } = value as { error: Told };
        const key = `${operation.operationId} ${status} ${error.code}`;
        found.set(key, [...(found.get(key) ?? []), told(error)]);
      }
    }
  }
  return found;
}

type Seen = Map<string, Set<string>>;

function saw(seen: Seen, id: string, { status, body }: Pick<Answer, 'status' | 'body'>): void {
  const error: Told = body?.error ?? {};
  const key = error.code === undefined ? `${id} ${status}` : `${id} ${status} ${error.code}`;
  seen.set(key, (seen.get(key) ?? new Set()).add(told(error)));
}

/** Errors with one cause, whose examples must be exact. */
const EXACT = /^\S+ (?:(?:401|404|409|422) |403 (?!FORBIDDEN))/;

/** Documented, but never seen. */
function unseen(side: Side, seen: Seen): string[] {
  return [...documented(side)].flatMap(([key, examples]) => {
    const answered = seen.get(key);
    if (answered === undefined) return [key];
    if (!EXACT.test(key)) return [];
    return examples.filter((example) => !answered.has(example)).map((example) => `${key}: ${example}`);
  });
}

// ---------------------------------------------------------------------------
// Calls that follow from the document

type Caller = (request: Request, headers?: Record<string, string>) => Promise<Answer>;

function callerOf(
  service: TestService,
  side: Side,
  method: string,
  credentials: Record<string, string>,
): Caller {
  const base = side === 'partner' ? `${service.url}/v1` : `${service.operatorUrl}/operator`;
  return ({ path, body, headers }, more = {}) =>
    call(base, method, path, body, { ...credentials, ...headers, ...more });
}

const elsewhere = (path: string, id: () => string): string =>
  path.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id);

const credentialsOf = (side: Side, key: string): Record<string, string> =>
  side === 'partner' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };

/** An invalid HTTP request on this path. Returns the response. */
function malformed(url: string, method: string): Promise<Answer> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    let raw = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`),
    );
    socket.on('data', (chunk) => {
      raw += chunk;
    });
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', text = ''] = raw.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
      const answer = { status: Number(first.split(' ')[1]), headers, text, body: JSON.parse(text) };
      const exchange = { ...answer, method, url, requestHeaders: {}, requestBody: undefined };
      assert.deepEqual(exchangeFaults(exchange), []);
      resolve(answer);
    });
  });
}

type Credentials = { good: string; weak: string };

async function provoke(
  found: DocumentedOperation,
  side: Side,
  context: Context,
  { good, weak }: Credentials,
  seen: Seen,
): Promise<void> {
  const { service } = context;
  const { operation, method } = found;
  const id = operation.operationId;
  const valid = TABLES[side].valid[id] ?? assert.fail(`${side} ${id}: no line in VALID`);
  const send = callerOf(service, side, method, credentialsOf(side, good));
  const see = async (answer: Promise<Answer>): Promise<void> => saw(seen, id, await answer);

  const request = await valid(context);
  const answer = await send(request);
  saw(seen, id, answer);
  if (operation.responses['304'] !== undefined)
    await see(send(request, { 'if-none-match': answer.headers.get('etag')! }));
  const { path, body } = request;
  await see(callerOf(service, side, method, {})(request));
  await see(callerOf(service, side, method, credentialsOf(side, weak))(request));
  if (operation.requestBody !== undefined) {
    await see(send({ path, body: '{' }));
    await see(send({ path, body: { unknown: 'x'.repeat(1024 * 1024) } }));
  } else if (operation.parameters?.some((each) => each.in === 'path')) {
    await see(send({ path: elsewhere(path, () => '-') }));
  } else if (operation.parameters?.some((each) => each.in === 'query')) {
    await see(send({ path: `${path.split('?')[0]}?limit=0&status=unknown` }));
  } else {
    const base = side === 'partner' ? `${service.url}/v1` : `${service.operatorUrl}/operator`;
    await see(malformed(base + path, method));
  }
  if (found.path.includes('{')) {
    await see(send({ path: elsewhere(path, () => randomUUID()), ...(body !== undefined && { body }) }));
  }
}

async function provokePartner(found: DocumentedOperation, context: Context, seen: Seen): Promise<void> {
  const { service, world } = context;
  const { operation, method } = found;
  const id = operation.operationId;
  const request = await PARTNER[id]!(context);
  const permissions = [operation['x-permission'] as Permission];
  const send = callerOf(service, 'partner', method, {});

  const { key: limited } = await createPartner(service, { permissions, partner: { rateLimitPerMinute: 1 } });
  await send(request, { 'x-api-key': limited });
  saw(seen, id, await send(request, { 'x-api-key': limited }));

  const domains = { allowedDomains: ['example.sa'], sandboxDomains: ['sandbox.example.sa'] };
  const { key } = await createPartner(service, { permissions, partner: domains });
  for (const domain of ['elsewhere.sa', 'sandbox.example.sa']) {
    saw(seen, id, await send(request, { 'x-api-key': key, 'x-partner-domain': domain }));
  }
  assert.ok(world.key !== key);
}

// ---------------------------------------------------------------------------

async function openContext(
  t: TestContext,
  env: Record<string, string> = {},
  sandboxFromTestNow = false,
): Promise<Context> {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, {
    env: {
      IDEMPOTENCY: 'on',
      SANDBOX_DOMAIN_CHECK: 'true',
      WEBHOOK_ALLOW_HOSTS: receiver.host,
      ...env,
    },
    sandboxFromTestNow,
    maxAuthFailures: 1_000_000,
  });
  // Every payment is in the hands of a worker that does nothing: it stays as the tests write it.
  await service.deps.db.rows({
    text: `
      alter table payments alter lease set default gen_random_uuid(),
        alter leased_until set default '2100-01-01'`,
  });
  return { service, world: await createHookWorld(service), receiver };
}

test("the partners' operations, in every documented status and with every documented code", async (t) => {
  const seen: Seen = new Map();
  const context = await openContext(t);
  const { service, world } = context;
  const { key: weak } = await createPartnerKey(service, world.partnerId, ['partner_webhooks_manage']);
  const { key: other } = await createPartnerKey(service, world.partnerId, ['partner_pricing_read']);
  const { operations } = checkerOf('partner');

  for (const found of operations) {
    const isWebhooks = found.operation['x-permission'] === 'partner_webhooks_manage';
    await provoke(found, 'partner', context, { good: world.key, weak: isWebhooks ? other : weak }, seen);
    await provokePartner(found, context, seen);
  }
  await provokeRefusals('partner', context, world.key, seen);
  await provokeFailures('partner', context, world.key, seen);
  assert.deepEqual(unseen('partner', seen), [], 'documented, but never seen');
});

test("the operator's operations, in every documented status and with every documented code", async (t) => {
  const seen: Seen = new Map();
  const context = await openContext(t);
  const clockGround = await openContext(t, {}, true);
  const secured = await startTestService(t, { env: { REQUIRE_HTTPS: 'true' } });
  const guessed = await startTestService(t, { maxAuthFailures: 1 });
  assert.equal((await call(guessed.url, 'GET', '/operator/partners')).status, 401);
  const { operations } = checkerOf('operator');
  const viewer = await made(context.service.operator('POST', '/tokens', NEW['/tokens']()));
  const weakToken = (viewer as unknown as { token: string }).token;

  for (const found of operations) {
    const { operationId } = found.operation;
    const isClock = CLOCK.includes(operationId);
    const here = isClock ? clockGround : context;
    await provoke(found, 'operator', here, { good: OPERATOR_TOKEN, weak: weakToken }, seen);
    const request = await OPERATOR[operationId]!(here);
    const credentials = credentialsOf('operator', OPERATOR_TOKEN);
    // A viewer's operations are refused only for requests without TLS where it is required.
    saw(seen, operationId, await callerOf(secured, 'operator', found.method, credentials)(request));
    const wrong = credentialsOf('operator', 'wrong');
    saw(seen, operationId, await callerOf(guessed, 'operator', found.method, wrong)(request));
    if (isClock) {
      saw(seen, operationId, await callerOf(context.service, 'operator', found.method, credentials)(request));
    }
  }
  const guess = await call(guessed.url, 'POST', '/operator/sessions', { token: 'wrong' });
  saw(seen, 'openSession', guess);
  await provokeRefusals('operator', context, OPERATOR_TOKEN, seen);
  await provokeFailures('operator', context, OPERATOR_TOKEN, seen);
  await provokeFailures('operator', clockGround, OPERATOR_TOKEN, seen);
  for (const id of NEVER_500) seen.set(`${id} 500 INTERNAL_ERROR`, new Set());
  assert.deepEqual(unseen('operator', seen), [], 'documented, but never seen');
});

async function provokeRefusals(side: Side, context: Context, good: string, seen: Seen): Promise<void> {
  for (const { id, code, message, request } of TABLES[side].refused) {
    const found = checkerOf(side).operations.find(({ operation }) => operation.operationId === id);
    assert.ok(found, `${side} ${id} is not documented`);
    const send = callerOf(context.service, side, found.method, credentialsOf(side, good));
    const answer = await send(await request(context));
    assert.equal(answer.body.error?.code, code, `${id}: ${answer.text}`);
    if (message !== undefined) assert.equal(answer.body.error.message, message);
    saw(seen, id, answer);
  }
}

/** Every valid request again, while the database does not respond. */
async function provokeFailures(side: Side, context: Context, good: string, seen: Seen): Promise<void> {
  const prepared: { found: DocumentedOperation; request: Request }[] = [];
  for (const found of checkerOf(side).operations) {
    prepared.push({ found, request: await TABLES[side].valid[found.operation.operationId]!(context) });
  }
  await context.service.deps.db.close();
  for (const { found, request } of prepared) {
    const send = callerOf(context.service, side, found.method, credentialsOf(side, good));
    saw(seen, found.operation.operationId, await send(request));
  }
}

// ---------------------------------------------------------------------------
// What receivers of webhooks get

test('every webhook matches the document', async (t) => {
  const context = await openContext(t);
  const { service, world, receiver } = context;
  const { id } = await subscribe(service, world.key, { url: receiver.url, events: [...EVENT_NAMES] });
  const bookingId = await booking(world);
  const path = `/partners/bookings/${bookingId}`;
  await made(service.v1(world.key, 'PATCH', path, nextSlot(world)));
  await made(service.v1(world.key, 'POST', `${path}/confirm-payment`, {}));
  const { appointmentId } = (await made(service.v1(world.key, 'GET', `${path}/status`))) as Record<
    string,
    string
  >;
  await made(service.operator('PATCH', `/appointments/${appointmentId}`, { status: 'Confirmed' }));
  await made(service.v1(world.key, 'PATCH', `${path}/cancel`, { reasonId: await reason(service) }));
  await made(
    service.operator('PATCH', `/partners/${world.partnerId}`, { paymentResponsibility: 'PLATFORM' }),
  );
  const unpaid = await booking(world);
  await service.deps.db.transaction(async (tx) => {
    const locked = await lockForPayment(tx, unpaid);
    assert.ok(
      await paymentFailed(tx, service.clock.now(), locked, {
        reason: 'The payment link expired',
        by: 'test',
        payment: locked.payment!,
      }),
    );
  });
  const paid = await booking(world);
  await service.deps.db.transaction(async (tx) => {
    const locked = await lockForPayment(tx, paid);
    assert.ok(await customerPaid(tx, service.clock.now(), locked, locked.payment!));
    await bookingRefunded(tx, service.clock.now(), paid, 'test');
    const fees = withTotal([], 0, { action: 'decide', at: service.clock.now() });
    const refunded = await lockForPayment(tx, paid);
    await saveFees(tx, service.clock.now(), refunded, { fees, cause: 'GATEWAY', by: 'test' });
  });
  await made(service.v1(world.key, 'POST', `${SUBSCRIPTIONS}/${id}/test`));

  const events = Object.keys(checkerOf('partner').document.webhooks ?? {});
  assert.deepEqual(events, [...EVENT_NAMES, 'webhook.test']);
  const missing = (): string[] =>
    events.filter((event) => receiver.received.every(({ json }) => json.event !== event));
  await until(() => missing().length === 0, missing);
  for (const received of receiver.received) {
    assert.deepEqual(deliveryFaults(received), [], received.body.toString());
  }

  const good = receiver.received[0]!;
  const headers = (change: Record<string, string>) =>
    deliveryFaults({ ...good, headers: { ...good.headers, ...change } });
  assert.equal(headers({ 'x-service-signature': 'sha256=0' }).length, 1, 'a header of another form');
  assert.equal(headers({ 'x-new': '1' }).length, 1, 'a header that is not documented');
  const { 'webhook-id': _, ...fewer } = good.headers;
  assert.equal(deliveryFaults({ ...good, headers: fewer }).length, 1, 'a header that is missing');
  const { payload, ...rest } = good.json;
  assert.equal(deliveryFaults({ ...good, json: rest }).length, 1, 'a field that is missing');
  assert.equal(deliveryFaults({ ...good, json: { ...good.json, at: 1 } }).length, 1, 'a field too many');
  const more = { ...rest, payload: { ...payload, hours: 1 } };
  assert.equal(deliveryFaults({ ...good, json: more }).length, 1, 'a field of the payload too many');
  assert.equal(headers({ 'x-service-event': 'booking.lost' }).length, 1, 'an event that is not documented');
});

// ---------------------------------------------------------------------------
// The check itself

test('an undocumented response or request is found', () => {
  const { document } = checkerOf('partner');
  const data = (document.paths['/partners/contacts']!.post!.responses[200]!.content!['application/json']!
    .example ?? {}) as { success: true; data: Record<string, unknown> };
  const good = {
    method: 'POST',
    url: 'http://x/v1/partners/contacts',
    requestHeaders: {},
    requestBody: { phone: '+966501234567', name: 'Noura' },
    status: 200,
    headers: new Headers({ ...RESPONSE_HEADERS, 'x-request-id': 'a', 'content-type': 'application/json' }),
    text: JSON.stringify(data),
  };
  const faults = (change: Partial<typeof good>): number => exchangeFaults({ ...good, ...change }).length;
  assert.equal(faults({}), 0);
  assert.equal(faults({ text: JSON.stringify({ ...data, extra: 1 }) }), 1, 'a field that is not documented');
  const { phone: _, ...rest } = data.data;
  assert.equal(faults({ text: JSON.stringify({ ...data, data: rest }) }), 1, 'a field that is missing');
  assert.equal(faults({ text: JSON.stringify({ ...data, data: { ...rest, phone: 5 } }) }), 1, 'a wrong type');
  assert.equal(faults({ status: 201 }), 1, 'a status that is not documented');
  const headers = (more: Record<string, string>) =>
    new Headers({ ...Object.fromEntries(good.headers), ...more });
  assert.equal(faults({ headers: headers({ 'x-new': '1' }) }), 1, 'a header that is not documented');
  assert.equal(faults({ headers: headers({ 'x-api-version': '2' }) }), 1, 'a header of another value');
  assert.equal(
    faults({ headers: headers({ 'cache-control': 'private, no-cache' }) }),
    1,
    'kept without a tag',
  );
  for (const name of ['x-request-id', ...Object.keys(RESPONSE_HEADERS)]) {
    const fewer = new Headers(good.headers);
    fewer.delete(name);
    assert.equal(faults({ headers: fewer }), 1, `a header that is missing: ${name}`);
  }
  assert.equal(
    faults({ requestBody: { name: 'Noura' } as typeof good.requestBody }),
    1,
    'a request that was accepted',
  );
  const details = { docUrl: 'http://x/docs/errors#conflict' };
  const error = { code: 'CONFLICT', message: 'x', details, requestId: 'a' };
  const refusal = JSON.stringify({ success: false, error });
  assert.equal(faults({ status: 401, text: refusal }), 1, 'a code that is not of the operation');
  assert.equal(faults({ url: 'http://x/v1/partners/nothing' }), 1, 'an operation that is not documented');
  assert.equal(faults({ url: 'http://x/livez' }), 0, 'outside the interfaces');

  const other = createChecker({ ...document, paths: {} });
  assert.equal(faultsAgainst(other, good, '/partners/contacts', new URLSearchParams()).length, 1);
});

test('documented but unseen statuses and codes are named', () => {
  const all = documented('partner');
  const seen: Seen = new Map([...all].map(([key, examples]) => [key, new Set(examples)]));
  assert.deepEqual(unseen('partner', seen), []);
  seen.delete('createBooking 200');
  const contact = 'Contact not found | docUrl: #resource-not-found" | resource: "contact"';
  assert.ok(seen.get('createBooking 404 RESOURCE_NOT_FOUND')!.delete(contact));
  assert.deepEqual(unseen('partner', seen), [
    'createBooking 200',
    `createBooking 404 RESOURCE_NOT_FOUND: ${contact}`,
  ]);
  // Also when the message is the same, and the details are not.
  seen.get('createBooking 404 RESOURCE_NOT_FOUND')!.add('Contact not found | resource: "contact"');
  assert.equal(unseen('partner', seen).length, 2);
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { afterwards } from '../../../test/harness.ts';
import { type MoyasarServer, startMoyasar } from '../../../test/moyasar-server.ts';
import { HOUR } from '../../base/clock.ts';
import { createLogger } from '../../runtime/logger.ts';
import { type Gateway, GatewayError, type GatewayStatus, type LinkRequest } from '../gateway.ts';
import { type MoyasarOptions, moyasarGateway } from './moyasar.ts';

const NOW = Date.parse('2026-11-22T05:00:00Z');

type Started = { server: MoyasarServer; gateway: Gateway; clock: { now: number } };

async function start(t: TestContext, changes: Partial<MoyasarOptions> = {}): Promise<Started> {
  const clock = { now: NOW };
  const server = await startMoyasar(t, () => clock.now);
  const gateway = moyasarGateway({
    secretKey: server.secretKey,
    webhookToken: server.webhookToken,
    baseUrl: server.url,
    callbackUrl: () => 'http://127.0.0.1:9/callback', // a closed port
    timeout: 500,
    ...changes,
  });
  return { server, gateway, clock };
}

function linkRequest(changes: Partial<LinkRequest> = {}): LinkRequest {
  return {
    paymentId: randomUUID(),
    bookingId: randomUUID(),
    amount: '150.00',
    description: 'Deep cleaning',
    expiresAt: NOW + 24 * HOUR,
    mayExist: false,
    ...changes,
  };
}

async function failure(work: Promise<unknown>): Promise<GatewayError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof GatewayError, String(error));
  return error;
}

const statuses = (server: MoyasarServer): string[] =>
  [...server.invoices.values()].map(({ status }) => status);

// ---------------------------------------------------------------------------
// Links

test('a link is an invoice in halalas that expires and carries our ids', async (t) => {
  const { server, gateway } = await start(t, { successUrl: 'https://p.example/thanks' });
  const request = linkRequest({ amount: '1234.05' });
  const link = await gateway.createLink(request);
  const [invoice = assert.fail(), ...others] = server.invoices.values();
  assert.deepEqual(others, []);
  assert.deepEqual(link, { reference: invoice.id, url: invoice.url });
  const { amount, currency, description, success_url, expired_at, metadata } = invoice;
  assert.deepEqual(
    { amount, currency, description, success_url, expired_at, metadata },
    {
      amount: 123_405,
      currency: 'SAR',
      description: 'Deep cleaning',
      success_url: 'https://p.example/thanks',
      expired_at: '2026-11-23T05:00:00.000Z',
      metadata: { payment_id: request.paymentId, booking_id: request.bookingId },
    },
  );
  // A first try does not search.
  assert.deepEqual(
    server.calls.map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/invoices'],
  );
});

test('an invoice whose answer was lost is found again, not made again', async (t) => {
  for (const kind of ['lost', 'slow', 'garbage', 'empty', 'huge', 'trickle'] as const) {
    await t.test(kind, async (inner) => {
      const { server, gateway } = await start(inner);
      const request = linkRequest();
      server.fault = { kind, on: /POST/, times: 1, milliseconds: 2_000 };
      assert.equal((await failure(gateway.createLink(request))).temporary, true);
      const link = await gateway.createLink({ ...request, mayExist: true });
      assert.equal(server.invoices.size, 1);
      assert.equal(link.reference, [...server.invoices.keys()][0]);
    });
  }
});

test('nothing made by the earlier try: it is made now', async (t) => {
  const { server, gateway } = await start(t);
  await gateway.createLink(linkRequest());
  const request = linkRequest({ mayExist: true });
  const link = await gateway.createLink(request);
  assert.equal(server.invoices.get(link.reference)?.metadata?.payment_id, request.paymentId);
  assert.equal(server.invoices.size, 2);
});

test('an invoice is found on a later page, also when the filter is ignored and pages overlap', async (t) => {
  const { server, gateway } = await start(t);
  const request = linkRequest();
  const first = await gateway.createLink(request);
  for (let others = 0; others < 7; others++) await gateway.createLink(linkRequest());
  server.listing = { pageSize: 3, ignoresMetadata: true, repeats: true };
  const again = await gateway.createLink({ ...request, mayExist: true });
  assert.deepEqual(again, first);
  assert.deepEqual(new Set(statuses(server)), new Set(['initiated']));
  assert.equal(server.calls.filter(({ path }) => path.includes('page=')).length, 3);
});

test('an invoice that is listed twice is not taken for two', async (t) => {
  const { server, gateway } = await start(t);
  const request = linkRequest();
  const twice = [await gateway.createLink(request), await gateway.createLink(request)];
  server.listing = { pageSize: 1, ignoresMetadata: false, repeats: true };
  const { reference } = await gateway.createLink({ ...request, mayExist: true });
  assert.equal(server.invoices.get(reference)?.status, 'initiated');
  assert.deepEqual(statuses(server).sort(), ['canceled', 'initiated']);
  assert.ok(twice.some((link) => link.reference === reference));
});

test('the search ends, however long the list', async (t) => {
  const { server, gateway } = await start(t);
  for (let others = 0; others < 12; others++) await gateway.createLink(linkRequest());
  server.listing = { pageSize: 1, ignoresMetadata: true, repeats: false };
  server.calls.length = 0;
  await gateway.createLink(linkRequest({ mayExist: true }));
  assert.equal(server.calls.filter(({ path }) => path.includes('page=')).length, 10);
});

test('of several invoices of one payment the paid one counts, and the open ones are cancelled', async (t) => {
  const { server, gateway } = await start(t);
  const request = linkRequest();
  const links = [];
  for (let made = 0; made < 3; made++) links.push(await gateway.createLink(request));
  await server.pay(links[1]!.reference);
  assert.deepEqual(await gateway.createLink({ ...request, mayExist: true }), links[1]);
  assert.deepEqual(statuses(server), ['canceled', 'paid', 'canceled']);
});

test('of several open invoices the first made is kept, every time', async (t) => {
  const { server, gateway, clock } = await start(t);
  const request = linkRequest();
  const links = [];
  for (let made = 0; made < 3; made++) {
    links.push(await gateway.createLink(request));
    clock.now += 1_000;
  }
  for (let again = 0; again < 2; again++) {
    assert.deepEqual(await gateway.createLink({ ...request, mayExist: true }), links[0]);
  }
  assert.deepEqual(statuses(server), ['initiated', 'canceled', 'canceled']);
});

test('an open invoice of another amount is replaced; expired and cancelled ones are left alone', async (t) => {
  const { server, gateway, clock } = await start(t);
  const request = linkRequest();
  await gateway.createLink({ ...request, expiresAt: NOW + HOUR });
  await gateway.createLink({ ...request, amount: '99.00' });
  clock.now += 2 * HOUR;
  const link = await gateway.createLink({ ...request, mayExist: true });
  assert.equal(server.invoices.get(link.reference)?.amount, 15_000);
  assert.deepEqual(statuses(server), ['expired', 'canceled', 'initiated']);
});

test("an account's other invoices need not be readable", async (t) => {
  const { server, gateway } = await start(t);
  const link = await gateway.createLink(linkRequest());
  Object.assign(server.invoices.get(link.reference)!, { url: null, amount: '12', metadata: null });
  server.listing.ignoresMetadata = true;
  await gateway.createLink(linkRequest({ mayExist: true }));
  assert.equal(server.invoices.size, 2);
});

test('an amount below what the gateway takes is refused for good', async (t) => {
  const { gateway } = await start(t);
  const error = await failure(gateway.createLink(linkRequest({ amount: '0.99' })));
  assert.equal(error.temporary, false);
  assert.match(error.message, /400.*amount/);
  await gateway.createLink(linkRequest({ amount: '1.00' }));
  await assert.rejects(gateway.createLink(linkRequest({ amount: '1.005' })), RangeError);
});

// ---------------------------------------------------------------------------
// Status

test('the life of an invoice, as its status tells', async (t) => {
  const { server, gateway, clock } = await start(t);
  const request = linkRequest({ amount: '150.05' });
  const { reference } = await gateway.createLink(request);
  const open = { reference, paymentId: request.paymentId, state: 'open', payments: [] };
  assert.deepEqual(await gateway.readStatus(reference), open);

  // A refused card is not the end: the same page takes another one.
  const refused = await server.fail(reference);
  assert.equal(server.invoices.get(reference)?.status, 'failed');
  const attempt = { currency: 'SAR', amount: '150.05', refunded: '0.00', at: NOW };
  const failed = { ...attempt, reference: refused!.id, status: 'failed', charged: '0.00' };
  assert.deepEqual(await gateway.readStatus(reference), { ...open, payments: [failed] });

  clock.now += HOUR;
  const made = await server.pay(reference);
  const charge = { ...attempt, reference: made!.id, status: 'paid', charged: '150.05', at: NOW + HOUR };
  const paid = { ...open, state: 'closed', payments: [failed, charge] };
  assert.deepEqual(await gateway.readStatus(reference), paid);

  clock.now += HOUR;
  await gateway.refund(reference, made!.id, '50.00');
  const given = { ...charge, status: 'refunded', refunded: '50.00' };
  assert.deepEqual(await gateway.readStatus(reference), { ...paid, payments: [failed, given] });
});

/** Sums of a status's payments: charged and refunded. */
const sumsOf = ({ state, payments }: GatewayStatus) => ({
  state,
  payments: payments.map(({ charged, refunded }) => [charged, refunded]),
});

test('cancelled and expired invoices are closed; a voided one is paid and wholly given back', async (t) => {
  const { server, gateway, clock } = await start(t);
  const [cancelled, expired, voided] = [
    await gateway.createLink(linkRequest()),
    await gateway.createLink(linkRequest({ expiresAt: NOW + HOUR })),
    await gateway.createLink(linkRequest()),
  ];
  await gateway.closeLink(cancelled.reference);
  await server.pay(voided.reference);
  await server.void(voided.reference);
  clock.now += HOUR;
  assert.equal((await gateway.readStatus(cancelled.reference)).state, 'closed');
  assert.equal((await gateway.readStatus(expired.reference)).state, 'closed');
  assert.deepEqual(sumsOf(await gateway.readStatus(voided.reference)), {
    state: 'closed',
    payments: [['150.00', '150.00']],
  });
});

test('money that came counts, whatever the invoice calls itself, and twice when it came twice', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  const first = (await server.pay(reference))!;
  const invoice = server.invoices.get(reference)!;
  invoice.status = 'canceled';
  const paid = ['150.00', '0.00'];
  assert.deepEqual(sumsOf(await gateway.readStatus(reference)), { state: 'closed', payments: [paid] });
  const second = { ...first, id: randomUUID() };
  invoice.payments.push(second);
  assert.deepEqual(sumsOf(await gateway.readStatus(reference)).payments, [paid, paid]);
  // An invoice that another try has opened again can be paid once more.
  invoice.status = 'failed';
  assert.deepEqual(sumsOf(await gateway.readStatus(reference)), { state: 'open', payments: [paid, paid] });
  await gateway.refund(reference, second.id, '150.00');
  assert.deepEqual([first.refunded, second.refunded], [0, 15_000]);
});

test('of a payment that was captured in part only that part was charged, of one that is held nothing', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  const payment = (await server.pay(reference))!;
  const invoice = server.invoices.get(reference)!;
  Object.assign(payment, { status: 'authorized' });
  invoice.status = 'initiated';
  assert.deepEqual(sumsOf(await gateway.readStatus(reference)), {
    state: 'open',
    payments: [['0.00', '0.00']],
  });
  invoice.status = 'paid';
  Object.assign(payment, { status: 'captured', captured: 5_000 });
  assert.deepEqual(sumsOf(await gateway.readStatus(reference)).payments, [['50.00', '0.00']]);
  Object.assign(payment, { status: 'refunded', refunded: 2_000 });
  assert.deepEqual(sumsOf(await gateway.readStatus(reference)).payments, [['50.00', '20.00']]);
  assert.equal((await failure(gateway.refund(reference, payment.id, '50.01'))).temporary, false);
});

test('an answer that is not what the contract promises is temporary, and never a state', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  await server.pay(reference);
  const good = structuredClone(server.invoices.get(reference)!);
  const payment = good.payments[0]!;
  for (const changes of [
    { status: 'finished', payments: [] },
    { status: null },
    { amount: '15000' },
    { amount: 150.5 },
    { currency: 682 },
    { url: 'javascript:alert(1)' },
    { created_at: 'yesterday' },
    { payments: [] },
    { payments: [null] },
    { payments: [{ ...payment, amount: -1 }] },
    { payments: [{ ...payment, refunded: '0' }] },
  ]) {
    server.invoices.set(reference, { ...good, ...changes } as never);
    assert.equal((await failure(gateway.readStatus(reference))).temporary, true, JSON.stringify(changes));
  }
});

// ---------------------------------------------------------------------------
// Closing

test('a closed link cannot be paid; closing again and closing a paid one are no errors', async (t) => {
  for (const cancelMethod of ['PUT', 'GET'] as const) {
    await t.test(cancelMethod, async (inner) => {
      const { server, gateway } = await start(inner);
      server.cancelMethod = cancelMethod;
      const { reference } = await gateway.createLink(linkRequest());
      await server.fail(reference);
      await gateway.closeLink(reference);
      assert.equal(await server.pay(reference), null);
      await gateway.closeLink(reference);

      const paid = await gateway.createLink(linkRequest());
      await server.pay(paid.reference);
      await gateway.closeLink(paid.reference);
      assert.equal((await gateway.readStatus(paid.reference)).payments[0]!.status, 'paid');
    });
  }
});

test('a link that stays open is not called closed', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  for (const [status, temporary] of [
    [400, false],
    [500, true],
    [429, true],
  ] as const) {
    server.fault = { kind: 'status', status, on: /cancel/ };
    assert.equal((await failure(gateway.closeLink(reference))).temporary, temporary);
  }
  server.fault = { kind: 'down', on: /cancel/ };
  assert.equal((await failure(gateway.closeLink(reference))).temporary, true);
  server.fault = null;
  assert.equal((await failure(gateway.closeLink(randomUUID()))).temporary, false);
});

test('a close whose answer was lost is simply made again', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  server.fault = { kind: 'lost', on: /cancel/, times: 1 };
  assert.equal((await failure(gateway.closeLink(reference))).temporary, true);
  await gateway.closeLink(reference);
  assert.equal(server.invoices.get(reference)?.status, 'canceled');
});

// ---------------------------------------------------------------------------
// Giving back

const refunds = (server: MoyasarServer): unknown[] =>
  server.calls.filter(({ path }) => path.endsWith('/refund')).map(({ body }) => JSON.parse(body));

test('a refund is made once, however often it is asked for', async (t) => {
  for (const kind of ['lost', 'slow', 'garbage', 'empty', 'huge'] as const) {
    await t.test(kind, async (inner) => {
      const { server, gateway } = await start(inner);
      const { reference } = await gateway.createLink(linkRequest());
      await server.fail(reference);
      const payment = await server.pay(reference);
      server.fault = { kind, on: /refund/, times: 1, milliseconds: 2_000 };
      assert.equal((await failure(gateway.refund(reference, payment!.id, '150.00'))).temporary, true);
      for (let again = 0; again < 2; again++) {
        await gateway.refund(reference, payment!.id, '150.00');
      }
      assert.deepEqual(refunds(server), [{ amount: 15_000 }]);
      assert.equal(payment!.refunded, 15_000);
    });
  }
});

test('what was given back already counts towards the whole', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  const { id } = (await server.pay(reference))!;
  await gateway.refund(reference, id, '50.00');
  await gateway.refund(reference, id, '40.00');
  await gateway.refund(reference, id, '150.00');
  assert.deepEqual(refunds(server), [{ amount: 5_000 }, { amount: 10_000 }]);
});

test('no more is given back than came, and nothing when nothing came', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  const { id } = (await server.fail(reference))!;
  assert.equal((await failure(gateway.refund(reference, id, '150.00'))).temporary, false);
  const paid = (await server.pay(reference))!;
  assert.equal((await failure(gateway.refund(reference, paid.id, '150.01'))).temporary, false);
  assert.equal((await failure(gateway.refund(reference, randomUUID(), '150.00'))).temporary, false);
  assert.deepEqual(refunds(server), []);
  assert.equal((await failure(gateway.refund(randomUUID(), paid.id, '150.00'))).temporary, false);
});

test('a refund that the answer does not show is not taken for one', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  const payment = await server.pay(reference);
  Object.defineProperty(payment, 'refunded', { get: () => 0, set: () => {}, enumerable: true });
  assert.equal((await failure(gateway.refund(reference, payment!.id, '150.00'))).temporary, true);
});

test('a voided payment is not given back a second time', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  const { id } = (await server.pay(reference))!;
  await server.void(reference);
  await gateway.refund(reference, id, '150.00');
  assert.deepEqual(refunds(server), []);
});

// ---------------------------------------------------------------------------
// Trouble

test('which errors are worth another try', async (t) => {
  const { server, gateway } = await start(t);
  const { reference } = await gateway.createLink(linkRequest());
  const temporary = async () => (await failure(gateway.readStatus(reference))).temporary;
  for (const kind of ['down', 'lost', 'slow', 'garbage', 'empty', 'huge', 'trickle'] as const) {
    server.fault = { kind, milliseconds: 2_000 };
    assert.equal(await temporary(), true, kind);
  }
  for (const [status, expected] of [
    [302, true],
    [400, false],
    [401, true],
    [403, true],
    [404, false],
    [405, true],
    [408, true],
    [422, false],
    [429, true],
    [500, true],
    [503, true],
  ] as const) {
    server.fault = { kind: 'status', status };
    assert.equal(await temporary(), expected, `${status}`);
  }
});

test('nobody there, and a wrong key', async (t) => {
  const nobody = await start(t, { baseUrl: 'http://127.0.0.1:9/v1' });
  assert.equal((await failure(nobody.gateway.createLink(linkRequest()))).temporary, true);
  const wrong = await start(t, { secretKey: 'sk_test_another' });
  const error = await failure(wrong.gateway.createLink(linkRequest()));
  assert.equal(error.temporary, true);
  assert.match(error.message, /401/);
  assert.equal(wrong.server.invoices.size, 0);
});

test('a reference cannot lead anywhere else', async (t) => {
  const { server, gateway } = await start(t);
  for (const reference of ['', '..', '..', 'a/b', 'a?b', 'a#b', 'a%2fb', 'x'.repeat(101)]) {
    assert.equal((await failure(gateway.readStatus(reference))).temporary, false, reference);
    await failure(gateway.closeLink(reference));
    await failure(gateway.refund(reference, reference, '1.00'));
  }
  assert.deepEqual(server.calls, []);
});

test('errors tell no key and no token', async (t) => {
  const { server, gateway } = await start(t);
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  for (const kind of ['down', 'lost', 'slow', 'garbage', 'status', 'trickle'] as const) {
    server.fault = { kind };
    logger.error({ err: await failure(gateway.createLink(linkRequest())) }, 'failed');
  }
  assert.equal(lines.length, 6);
  const basic = Buffer.from(`${server.secretKey}:`).toString('base64');
  for (const line of lines) {
    for (const secret of [server.secretKey, server.webhookToken, basic])
      assert.ok(!line.includes(secret), line);
  }
});

test('an empty key or token does not start', () => {
  const options = { secretKey: 'a', webhookToken: 'b', callbackUrl: () => 'https://p.example' };
  assert.throws(() => moyasarGateway({ ...options, webhookToken: '' }), TypeError);
  assert.throws(() => moyasarGateway({ ...options, secretKey: '' }), TypeError);
});

// ---------------------------------------------------------------------------
// Notifications

type Received = { path: string; body: Record<string, unknown> };

/** The receiver of notifications, with the query's token where the service puts it. */
async function startReceiver(t: TestContext): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const token = searchParams.get('token');
    received.push({ path: pathname, body: token === null ? body : { secret_token: token, ...body } });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

test('webhook and callback of a paid invoice lead to its link', async (t) => {
  const receiver = await startReceiver(t);
  const { server, gateway } = await start(t, { callbackUrl: () => `${receiver.url}/callback?via=moyasar` });
  server.webhookUrl = `${receiver.url}/webhook`;
  const request = linkRequest();
  const { reference } = await gateway.createLink(request);
  await server.fail(reference);
  await server.pay(reference);
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/webhook', '/webhook', '/callback'],
  );
  for (const { body } of receiver.received) {
    assert.deepEqual(gateway.parseNotification(body), { reference, paymentId: request.paymentId });
  }
  // The secret itself is in no URL.
  assert.ok(!server.invoices.get(reference)!.callback_url!.includes(server.webhookToken));
});

test('a notification that is not genuine is forged, a genuine one about no link is of something other', async (t) => {
  const receiver = await startReceiver(t);
  const { server, gateway } = await start(t, { callbackUrl: () => `${receiver.url}/callback` });
  server.webhookUrl = `${receiver.url}/webhook`;
  const link = await gateway.createLink(linkRequest());
  const other = linkRequest();
  await gateway.createLink(other);
  await server.pay(link.reference);
  const [{ body: event } = assert.fail(), { body: callback } = assert.fail()] = receiver.received;
  const data = event.data as Record<string, unknown>;
  for (const body of [event, callback]) assert.ok(typeof gateway.parseNotification(body) === 'object');

  const { secret_token: _, ...without } = event;
  const forged = [
    without,
    { ...event, secret_token: '' },
    { ...event, secret_token: null },
    { ...event, secret_token: [server.webhookToken] },
    { ...event, secret_token: `${server.webhookToken} ` },
    { ...event, secret_token: server.webhookToken.slice(0, -1) },
    // The token of one payment's callback speaks for no other, and for no event.
    { ...callback, metadata: { payment_id: other.paymentId } },
    { ...callback, metadata: null },
    { ...event, secret_token: callback.secret_token },
    null,
    undefined,
    'text',
    [event],
    {},
  ];
  for (const body of forged) assert.equal(gateway.parseNotification(body), 'forged', JSON.stringify(body));

  const elsewhere = [
    { ...event, data: { ...data, invoice_id: null } },
    { ...event, data: { ...data, invoice_id: '../x' } },
    { ...event, data: { ...data, invoice_id: 7 } },
    { ...event, type: 'balance_transferred', data: { id: randomUUID() } },
  ];
  for (const body of elsewhere) assert.equal(gateway.parseNotification(body), 'other', JSON.stringify(body));
  assert.deepEqual(gateway.parseNotification({ ...event, data: { ...data, metadata: null } }), {
    reference: link.reference,
    paymentId: null,
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installSdk } from '../sdk/test/installed.ts';
import { signedRequest } from '../src/webhooks/signature.ts';
import { launchChromium, openPage, withoutChromium } from './browser.ts';
import { type ChildService, startChildService } from './child-service.ts';
import { type Answer, afterwards, call } from './harness.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** examples/partner-app against the real service, both as their users start them. */
const APP = fileURLToPath(new URL('../examples/partner-app/main.js', import.meta.url));

type Shop = {
  url: string;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The shop's newest order. */
  newest(): Promise<Answer['body']>;
  output(): string;
  end(): Promise<void>;
};

async function startShop(
  t: TestContext,
  service: ChildService,
  env: Record<string, string>,
  listening = /shop on (\S+)/,
): Promise<Shop> {
  const child = spawn(process.execPath, [join(service.folder, 'app/main.js')], {
    cwd: service.folder,
    env: {
      PATH: process.env.PATH ?? '',
      PARTNER_BOOKING_URL: service.baseUrl,
      PARTNER_BOOKING_KEY: service.keys.partner,
      PORT: '0',
      POLL_SECONDS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  afterwards(t, end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await until(
    () => listening.test(output),
    () => output,
  );
  const url = /shop on (\S+)/.exec(output)![1]!;
  const ask: Shop['ask'] = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
  };
  const newest = async () => (await ask('GET', '/api/orders')).body[0];
  return { url, ask, newest, output: () => output, end };
}

/** Follows the steps of the page up to a free slot, and returns the order. */
async function choose({ ask }: Shop) {
  const customer = { name: 'Noura', phone: '+966501234567', latitude: '24.7136', longitude: '46.6753' };
  const contact = await ask('POST', '/api/customers', customer);
  assert.equal(contact.status, 200, contact.text);
  const { id: contactId, addressId } = contact.body;
  const categories = await ask('GET', `/api/services?addressId=${addressId}`);
  const { id: serviceId, name: title } = categories.body[0].services[0];
  for (let day = 2; day < 9; day++) {
    const date = new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10);
    const query = new URLSearchParams({ addressId, serviceId, date });
    const [timeslot] = (await ask('GET', `/api/timeslots?${query}`)).body.slots;
    if (timeslot) return { contactId, addressId, serviceId, title, date, timeslot };
  }
  return assert.fail('the demo has free slots');
}

const heard = (shop: Shop, event: string): Promise<void> =>
  until(
    async () => (await shop.newest()).events.includes(event),
    () => `${event}\n${shop.output()}`,
  );

/** A proxy between shop and service, which drops responses that `loses` selects. */
async function lossyProxy(t: TestContext, target: string, loses: (method: string, url: string) => boolean) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { 'x-api-key': String(request.headers['x-api-key']) };
    const body = Buffer.concat(chunks);
    const answer = await fetch(new URL(request.url!, target), {
      method: request.method!,
      headers: { ...headers, ...(body.length > 0 && { 'content-type': 'application/json' }) },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    if (loses(request.method!, request.url!)) request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the example application', async (t) => {
  const port = await freePort();
  const service = await startChildService(t, {
    WEBHOOK_ALLOW_HOSTS: `localhost:${port}`,
    LOG_LEVEL: 'info', // links to customers are log lines
  });
  // As npm installs it for the application.
  cpSync(join(APP, '..'), join(service.folder, 'app'), { recursive: true });
  installSdk(join(service.folder, 'app'));

  await t.test(
    'book, receive the webhook, confirm the payment, cancel: as the README starts it',
    async (t) => {
      const env = { PORT: String(port), WEBHOOK_URL: `http://localhost:${port}/hooks` };
      const shop = await startShop(t, service, env, /webhooks come to/);

      const wanted = await choose(shop);
      const ordered = await shop.ask('POST', '/api/orders', wanted);
      assert.equal(ordered.status, 200, ordered.text);
      const { reference, booking } = ordered.body;
      assert.deepEqual(
        [booking.status, booking.paymentStatus, booking.externalReference],
        ['in progress', 'PENDING', reference],
      );
      await heard(shop, 'booking.created');

      const paid = await shop.ask('POST', '/api/orders/paid', { reference });
      assert.equal(paid.body.booking.paymentStatus, 'PAID', paid.text);
      await heard(shop, 'booking.payment_confirmed');
      const again = await shop.ask('POST', '/api/orders/paid', { reference });
      assert.deepEqual(
        [again.status, again.body.booking.paymentStatus],
        [200, 'PAID'],
        'done already is done',
      );

      await t.test("an operator's change arrives, and updates the list", async () => {
        const operator = service.baseUrl.replace(/\/v1$/, '/operator');
        const authorization = { authorization: `Bearer ${service.operatorToken}` };
        const path = `/appointments/${booking.appointmentId}`;
        const moved = await call(operator, 'PATCH', path, { status: 'Confirmed' }, authorization);
        assert.equal(moved.status, 200, moved.text);
        await until(async () => (await shop.newest()).booking.appointment.status === 'Confirmed');
        await heard(shop, 'booking.appointment_status_changed');
      });

      await t.test('after a restart it knows its orders, and keeps the one subscription', async () => {
        await shop.end();
        const next = await startShop(t, service, env, /webhooks come to/);
        assert.equal((await next.newest()).reference, reference);
        const list = await call(service.baseUrl, 'GET', '/partners/webhooks/subscriptions', undefined, {
          'x-api-key': service.keys.partner,
        });
        assert.deepEqual(
          list.body.data.map(({ url }: { url: string }) => url),
          [env.WEBHOOK_URL],
        );
        const [reason] = (await next.ask('GET', '/api/reasons')).body;
        const cancelled = await next.ask('POST', '/api/orders/cancel', { reference, reasonId: reason.id });
        assert.equal(cancelled.body.booking.status, 'canceled', cancelled.text);
        await heard(next, 'booking.cancelled');
        const twice = await next.ask('POST', '/api/orders/cancel', { reference, reasonId: reason.id });
        assert.deepEqual([twice.status, twice.body.booking.status], [200, 'canceled']);
      });
    },
  );

  await t.test('the sandbox certifies it, by prove.js', async (t) => {
    const WEBHOOK_URL = `http://localhost:${port}/hooks`;
    await startShop(
      t,
      service,
      { PORT: String(port), WEBHOOK_URL, DATA_FILE: 'proof.json' },
      /webhooks come to/,
    );
    const child = spawn(process.execPath, [join(service.folder, 'app/prove.js')], {
      env: {
        PATH: process.env.PATH ?? '',
        PARTNER_BOOKING_URL: service.baseUrl,
        PARTNER_BOOKING_KEY: service.keys.partner,
        WEBHOOK_URL,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    afterwards(t, () => void child.kill());
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'exit');
    assert.equal(code, 0, output);
    assert.match(output, /^9 of 9 points/m);
    assert.equal([...output.matchAll(/^passed /gm)].length, 10, output); // reconcile, recommended, too
  });

  await t.test('without a subscription: a genuine webhook is taken once, others are refused', async (t) => {
    const secret = `whsec_${'k7Qz'.repeat(10)}k7Q`;
    const shop = await startShop(t, service, { WEBHOOK_SECRET: secret, DATA_FILE: 'forged.json' });
    const { booking, reference } = (await shop.ask('POST', '/api/orders', await choose(shop))).body;

    const post = async ({ body, headers }: { body: string; headers: Record<string, string> }) =>
      (await fetch(`${shop.url}/hooks`, { method: 'POST', body, headers })).status;
    const message = { deliveryId: randomUUID(), event: 'booking.updated', payload: booking };
    const genuine = signedRequest(message, secret, Date.now());
    assert.equal(await post(genuine), 204);
    assert.equal(await post(genuine), 204);
    await heard(shop, 'booking.updated');
    assert.deepEqual((await shop.newest()).events, ['booking.updated']);

    const old = signedRequest({ ...message, deliveryId: randomUUID() }, secret, Date.now() - 600_000);
    assert.equal(await post(old), 401);
    assert.equal(await post({ ...genuine, body: genuine.body.replace('updated', 'created') }), 401);
    assert.equal(await post({ body: genuine.body, headers: {} }), 401);
    assert.equal((await shop.newest()).events.length, 1);

    const form = await fetch(`${shop.url}/api/orders/paid`, {
      method: 'POST',
      body: `{"reference":"${reference}"}`,
    });
    assert.equal(form.status, 415, 'a form of another site does nothing');
    assert.equal((await shop.newest()).booking.paymentStatus, 'PENDING');
  });

  await t.test('a refused cursor: the shop reads its orders again, and books lost ones', async (t) => {
    const first = await startShop(t, service, { DATA_FILE: 'lost.json' });
    const { title, ...wanted } = await choose(first);
    await first.end();
    // As if the service had been restored to a moment before the order.
    const lost = { bookingId: randomUUID(), status: 'in progress' };
    const reference = `ORDER-${randomUUID()}`;
    const order = { reference, title, wanted, booking: lost, problem: null, events: [] };
    const cursor = Buffer.from('f2.00000000.1').toString('base64url');
    writeFileSync(
      join(service.folder, 'lost.json'),
      JSON.stringify({ orders: [order], deliveries: [], cursor }),
    );
    const shop = await startShop(t, service, { DATA_FILE: 'lost.json' });
    const { booking } = await until(async () => {
      const newest = await shop.newest();
      return newest.booking !== null && newest.booking.bookingId !== lost.bookingId && newest;
    }, shop.output);
    assert.equal(booking.externalReference, reference);
  });

  await t.test('a lost response leads to one booking, and the shop finds it', async (t) => {
    let lost = 0;
    const proxy = await lossyProxy(
      t,
      service.baseUrl,
      (method, url) => method === 'POST' && url.endsWith('/partners/bookings') && ++lost === 1,
    );
    const shop = await startShop(t, service, {
      PARTNER_BOOKING_URL: `${proxy}/v1`,
      DATA_FILE: 'lossy.json',
    });
    const ordered = await shop.ask('POST', '/api/orders', await choose(shop));
    assert.equal(ordered.status, 200, ordered.text);
    assert.equal(ordered.body.booking.externalReference, ordered.body.reference);
    assert.equal(lost, 2, 'booked, lost, asked again');
    const own = `/partners/bookings?externalReference=${ordered.body.reference}`;
    const list = await call(service.baseUrl, 'GET', own, undefined, {
      'x-api-key': service.keys.partner,
    });
    assert.deepEqual(list.body.data, [ordered.body.booking]);
  });

  await t.test(
    'where the service collects payment, the shop shows it and polls until it is paid',
    async (t) => {
      const shop = await startShop(t, service, {
        PARTNER_BOOKING_KEY: service.keys.platform,
        DATA_FILE: 'platform.json',
      });
      const { booking, reference } = (await shop.ask('POST', '/api/orders', await choose(shop))).body;
      assert.equal(booking.status, 'waiting payment');
      const refused = await shop.ask('POST', '/api/orders/paid', { reference });
      assert.deepEqual([refused.status, refused.body.code], [422, 'PAYMENT_RESPONSIBILITY_MISMATCH']);

      // The customer gets the link, and pays on the page behind it.
      await until(() => /\/checkout\/[\w-]+/.test(service.output()), service.output);
      const [path] = /\/checkout\/[\w-]+/.exec(service.output())!;
      const paying = await fetch(new URL(path, service.baseUrl), {
        method: 'POST',
        body: new URLSearchParams({ outcome: 'paid' }),
      });
      assert.equal(paying.status, 200);
      await until(async () => (await shop.newest()).booking.paymentStatus === 'PAID', shop.output);
      assert.equal((await shop.newest()).booking.status, 'in progress');
    },
  );

  await t.test('the page books, marks as paid and cancels', { skip: withoutChromium }, async (t) => {
    const shop = await startShop(t, service, { DATA_FILE: 'page.json' });
    const { page, faults } = await openPage(await launchChromium(t));
    await page.goto(shop.url.replace('localhost', '127.0.0.1'));
    await page.getByRole('button', { name: 'Show services' }).click();
    const slots = page.getByLabel('Time');
    const toCheckout = page.getByRole('button', { name: 'Continue' });
    await toCheckout.waitFor();
    // Tomorrow may be a day without a free team.
    for (let day = 2; (await slots.locator('option').count()) === 0 && day < 9; day++) {
      const date = new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel('Date').fill(date);
      await page.waitForLoadState('networkidle');
    }
    const operator = async (method: string, path: string, body?: unknown) => {
      const authorization = { authorization: `Bearer ${service.operatorToken}` };
      const answer = await call(
        service.baseUrl.replace(/\/v1$/, '/operator'),
        method,
        path,
        body,
        authorization,
      );
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    const book = page.getByRole('button', { name: 'Book' });
    await toCheckout.click();
    await page.getByText(/^Held for you for (10:00|9:\d\d) more minutes/).waitFor();
    const [held] = (await operator('GET', '/holds')).data;
    assert.equal(await page.locator('#price').textContent(), `${held.price} SAR`);
    await page.getByRole('button', { name: 'Back' }).click();
    await toCheckout.waitFor();
    assert.deepEqual((await operator('GET', '/holds')).data, [], 'released');

    await toCheckout.click();
    await book.click();
    await page.getByText('in progress, payment PENDING, appointment Scheduled').waitFor();
    assert.equal((await shop.newest()).booking.price, held.price);
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    await page.getByText('in progress, payment PAID').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Mark as paid' }).count(), 0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('canceled, payment CANCELLED').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Cancel' }).count(), 0);

    // A hold that is over, of a service that is dearer meanwhile: the customer accepts the new price.
    await toCheckout.click();
    await book.waitFor();
    await operator('POST', '/clock/advance', { seconds: 601 });
    const prices = `/partners/${held.partnerId}/services`;
    const { data } = await operator('GET', prices);
    const dearer = held.price + 10;
    for (const one of data.services) if (one.serviceId === held.serviceId) one.price = dearer;
    await operator('PUT', prices, data);
    await book.click();
    await page.getByText('The price has changed meanwhile: press Book to accept it').waitFor();
    assert.equal(await page.locator('#price').textContent(), `${dearer} SAR`);
    await book.click();
    await toCheckout.waitFor();
    assert.equal((await shop.newest()).booking.price, dearer);

    await page.getByLabel('Phone').fill('12');
    await page.getByRole('button', { name: 'Show services' }).click();
    await page.getByText(/not valid/).waitFor();
    assert.equal(
      await page
        .getByRole('status')
        .textContent()
        .then((text) => text!.includes(service.keys.partner)),
      false,
    );
    assert.equal(faults.filter((fault) => !/\b(400|422)\b/.test(fault)).join('\n'), '');
  });
});

test('the README starts the example as these tests do', () => {
  const readme = readFileSync(join(APP, '../README.md'), 'utf8');
  for (const line of [
    'WEBHOOK_ALLOW_HOSTS=localhost:4000 npm start',
    'WEBHOOK_URL=http://localhost:4000/hooks node examples/partner-app/main.js',
    'node examples/partner-app/prove.js',
  ])
    assert.ok(readme.includes(`\n${line}\n`), line);
  const used = [...readFileSync(APP, 'utf8').matchAll(/^ {2}([A-Z_]+)\b/gm)].map(([, name]) => name!);
  assert.ok(used.length >= 6);
  for (const name of used) assert.ok(readme.includes(`| \`${name}\` |`), name);
});

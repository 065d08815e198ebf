import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.ts';
import { createPartner, createPartnerKey, createWorld } from './fixtures.ts';
import { afterwards, startTestService } from './harness.ts';
import { freePort } from './ports.ts';
import { startCommand } from './terminal.ts';
import { isNow, until } from './until.ts';

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const BIN = fileURLToPath(new URL('../bin/partner-booking.js', import.meta.url));
const SECRET = `whsec_${'k7Qz'.repeat(10)}k7Q`;

type Printed = {
  out(): string[];
  err(): string[];
  /** Waits for a line on either output. */
  line(pattern: RegExp): Promise<string>;
};
/** In this process. `end` waits until it ends by itself, `stop` stops it first. Both resolve to the exit code. */
type Running = Printed & { end(): Promise<number>; stop(): Promise<number> };
type Program = Printed & { child: ChildProcess; end(signal?: NodeJS.Signals): Promise<number | null> };

function printedOf(text: () => { out: string; err: string }): Printed {
  const lines = (of: 'out' | 'err'): string[] => text()[of].split('\n').slice(0, -1);
  return {
    out: () => lines('out'),
    err: () => lines('err'),
    line: (pattern) =>
      until(
        () => [...lines('out'), ...lines('err')].find((line) => pattern.test(line)),
        () => `${pattern} in:\n${text().out}${text().err}`,
      ),
  };
}

function run(t: TestContext, args: string[], env: Record<string, string>): Running {
  const { outcome, ended, stop } = startCommand(args, env);
  afterwards(t, stop);
  const end = async () => (await ended).code;
  const stopped = () => {
    stop();
    return end();
  };
  return { ...printedOf(() => ({ out: outcome.stdout, err: outcome.stderr })), end, stop: stopped };
}

function start(
  t: TestContext,
  args: string[],
  {
    file = CLI,
    env = {},
    detached = false,
  }: { file?: string; env?: Record<string, string>; detached?: boolean } = {},
): Program {
  const child = spawn(process.execPath, ['--liftoff-only', file, ...args], {
    env: { PATH: process.env.PATH ?? '', ...compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  afterwards(t, () => child.kill('SIGKILL'));
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (text.out += chunk));
  child.stderr.on('data', (chunk) => (text.err += chunk));
  const ended = once(child, 'close');
  return {
    child,
    ...printedOf(() => text),
    async end(signal) {
      if (signal) child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

const listen = (t: TestContext, key: string, url: string, ...args: string[]): Running =>
  run(t, ['listen', '--url', `${url}/v1`, ...args], { PARTNER_BOOKING_KEY: key });

type Received = { headers: IncomingHttpHeaders; body: Buffer };

/** A receiver on a real socket; responds with 204 by default. */
async function startReceiver(
  t: TestContext,
  answer: RequestListener = (_, response) => response.writeHead(204).end(),
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const arrived = (count: number) =>
    until(
      () => received[count - 1],
      () => `${count} requests, ${received.length} came`,
    );
  return { url, received, arrived };
}

/** Verifies as a receiver without our code would. Returns the message. */
function verified({ headers, body }: Received, secret: string) {
  const hmac = (key: string | Buffer, prefix: string) =>
    createHmac('sha256', key).update(Buffer.concat([Buffer.from(prefix), body]));
  const timestamp = String(headers['x-service-timestamp']);
  isNow(Date.parse(timestamp));
  assert.equal(headers['x-service-signature'], `sha256=${hmac(secret, `${timestamp}.`).digest('hex')}`);
  const key = Buffer.from(`${secret.slice(6)}=`, 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  assert.equal(headers['webhook-signature'], `v1,${hmac(key, signed).digest('base64')}`);
  assert.deepEqual(
    [headers['content-type'], headers['user-agent']],
    ['application/json', 'Service-Partner-Webhooks/1.0'],
  );
  const message = JSON.parse(body.toString('utf8'));
  assert.deepEqual(Object.keys(message), ['deliveryId', 'event', 'payload']);
  assert.deepEqual(
    [headers['x-service-delivery-id'], headers['webhook-id'], headers['x-service-event']],
    [message.deliveryId, message.deliveryId, message.event],
  );
  return message;
}

/** Makes the service reachable at this port as well, until closed. */
async function openWay(t: TestContext, port: number, url: string) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    const onward = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server, 'close');
  };
  afterwards(t, close);
  return { close };
}

test('a booking is printed and forwarded, signed; the cursor at the end can be continued', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  await world.book({ externalReference: 'before' });
  const receiver = await startReceiver(t);
  const program = listen(t, world.key, service.url, '--forward', receiver.url);
  await program.line(/^listening/);
  assert.equal(program.err()[0], `events of ${service.url}/v1`);
  assert.equal(program.err()[1], `forwarded to ${receiver.url}`);
  const secret = /^signed with (whsec_[A-Za-z0-9]{43})$/.exec(program.err()[2]!)![1]!;

  const booking = (await world.book({ externalReference: 'طلب 🧹' })).body.data;
  const line = await program.line(/booking\.created/);
  assert.equal(line, `2026-11-22T08:00:00+03:00  booking.created  ${booking.bookingId}  #1`);
  await receiver.arrived(1);
  assert.match(await program.line(/->/), /^ {2}-> 204 in \d+ ms$/);

  const [event] = (await service.v1(world.key, 'GET', '/partners/events')).body.data.slice(-1);
  const message = verified(receiver.received[0]!, secret);
  assert.deepEqual(message, { deliveryId: event.id, event: 'booking.created', payload: booking });
  assert.throws(() => verified(receiver.received[0]!, SECRET), 'another secret');

  assert.equal(await program.stop(), 0);
  assert.equal(program.out().length, 1, 'nothing of before');
  const cursor = /^to go on from here: --since (\S+)$/.exec(program.err().at(-1)!)![1]!;

  // Events from before the start.
  await service.v1(world.key, 'POST', `/partners/bookings/${booking.bookingId}/confirm-payment`, {});
  await world.book();
  const options = ['--since', cursor, '--json', '--events', 'booking.payment_confirmed,booking.updated'];
  const next = listen(t, world.key, service.url, ...options, '--forward', receiver.url, '--secret', SECRET);
  const confirmed = JSON.parse(await next.line(/payment_confirmed.*\{/));
  // Arrived is not yet answered: a forward cut short counts as not done, and the cursor would stay.
  await next.line(/->/);
  const events = (await service.v1(world.key, 'GET', `/partners/events?after=${cursor}`)).body;
  assert.equal(await next.stop(), 0);
  assert.deepEqual([confirmed], [events.data[0]]);
  assert.equal(next.out().length, 1, 'the other event was not asked for');
  assert.equal(next.err().at(-1), `to go on from here: --since ${events.meta.nextCursor}`);
  assert.equal(verified(receiver.received[1]!, SECRET).event, 'booking.payment_confirmed');
  assert.equal(receiver.received.length, 2);
});

test('from the beginning, over several pages, in order', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 1 });
  const { db } = service.deps;
  const { bookingId } = (await world.book()).body.data;
  await db.rows({
    text: `
      insert into events (id, partner_id, booking_id, event, sequence, payload, created_at, actor)
      select gen_random_uuid(), partner_id, booking_id, event, sequence + number, payload, created_at, actor
      from events, generate_series(1, 999) number where booking_id = $1`,
    values: [bookingId],
  });
  const program = listen(t, world.key, service.url, '--since', 'beginning', '--json');
  await program.line(/^listening/);
  await until(
    () => program.out()[999],
    () => `1,000 lines, ${program.out().length} came`,
  );
  assert.equal(await program.stop(), 0);
  assert.deepEqual(
    program.out().map((line) => JSON.parse(line).sequence),
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  );
});

test('a receiver that fails, redirects or is unreachable is reported and does not stop it', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const target = await startReceiver(t);
  let status = 500;
  const receiver = await startReceiver(t, (_, response) =>
    response.writeHead(status, { location: target.url }).end('x'.repeat(100_000)),
  );
  const program = listen(t, world.key, service.url, '--forward', receiver.url, '--secret', SECRET);
  await program.line(/^listening/);
  await world.book();
  await program.line(/^ {2}-> 500 in \d+ ms, which a webhook would try again$/);
  status = 307;
  await world.book();
  await program.line(/^ {2}-> 307 in \d+ ms, which a webhook would try again$/);
  status = 200;
  await world.book();
  await program.line(/^ {2}-> 200 in \d+ ms$/);
  assert.equal(receiver.received.length, 3, 'none twice');
  assert.equal(target.received.length, 0, 'a redirect is not followed');
  assert.equal(await program.stop(), 0);

  const nowhere = ['--since', 'beginning', '--forward', 'http://127.0.0.1:1/hooks'];
  const alone = listen(t, world.key, service.url, ...nowhere);
  await until(
    () => alone.out()[2],
    () => alone.err().join('\n'),
  );
  assert.match(await alone.line(/->/), /^ {2}-> failed after \d+ ms: .*(?:ECONNREFUSED|bad port)/);
  assert.equal(await alone.stop(), 0);
});

test('a receiver that never responds: the attempt times out, or ends with the stop', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  await world.book();
  await world.book();
  // Headers at once, and a body that does not end.
  const receiver = await startReceiver(t, (_, response) => response.writeHead(200).write('x'));
  const program = listen(t, world.key, service.url, '--since', 'beginning', '--forward', receiver.url);
  await receiver.arrived(1);
  const outcome = await program.line(/->/);
  assert.match(outcome, /^ {2}-> failed after \d{5,} ms: no answer within 10 s$/);
  await receiver.arrived(2);
  assert.equal(await program.stop(), 0);
  // Stopped at the second: the same start, without the first.
  assert.match(
    program.err().at(-1)!,
    /^to go on from here: --since beginning \(the first is done already\)$/,
  );
});

test('a service outage is waited for', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const port = await freePort();
  const reachable = await openWay(t, port, service.url);
  const receiver = await startReceiver(t);
  const base = `http://127.0.0.1:${port}`;
  const args = ['listen', '--url', `${base}/v1`, '--forward', receiver.url, '--secret', SECRET];
  const program = start(t, args, { env: { PARTNER_BOOKING_KEY: world.key } });
  await program.line(/^listening/);

  await reachable.close();
  await program.line(/cannot be reached \(.*ECONNREFUSED.*\): trying on$/);
  await openWay(t, port, service.url);
  const answer = await world.book();
  assert.equal(answer.status, 200, answer.text);
  await program.line(/answers again$/);
  const line = await program.line(/booking\.created/);
  assert.ok(line.includes(answer.body.data.bookingId));
  await receiver.arrived(1);
  assert.deepEqual(verified(receiver.received[0]!, SECRET).payload, answer.body.data);
  assert.equal(await program.end('SIGTERM'), 0);
  assert.equal(program.err().filter((said) => /trying on/.test(said)).length, 1, 'said once');
  assert.equal(program.out().length, 1);
});

test('a rate limit is waited for as long as Retry-After says', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { partner: { rateLimitPerMinute: 2 } });
  const { key } = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
  const program = listen(t, key, service.url);
  await program.line(/rate limit is used up: waiting 60 s$/);
  assert.equal(await program.stop(), 0, 'it does not wait for the end of the wait');
  assert.equal(service.logged().match(/"status(?:Code)?":429/g)?.length, 1, 'it asks no more meanwhile');

  service.clock.advance(60_000);
  const patient = listen(t, key, service.url);
  await patient.line(/^listening/);
  service.clock.advance(59_000);
  await patient.line(/waiting 1 s$/);
  service.clock.advance(1_000);
  await world.book();
  await patient.line(/booking\.created/);
  assert.equal(await patient.stop(), 0);
});

test('errors that a retry would not change are printed in one line', async (t) => {
  const service = await startTestService(t);
  const { key } = await createPartner(service);
  const { key: blind } = await createPartner(service, { permissions: ['partner_services_read'] });
  const base = `${service.url}/v1`;
  const elsewhere = await startReceiver(t);
  const odd = await startReceiver(t, (_, response) => response.end('<h1>Welcome</h1>'));
  const moved = await startReceiver(t, (_, response) =>
    response.writeHead(308, { location: elsewhere.url }).end(),
  );
  const cases: [string[], string | undefined, RegExp][] = [
    [[], undefined, /^error: no key: set PARTNER_BOOKING_KEY, or use --key$/],
    [[], 'a b', /^error: the key has characters that no key has$/],
    [
      ['--key', `${key.slice(0, -1)}_`],
      key,
      /^error: the service refused the key \(401, The API key is missing or not valid\)/,
    ],
    [[], blind, /^error: the key may not do this \(403, .*partner_bookings_read/],
    [['--since', 'yesterday'], key, /^error: the service refused the request \(400, .*check --since$/],
    [['--url', service.url], key, /^error: .* refuses \(404\b.*check --url, which ends in \/v1$/],
    [['--url', odd.url], key, /^error: .* does not answer as the service does: check --url$/],
    [['--url', moved.url], key, /^error: .* refuses \(308\): check --url/],
    [['--url', 'localhost:3000'], key, /^error: --url must be a URL beginning with http/],
    [['--forward', 'nowhere'], key, /^error: --forward must be a URL beginning with http/],
    [['--forward', 'http://user:pass@localhost/'], key, /^error: --forward must not contain credentials$/],
    [['--secret', SECRET], key, /^error: --secret .* needs --forward$/],
    [['--forward', odd.url, '--secret', 'short'], key, /^error: --secret must be whsec_ and 43 characters/],
    [['--events', 'booking.created,booking.gone'], key, /^error: --events must be of booking\.created, /],
  ];
  await Promise.all(
    [0, 1].map(async (lane) => {
      for (const [args, given, pattern] of cases.filter((_, index) => index % 2 === lane)) {
        const env: Record<string, string> = given === undefined ? {} : { PARTNER_BOOKING_KEY: given };
        const program = run(t, ['listen', '--url', base, ...args], env);
        assert.equal(await program.end(), 1, pattern.source);
        assert.match(program.err().at(-1)!, pattern);
        assert.deepEqual(program.out(), []);
        for (const line of program.err()) assert.ok(!line.includes(key), 'the key is in no output');
      }
    }),
  );
  assert.equal(elsewhere.received.length, 0, 'the key goes nowhere else');
  assert.equal(odd.received[0]!.headers['x-api-key'], key);
});

test('Ctrl-C, which a terminal sends to the bin and its child', async (t) => {
  const service = await startTestService(t);
  const { key } = await createPartner(service);
  const options = { file: BIN, env: { PARTNER_BOOKING_KEY: key }, detached: true };
  const program = start(t, ['listen', '--url', `${service.url}/v1/`], options);
  await program.line(/^listening/);
  process.kill(-program.child.pid!, 'SIGINT');
  assert.equal(await program.end(), 0);
  assert.match(program.err().at(-1)!, /^to go on from here/);
});

test('it ends when its output is closed', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const args = ['listen', '--url', `${service.url}/v1`];
  const program = start(t, args, { env: { PARTNER_BOOKING_KEY: world.key } });
  await program.line(/^listening/);
  program.child.stdout!.destroy();
  await world.book();
  assert.equal(await program.end(), 0);
  assert.doesNotMatch(program.err().join('\n'), /EPIPE/);
});

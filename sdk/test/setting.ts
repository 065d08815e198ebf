import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { createWorld, WORLD_DATE, type World, type WorldOptions } from '../../test/fixtures.ts';
import { afterwards, startTestService, type TestOptions, type TestService } from '../../test/harness.ts';
import { type Attempt, type Client, type ClientSettings, createClient } from '../src/client.ts';
import type { CreateBookingRequest } from '../src/contract.ts';

/** A failure of one request, or of its response. */
export type Fault =
  /** The connection breaks before the service has seen the request. */
  | { kind: 'down' }
  /** The service processes it, and its response is lost. */
  | { kind: 'lost' }
  /** The service processes it, and only half of its response arrives. */
  | { kind: 'half' }
  /** The service processes it, and its response comes that many milliseconds later. */
  | { kind: 'slow'; milliseconds: number }
  /** The proxy sends it twice, and passes the refusal on if one of both is refused. */
  | { kind: 'twice' }
  /** A response of the proxy; the service never sees the request, or processes it before (`isAfter`). */
  | { kind: 'answer'; status: number; headers?: Record<string, string>; text: string; isAfter?: true };

export type Proxy = {
  /** With the version, as in the settings of a client. */
  baseUrl: string;
  /** The faults of the next requests, one each; null and the end of the list: none. */
  faults: (Fault | null)[];
  /** Instead of the list. */
  choose?: () => Fault | null;
  /** The received requests, as `POST /v1/partners/bookings`, with headers. */
  calls: { name: string; headers: Record<string, string>; body: string }[];
};

/** A real HTTP server between client and service, closed after the test. */
export async function startProxy(t: TestContext, service: TestService): Promise<Proxy> {
  const proxy: Proxy = { baseUrl: '', faults: [], calls: [] };
  const failures: unknown[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    proxy.calls.push({ name: `${request.method} ${request.url}`, headers, body });
    const fault = proxy.choose?.() ?? proxy.faults.shift() ?? null;
    if (fault?.kind === 'down') return void request.socket.destroy();
    const replace = ({ status, headers: own, text }: Fault & { kind: 'answer' }) =>
      void response.writeHead(status, own).end(text);
    if (fault?.kind === 'answer' && !fault.isAfter) return replace(fault);

    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
    const pass = () =>
      fetch(service.url + request.url, {
        method: request.method!,
        headers: passed,
        ...(body !== '' && { body }),
      });
    const answers = await Promise.all(fault?.kind === 'twice' ? [pass(), pass()] : [pass()]);
    const answer = answers.find(({ ok }) => !ok) ?? answers[0]!;
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (fault?.kind === 'answer') return replace(fault);
    if (fault?.kind === 'lost') return void request.socket.destroy();
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    const { 'transfer-encoding': _encoding, ...back } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, { ...back, connection: 'close' });
    if (fault?.kind === 'half') {
      response.write(bytes.subarray(0, bytes.length / 2));
      return void setTimeout(() => request.socket.destroy(), 20);
    }
    response.end(bytes);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  afterwards(t, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (failures.length > 0) throw failures[0]; // an error of the proxy itself fails the test
  });
  return proxy;
}

export type Setting = {
  service: TestService;
  world: World;
  proxy: Proxy;
  client: Client;
  /** Of the client, oldest first. */
  attempts: Attempt[];
  /** A body that books 2026-11-23 from 10:00 to 12:00. */
  booking(overrides?: Partial<CreateBookingRequest>): CreateBookingRequest;
};

/** A service with a world, and a client of its partner that reaches it through a proxy. */
export async function startSetting(
  t: TestContext,
  options: { world?: WorldOptions; service?: TestOptions; client?: Partial<ClientSettings> } = {},
): Promise<Setting> {
  const service = await startTestService(t, options.service);
  const world = await createWorld(service, options.world);
  const proxy = await startProxy(t, service);
  const attempts: Attempt[] = [];
  const client = createClient({
    apiKey: world.key,
    baseUrl: proxy.baseUrl,
    onAttempt: (attempt) => attempts.push(attempt),
    ...options.client,
  });
  return {
    service,
    world,
    proxy,
    client,
    attempts,
    booking: (overrides = {}) => ({
      contactId: world.contactId,
      addressId: world.addressId,
      serviceId: world.serviceId,
      date: WORLD_DATE,
      timeslot: { startAt: '10:00', endAt: '12:00' },
      ...overrides,
    }),
  };
}

/** Collects the items of an iterator. */
export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

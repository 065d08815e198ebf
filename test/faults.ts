import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { afterwards } from './harness.ts';
import { pause } from './until.ts';

/** The base of local servers that replace providers: a socket, a record of calls, and faults on demand. */

export type Call = { method: string; path: string; body: string; status: number | null };

export type Fault = {
  /**
   * `down`: the connection breaks before processing. `lost`: it breaks after it. `slow`: the response comes
   * `milliseconds` later, or when `until` settles. `status`: refused with that status, not processed. `garbage`:
   * processed, the response is a page of HTML. `empty`: processed, the response is `{}`. `huge`: processed, the
   * response is correct, but has more than 1 MiB. `trickle`: processed, the response starts at once and never ends.
   */
  kind: 'down' | 'lost' | 'slow' | 'status' | 'garbage' | 'empty' | 'huge' | 'trickle';
  status?: number;
  milliseconds?: number;
  until?: Promise<void>;
  /** The affected calls: matched against `POST /v1/invoices`. Default: all. */
  on?: RegExp;
  /** The number of affected calls. Default: all until the fault is removed. */
  times?: number;
};

export type Reply = { status: number; json: unknown };

export type Faulty = {
  /** Without a slash at the end. */
  origin: string;
  calls: Call[];
  fault: Fault | null;
};

/** A real HTTP server on a free port, closed after the test. `answer` does the provider's work. */
export async function startFaulty(
  t: TestContext,
  answer: (request: IncomingMessage, url: URL, body: string) => Reply,
  refuse: (status: number) => unknown,
): Promise<Faulty> {
  const faulty: Faulty = { origin: '', calls: [], fault: null };

  function takeFault(name: string): Fault | null {
    const { fault } = faulty;
    if (fault === null || fault.times === 0 || (fault.on && !fault.on.test(name))) return null;
    if (fault.times !== undefined) fault.times -= 1;
    return fault;
  }

  function reply(response: ServerResponse, { status, json }: Reply, text = JSON.stringify(json)): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url!, faulty.origin);
    const call: Call = { method: request.method!, path: url.pathname + url.search, body, status: null };
    faulty.calls.push(call);
    const fault = takeFault(`${call.method} ${call.path}`);
    if (fault?.kind === 'down') return void request.socket.destroy();
    if (fault?.kind === 'status') {
      const status = fault.status ?? 500;
      call.status = status;
      return reply(response, { status, json: refuse(status) });
    }
    const done = answer(request, url, body);
    call.status = done.status;
    switch (fault?.kind) {
      case 'lost':
        return void request.socket.destroy();
      case 'slow': {
        // The state at the time of processing, not of arrival.
        const then = JSON.stringify(done.json);
        await (fault.until ?? pause(fault.milliseconds ?? 1_000));
        return reply(response, done, then);
      }
      case 'garbage':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>');
      case 'empty':
        return reply(response, { status: done.status, json: {} });
      case 'huge':
        return reply(response, {
          ...done,
          json: { ...(done.json as object), filler: 'x'.repeat(2_000_000) },
        });
      case 'trickle':
        return void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      default:
        return reply(response, done);
    }
  }

  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  faulty.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterwards(t, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (failures.length > 0) throw failures[0]; // an error of the server itself fails the test
  });
  return faulty;
}

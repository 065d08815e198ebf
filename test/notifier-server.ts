import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TestContext } from 'node:test';
import { isGenuine } from '../docs/snippets/verify.ts';
import type { Message } from '../src/payments/notifier.ts';
import { type Faulty, type Reply, startFaulty } from './faults.ts';

/** A local server in place of the program to which an operator's messages are posted, with the published verification. */

export type NotifierServer = Faulty & {
  url: string;
  secret: string;
  /** Taken, in order, each id once. */
  messages: Message[];
  /** Answers every message with this status until it is removed. */
  refusal: number | null;
  /** Variables of a service that posts here. */
  env: Record<string, string>;
};

/** Starts it; it is closed after the test. `now` is compared with the time of a signature. */
export async function startNotifierServer(t: TestContext, now = Date.now): Promise<NotifierServer> {
  const secret = randomUUID();
  const messages: Message[] = [];

  function answer({ method, headers }: IncomingMessage, { pathname }: URL, body: string): Reply {
    const isPost = method === 'POST' && pathname === '/messages';
    if (!isPost || headers['content-type'] !== 'application/json') return { status: 404, json: {} };
    const [timestamp, signature] = [headers['x-service-timestamp'], headers['x-service-signature']];
    if (!isGenuine(secret, String(timestamp), String(signature), Buffer.from(body), now()))
      return { status: 401, json: {} };
    if (server.refusal !== null) return { status: server.refusal, json: {} };
    const message: Message = JSON.parse(body);
    if (messages.some(({ id }) => id === message.id)) return { status: 409, json: {} };
    messages.push(message);
    return { status: 202, json: {} };
  }

  const faulty = await startFaulty(t, answer, () => ({}));
  const url = `${faulty.origin}/messages`;
  const env = { NOTIFIER: 'webhook', NOTIFIER_WEBHOOK_URL: url, NOTIFIER_WEBHOOK_SECRET: secret };
  const server: NotifierServer = Object.assign(faulty, { url, secret, messages, refusal: null, env });
  return server;
}

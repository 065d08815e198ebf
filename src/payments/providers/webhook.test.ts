import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { startNotifierServer } from '../../../test/notifier-server.ts';
import { receive } from '../../../test/receivers.ts';
import { createLogger } from '../../runtime/logger.ts';
import { type Message, NotifierError } from '../notifier.ts';
import { webhookNotifier } from './webhook.ts';

const NOW = Date.parse('2026-11-22T05:00:00.000Z');
const MESSAGE: Message = {
  id: 'message-1',
  to: '+966501234567',
  language: 'both',
  kind: 'PAYMENT_LINK',
  text: 'ادفع & "pay"=100%\nhttps://p.example/1?a=b',
  url: 'https://p.example/1?a=b',
};

async function start(t: TestContext, changes: { secret?: string } = {}) {
  const server = await startNotifierServer(t, () => NOW);
  const { url, secret } = server;
  return { server, notifier: webhookNotifier({ url, secret, ...changes }, () => NOW) };
}

async function failure(work: Promise<unknown>): Promise<NotifierError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof NotifierError, String(error));
  return error;
}

test('a message arrives as it is, with these fields and no others, in the order of its signature', async (t) => {
  const { server, notifier } = await start(t);
  await notifier.send({ ...MESSAGE, more: 'secret' } as Message);
  assert.deepEqual(server.messages, [MESSAGE]);
  assert.deepEqual(Object.keys(JSON.parse(server.calls[0]!.body)), [
    'id',
    'kind',
    'language',
    'text',
    'to',
    'url',
  ]);
});

test('openssl verifies the signature over timestamp and body', async (t) => {
  const got: { body: Buffer; timestamp: string; signature: string }[] = [];
  const { port } = await receive(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [timestamp, signature] = ['x-service-timestamp', 'x-service-signature'].map((name) =>
      String(request.headers[name]),
    );
    got.push({ body: Buffer.concat(chunks), timestamp: timestamp!, signature: signature! });
    response.writeHead(204).end();
  });
  const secret = 'whsec_a secret with blanks: no';
  await webhookNotifier({ url: `http://127.0.0.1:${port}/in?token=1`, secret }, () => NOW).send(MESSAGE);
  const [{ body, timestamp, signature } = assert.fail()] = got;
  assert.equal(timestamp, '2026-11-22T05:00:00.000Z');
  const input = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
  const mac = execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `key:${secret}`], {
    input,
  });
  assert.equal(signature, `sha256=${mac.toString().trim().split('= ').at(-1)}`);
});

test('a message whose answer was lost is taken once, by its id', async (t) => {
  const { server, notifier } = await start(t);
  server.fault = { kind: 'lost', times: 1 };
  assert.equal((await failure(notifier.send(MESSAGE))).temporary, true);
  await notifier.send(MESSAGE);
  assert.deepEqual([server.calls.length, server.messages.length, server.calls[1]!.status], [2, 1, 409]);
});

test('what is about the message is refused for good, all else may be different later', async (t) => {
  const { server, notifier } = await start(t);
  for (const status of [400, 422]) {
    server.refusal = status;
    const { message, temporary } = await failure(notifier.send(MESSAGE));
    assert.deepEqual([message, temporary], [`NOTIFIER_WEBHOOK_URL answered ${status}`, false]);
  }
  // A redirect is not followed.
  for (const status of [301, 302, 307, 401, 403, 404, 408, 410, 413, 429, 500, 502, 503]) {
    server.refusal = status;
    const { message, temporary } = await failure(notifier.send(MESSAGE));
    assert.deepEqual([message, temporary], [`NOTIFIER_WEBHOOK_URL answered ${status}`, true]);
  }
  server.refusal = null;
  const { url, secret } = server;
  const impatient = webhookNotifier({ url, secret, timeout: 500 }, () => NOW);
  for (const kind of ['down', 'slow', 'huge', 'trickle'] as const) {
    server.fault = { kind, milliseconds: 2_000 };
    const error = await failure(impatient.send({ ...MESSAGE, id: kind }));
    assert.deepEqual([error.message, error.temporary], ['NOTIFIER_WEBHOOK_URL gave no answer', true], kind);
  }
  server.fault = { kind: 'garbage' };
  await notifier.send({ ...MESSAGE, id: 'garbage' });
});

test('no error has the secret, the address, the number, the text or the link', async (t) => {
  const { server, notifier } = await start(t);
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const forged = webhookNotifier({ url: server.url, secret: 'another secret of it' }, () => NOW);
  const late = webhookNotifier({ url: server.url, secret: server.secret }, () => NOW - 3_600_000);
  server.fault = { kind: 'status', status: 500, times: 1 };
  for (const each of [notifier, forged, late])
    logger.warn({ err: await failure(each.send(MESSAGE)) }, 'not sent');
  server.fault = { kind: 'down' };
  logger.warn({ err: await failure(notifier.send(MESSAGE)) }, 'not sent');
  assert.deepEqual(
    server.calls.map(({ status }) => status),
    [500, 401, 401, null],
  );
  assert.equal(lines.length, 4);
  const hidden = new RegExp(`${server.secret}|another secret|/messages|501234567|p\\.example|ادفع`);
  for (const line of lines) assert.doesNotMatch(line, hidden);
});

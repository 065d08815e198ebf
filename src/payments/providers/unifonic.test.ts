import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startUnifonic } from '../../../test/unifonic-server.ts';
import { createLogger } from '../../runtime/logger.ts';
import { NotifierError } from '../notifier.ts';
import { unifonicNotifier } from './unifonic.ts';

const MESSAGE = {
  id: 'message-1',
  to: '+966501234567',
  language: 'both',
  kind: 'PAYMENT_LINK',
  text: 'ادفع & pay=100%\nhttps://p.example/1?a=b',
  url: 'https://p.example/1?a=b',
} as const;

async function start(t: TestContext, changes: { appSid?: string; senderId?: string } = {}) {
  const server = await startUnifonic(t);
  const { url: baseUrl, appSid, senderId } = server;
  return { server, notifier: unifonicNotifier({ appSid, senderId, baseUrl, timeout: 500, ...changes }) };
}

async function failure(work: Promise<unknown>): Promise<NotifierError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof NotifierError, String(error));
  return error;
}

test('a message arrives as it was written, at the number without its plus', async (t) => {
  const { server, notifier } = await start(t);
  await notifier.send(MESSAGE);
  const [{ to, text, correlationId } = assert.fail(), ...others] = server.messages;
  assert.deepEqual(
    { to, text, correlationId },
    { to: '966501234567', text: MESSAGE.text, correlationId: 'message-1' },
  );
  assert.deepEqual(others, []);
  const form = new URLSearchParams(server.calls[0]!.body);
  assert.equal(form.get('responseType'), 'JSON');
  assert.equal(form.get('MessageType'), '3');
});

test('a message whose answer was lost is sent once', async (t) => {
  const { server, notifier } = await start(t);
  server.fault = { kind: 'lost', times: 1 };
  assert.equal((await failure(notifier.send(MESSAGE))).temporary, true);
  await notifier.send(MESSAGE);
  assert.equal(server.messages.length, 1);
  assert.equal(server.calls.length, 2);
});

test('a duplicate was sent before, whether the status or the code says so', async (t) => {
  const { server, notifier } = await start(t);
  server.refusal = { status: 409, errorCode: 'ER-00' };
  await notifier.send(MESSAGE);
  server.refusal = { status: 200, errorCode: 'ER-09' };
  await notifier.send(MESSAGE);
});

test('what may be different later is temporary', async (t) => {
  const { server, notifier } = await start(t);
  for (const kind of ['down', 'lost', 'slow', 'garbage', 'empty', 'huge', 'trickle'] as const) {
    server.fault = { kind, milliseconds: 2_000 };
    const message = { ...MESSAGE, text: kind };
    assert.equal((await failure(notifier.send(message))).temporary, true, kind);
  }
  for (const status of [429, 500, 503, 599]) {
    server.fault = { kind: 'status', status };
    assert.equal((await failure(notifier.send(MESSAGE))).temporary, true, `${status}`);
  }
  server.fault = null;
  for (const refusal of [
    { status: 200, errorCode: 'ER-01' }, // balance
    { status: 480, errorCode: 'ER-08' }, // sender name
    { status: 403, errorCode: 'ER-00' }, // address not allowed
    { status: 200, errorCode: 'ER-77' }, // not in the documents
  ]) {
    server.refusal = refusal;
    assert.equal((await failure(notifier.send(MESSAGE))).temporary, true, JSON.stringify(refusal));
  }
  await t.test('a wrong key', async (inner) => {
    const wrong = await start(inner, { appSid: 'another' });
    assert.equal((await failure(wrong.notifier.send(MESSAGE))).temporary, true);
    assert.equal(wrong.server.messages.length, 0);
  });
});

test('a number or text that is refused is refused for good', async (t) => {
  const { server, notifier } = await start(t);
  for (const message of [
    { ...MESSAGE, to: '+96650' },
    { ...MESSAGE, to: '+9665012345678901' },
    { ...MESSAGE, to: 'nobody' },
    { ...MESSAGE, text: '' },
  ]) {
    assert.equal((await failure(notifier.send(message))).temporary, false, message.to);
  }
  for (const status of [410, 412, 482]) {
    server.refusal = { status, errorCode: 'ER-00' }; // the status alone says it
    assert.equal((await failure(notifier.send(MESSAGE))).temporary, false, `${status}`);
  }
});

test('errors tell neither the number nor the key nor the text', async (t) => {
  const { server, notifier } = await start(t);
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  for (const kind of ['down', 'lost', 'slow', 'garbage', 'status', 'trickle'] as const) {
    server.fault = { kind };
    logger.error({ err: await failure(notifier.send({ ...MESSAGE, text: `${kind} p.example` })) }, 'failed');
  }
  server.fault = null;
  logger.error({ err: await failure(notifier.send({ ...MESSAGE, to: '+96650123' })) }, 'failed');
  assert.equal(lines.length, 7);
  for (const line of lines) {
    assert.doesNotMatch(line.replace(/"time":\d+/, ''), /96650|p\.example/);
    assert.ok(!line.includes(server.appSid));
  }
});

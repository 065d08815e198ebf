import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CUSTOMERS } from '../cli/demo-day-data.ts';
import { demoPhone, isDemoPhone, normalizePhone } from '../contacts/rules.ts';
import { createLogger } from '../runtime/logger.ts';
import { logNotifier, withoutDemoCustomers } from './notifier.ts';

test('the log notifier writes the text and never the number', async () => {
  const lines: string[] = [];
  const notifier = logNotifier(createLogger('info', { write: (line) => void lines.push(line) }), 'sandbox');
  await notifier.send({ id: 'message-1', to: '+966501234567', text: 'Pay\nhttps://p.example/1' });
  assert.equal(lines.length, 1);
  const { level, messageId, text } = JSON.parse(lines[0]!);
  assert.deepEqual(
    { level, messageId, text },
    { level: 30, messageId: 'message-1', text: 'Pay\nhttps://p.example/1' },
  );
  assert.doesNotMatch(lines[0]!, /501234567/);
});

test('in production the log notifier writes neither link nor number, and says that nothing was sent', async () => {
  const lines: string[] = [];
  const notifier = logNotifier(
    createLogger('info', { write: (line) => void lines.push(line) }),
    'production',
  );
  await notifier.send({ id: 'message-1', to: '+966501234567', text: 'Pay\nhttps://p.example/1' });
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /"level":40,.*"messageId":"message-1".*was not sent, because NOTIFIER is log/);
  assert.doesNotMatch(lines[0]!, /p\.example|501234567/);
});

test("nothing is sent to customers of the demo data, whose numbers may be somebody else's", async () => {
  const sent: string[] = [];
  const notifier = withoutDemoCustomers(
    { name: 'unifonic', send: async ({ to }) => void sent.push(to) },
    createLogger('fatal'),
  );
  for (const zone of [1, 2, 3, 4, 5] as const)
    for (let customer = 0; customer < 10; customer++) {
      const to = demoPhone(zone, customer);
      assert.equal(normalizePhone(to), to);
      await notifier.send({ id: 'message-1', to, text: 'Pay' });
    }
  for (const to of ['+966501234567', '+966506000100', '+966501000110'])
    await notifier.send({ id: 'message-2', to, text: 'Pay' });
  assert.deepEqual(sent, ['+966501234567', '+966506000100', '+966501000110']);
  assert.ok(Object.values(CUSTOMERS).every(({ length }) => length <= 10));
  assert.equal(isDemoPhone(`${demoPhone(1, 0)}0`), false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CUSTOMERS } from '../cli/demo-data.ts';
import { demoPhone, isDemoPhone, normalizePhone } from '../contacts/rules.ts';
import { createLogger } from '../runtime/logger.ts';
import { logNotifier, withoutDemoCustomers } from './notifier.ts';

const MESSAGE = {
  id: 'message-1',
  to: '+966501234567',
  language: 'both',
  kind: 'PAYMENT_LINK',
  text: 'Pay',
  url: 'https://p.example/1',
} as const;

test('the log notifier writes the text and never the number', async () => {
  const lines: string[] = [];
  const notifier = logNotifier(createLogger('info', { write: (line) => void lines.push(line) }));
  await notifier.send({ ...MESSAGE, text: 'Pay\nhttps://p.example/1' });
  assert.equal(lines.length, 1);
  const { level, messageId, text } = JSON.parse(lines[0]!);
  assert.deepEqual(
    { level, messageId, text },
    { level: 30, messageId: 'message-1', text: 'Pay\nhttps://p.example/1' },
  );
  assert.doesNotMatch(lines[0]!, /501234567/);
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
      await notifier.send({ ...MESSAGE, to });
    }
  for (const to of ['+966501234567', '+966506000100', '+966501000110'])
    await notifier.send({ ...MESSAGE, to });
  assert.deepEqual(sent, ['+966501234567', '+966506000100', '+966501000110']);
  assert.ok(Object.values(CUSTOMERS).every(({ length }) => length <= 10));
  assert.equal(isDemoPhone(`${demoPhone(1, 0)}0`), false);
});

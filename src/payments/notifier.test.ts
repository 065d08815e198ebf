import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../platform/logger.ts';
import { logNotifier } from './notifier.ts';

test('the log notifier writes the text and never the number', async () => {
  const lines: string[] = [];
  const notifier = logNotifier(createLogger('info', { write: (line) => void lines.push(line) }));
  await notifier.send({ id: 'message-1', to: '+966501234567', text: 'Pay\nhttps://p.example/1' });
  assert.equal(lines.length, 1);
  const { level, messageId, text } = JSON.parse(lines[0]!);
  assert.deepEqual(
    { level, messageId, text },
    { level: 30, messageId: 'message-1', text: 'Pay\nhttps://p.example/1' },
  );
  assert.doesNotMatch(lines[0]!, /501234567/);
});

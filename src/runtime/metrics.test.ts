import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db } from '../db/connection.ts';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import { createMetrics } from './metrics.ts';

test('a figure that cannot be read keeps its last value, and its age grows', async () => {
  const db = { stats: () => ({ total: 0, idle: 0, waiting: 0 }) } as Db;
  let isAway = false;
  const metrics = createMetrics(db, null);
  metrics.gauge('depth', 'Of a queue', 'queue', async () => {
    if (isAway) throw new DatabaseUnavailableError('away');
    return { deliveries: 7 };
  });
  const scrape = async () => {
    const text = await metrics.text();
    const age = /^figures_age_seconds\{figure="depth"\} (\S+)$/m.exec(text);
    return { hasValue: /^depth\{queue="deliveries"\} 7$/m.test(text), age: Number(age?.[1]) };
  };
  assert.deepEqual(await scrape(), { hasValue: true, age: 0 });
  isAway = true;
  await scrape();
  const [first, second] = [await scrape(), await scrape()];
  assert.ok(first.hasValue && second.hasValue);
  assert.ok(second.age > first.age && first.age > 0, `${first.age} ${second.age}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryRateLimiter, type Verdict, WINDOW } from './rate-limit.ts';

test('a sliding log is as exact as one that keeps every request', () => {
  const step = fc.record({
    wait: fc.constantFrom(0, 0, 1, 500, 19_999, 20_000, 59_999, 60_000),
    key: fc.constantFrom('a', 'b'),
    limit: fc.constantFrom(1, 2, 3, 3, 3),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const limiter = memoryRateLimiter();
      const allowed: { key: string; at: number }[] = [];
      let now = 1_000_000;
      for (const { wait, key, limit } of steps) {
        now += wait;
        const inWindow = allowed.filter((request) => request.key === key && request.at > now - WINDOW);
        const expected = inWindow.length < limit;
        const verdict = limiter.take(key, limit, now) as Verdict;
        assert.equal(verdict.allowed, expected);
        if (expected) allowed.push({ key, at: now });
        assert.equal(verdict.remaining, Math.max(0, limit - inWindow.length - (expected ? 1 : 0)));
        if (!expected) {
          // Not a moment earlier, and at exactly that moment.
          const freeAt = now + verdict.resetAfter;
          const leftAt = (moment: number) =>
            inWindow.filter((request) => request.at > moment - WINDOW).length;
          assert.ok(leftAt(freeAt) < limit);
          assert.ok(leftAt(freeAt - 1) >= limit);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('idle keys free their memory', () => {
  const limiter = memoryRateLimiter();
  for (let index = 0; index < 100_000; index++) limiter.take(`key ${index}`, 5, index * 100);
  // The last sweep left the keys of its last minute; the others came since.
  assert.ok(limiter.keys <= 10_600, `${limiter.keys} keys`);
});

test('above the limit of keys the oldest is dropped', () => {
  const limiter = memoryRateLimiter(2);
  const take = (key: string): boolean => limiter.take(key, 1, 1_000_000).allowed;
  assert.deepEqual(['a', 'b', 'a', 'b'].map(take), [true, true, false, false]);
  assert.deepEqual([take('c'), limiter.keys], [true, 2]);
  assert.deepEqual(['b', 'c', 'a'].map(take), [false, false, true]);
  assert.equal(limiter.keys, 2);
});

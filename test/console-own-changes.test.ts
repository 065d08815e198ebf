import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterOwnChanges, noteOwnChange, noteOwnChanges } from '../console/own-changes.ts';

test("a tab's own changes follow one another, until somebody else changed it", () => {
  assert.equal(afterOwnChanges('a', 3), 3);
  noteOwnChange('a', 3, 4);
  noteOwnChange('a', 4, 6);
  assert.deepEqual([afterOwnChanges('a', 3), afterOwnChanges('a', 4), afterOwnChanges('b', 3)], [6, 6, 3]);
  // Version 5 was seen in between: somebody else's.
  assert.equal(afterOwnChanges('a', 5), 5);
  // Somebody else made version 7; a decision on 6 is a conflict, one on 7 is not.
  noteOwnChange('a', 7, 8);
  assert.deepEqual([afterOwnChanges('a', 3), afterOwnChanges('a', 7)], [6, 8]);
  // A change that changed nothing.
  noteOwnChange('a', 8, 8);
  assert.equal(afterOwnChanges('a', 8), 8);
});

test('of several appointments, those that were changed', () => {
  noteOwnChanges(
    [
      { appointmentId: 'c', version: 1 },
      { appointmentId: 'd', version: 1 },
    ],
    [{ id: 'c', version: 2 }],
  );
  assert.deepEqual([afterOwnChanges('c', 1), afterOwnChanges('d', 1)], [2, 1]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSiblings, type ToFirst, type ToSibling } from './siblings.ts';

function start() {
  const sent: ToFirst[] = [];
  let hear: (message: ToSibling) => void = () => {};
  const siblings = createSiblings(
    {
      send: (message) => void sent.push(message),
      onMessage: (listener) => {
        hear = listener;
      },
    },
    true,
  );
  return { siblings, sent, hear: (message: ToSibling) => hear(message) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what cannot be measured is said, and ends nothing', async () => {
  const { siblings, sent, hear } = start();
  siblings.sharedMetrics(async () => {
    throw new Error('no such column');
  }, 'text/plain');
  hear({ about: 'measure', id: 7 });
  await turn();
  assert.deepEqual(sent, [{ about: 'measured', id: 7, measured: null, fault: 'Error: no such column' }]);
});

test('what is taken in one turn goes as one message, and each has its own verdict', async () => {
  const { siblings, sent, hear } = start();
  const { take } = siblings.windows('rate');
  const verdicts = Promise.all([take('a', 1, 5), take('b', 2, 5)]);
  await turn();
  assert.deepEqual(sent, [
    {
      about: 'takes',
      id: 1,
      takes: [
        { kind: 'rate', key: 'a', limit: 1, now: 5 },
        { kind: 'rate', key: 'b', limit: 2, now: 5 },
      ],
    },
  ]);
  const answers = [
    { allowed: true, remaining: 0, resetAfter: 60_000 },
    { allowed: false, remaining: 0, resetAfter: 1 },
  ];
  hear({ about: 'takes', id: 1, verdicts: answers });
  assert.deepEqual(await verdicts, answers);
});

test('a process looks when it is asked to, and says so when it could not', async () => {
  const { siblings, sent, hear } = start();
  hear({ about: 'look', id: 4 });
  await turn();
  const others = siblings.sharedLooks(async () => {
    throw new Error('the database does not respond');
  });
  hear({ about: 'look', id: 5 });
  await turn();
  assert.deepEqual(sent, [
    { about: 'looked', id: 4 },
    { about: 'looked', id: 5 },
  ]);
  const looked = others();
  assert.deepEqual(sent[2], { about: 'look', id: 1 });
  hear({ about: 'looked', id: 1 });
  await looked;
});

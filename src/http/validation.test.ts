import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type, { type TSchema } from 'typebox';
import { Body, Name } from './schemas.ts';
import { createRequestChecker, withRules } from './validation.ts';

const checkerOf = (body: TSchema) => createRequestChecker()({ body });
const faultsOf = (body: TSchema, sent: unknown) => checkerOf(body)({ params: {}, query: {}, body: sent });

/** A list that counts accesses to its items. */
function counted(length: number, item: unknown): { items: unknown[]; asked: () => number } {
  let asked = 0;
  const items = new Proxy(
    Array.from({ length }, () => item),
    {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) asked++;
        return Reflect.get(target, name, receiver);
      },
    },
  );
  return { items, asked: () => asked };
}

test('validation of a list stops after enough errors', () => {
  const schema = Body({ items: Type.Array(Body({ id: Type.String(), count: Type.Integer() })) });
  const wrong = counted(100_000, { id: 1, more: 2 });
  assert.equal(faultsOf(schema, { items: wrong.items })?.messages.length, 100);
  assert.ok(wrong.asked() < 1_000, `${wrong.asked()} items were looked at`);

  // All valid items are checked, and an error at the end is found.
  const right = counted(5_000, { id: 'a', count: 1 });
  right.items[4_999] = { id: 'a' };
  assert.deepEqual(faultsOf(schema, { items: right.items })?.messages, [
    'items.4999.count must be an integer number',
  ]);
});

test('rules are skipped for parts that were not validated completely', () => {
  const asked: unknown[] = [];
  const schema = withRules(Body({ items: Type.Array(Type.String()) }), ({ items }) => {
    asked.push(items?.every((item) => item === undefined || typeof item === 'string'));
    return [];
  });
  faultsOf(schema, { items: Array.from({ length: 50 }, () => 1) });
  faultsOf(schema, { items: Array.from({ length: 5_000 }, () => 1) });
  assert.deepEqual(asked, [true]);
});

test('a length counts code points, also next to its bound', () => {
  const schema = Body({ name: Name('Name', 'N', 3) });
  for (const name of ['a', '😀😀😀', ' abc ', 'ab😀']) assert.equal(faultsOf(schema, { name }), null, name);
  for (const name of ['abcd', '😀😀😀😀', '😀😀😀a', 'x'.repeat(1_000)])
    assert.deepEqual(
      faultsOf(schema, { name })?.messages,
      ['name must be shorter than or equal to 3 characters'],
      name,
    );
  assert.deepEqual(faultsOf(schema, { name: ' '.repeat(1_000) })?.messages, ['name should not be empty']);
});

test('applications with the same formats share their checks, others do not', () => {
  const formats = {};
  assert.equal(createRequestChecker(formats), createRequestChecker(formats));
  assert.notEqual(createRequestChecker(formats), createRequestChecker({}));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../base/errors.ts';
import { parseJson } from './json.ts';

const parsed = (text: string): unknown => parseJson(Buffer.from(text));

function messagesOf(text: string): readonly string[] {
  try {
    parsed(text);
  } catch (error) {
    assert.ok(error instanceof ApiError && error.status === 400);
    return error.details.message as string[];
  }
  return [];
}

test('a repeated member of an object is refused, in any spelling and at any depth', () => {
  for (const [text, ...paths] of [
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1 ,\n\t"a" : 2}', 'a'],
    ['{"b":1,"\\u0062":2}', 'b'],
    ['{"a":{"x":1,"y":2,"x":3}}', 'a.x'],
    ['{"items":[{"x":1},{"x":1,"x":2}]}', 'items.1.x'],
    ['[[1,2,{"x":1,"x":2}]]', '0.2.x'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"constructor":1,"constructor":{}}', 'constructor'],
    ['{"":1,"":2}', '""'],
    ['{"a":"}","a":"{"}', 'a'],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
    ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
    ['{"a":1,"a":2,"b":{"c":1,"c":1},"a":3}', 'a', 'b.c', 'a'],
  ] as const)
    assert.deepEqual(
      messagesOf(text),
      paths.map((path) => `property ${path} must not be repeated`),
      text,
    );
});

test('members that only look repeated are accepted', () => {
  for (const text of [
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a\\":1,\\"a","b":"a"}',
    '{"a":["a","a"],"A":1}',
    '{"a":"\\\\","b":"\\\\\\""}',
    '" \\" "',
    '{}',
    ' [ ] ',
  ])
    assert.deepEqual(parsed(text), JSON.parse(text), text);
});

test('invalid JSON is reported as such, repeated members or not', () => {
  for (const text of [
    '{"a":1,"a":',
    '{"a',
    '}',
    '{"a\\q":1,"a":1,"a":2}',
    '{"a":1 "a":2}',
    '["a":1]',
    '{"a"',
  ])
    assert.deepEqual(messagesOf(text), ['body must be valid JSON'], text);
});

test('any value of JSON.stringify is parsed unchanged, and refused with a repeated member', () => {
  const names = ['a', 'b"', '\\', '{', '', ':', 'é', '__proto__', ' '];
  let seed = 20_261_125;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  /** JSON of a random value; `twice` counts down to the object that repeats its first member. */
  const value = (depth: number, twice: { in: number }): string => {
    const kind = random(depth > 3 ? 3 : 6);
    if (kind < 3) return [JSON.stringify(names[random(names.length)]), String(random(9)), 'null'][kind]!;
    const size = random(4);
    if (kind === 3) return `[${Array.from({ length: size }, () => value(depth + 1, twice)).join(', ')}]`;
    const chosen = names.slice(random(5), 5 + random(4));
    const members = chosen.map((name) => `${JSON.stringify(name)} : ${value(depth + 1, twice)}`);
    if (members.length > 0 && --twice.in === 0) members.push(`${JSON.stringify(chosen[0])}:0`);
    return `{${members.join(',')}}`;
  };
  let refused = 0;
  for (let round = 0; round < 2_000; round++) {
    const twice = { in: round % 2 === 0 ? Number.POSITIVE_INFINITY : 1 + random(3) };
    const text = value(0, twice);
    if (twice.in > 0) assert.deepEqual(parsed(text), JSON.parse(text), text);
    else {
      assert.equal(messagesOf(text).length, 1, text);
      refused++;
    }
  }
  assert.ok(refused > 300, `${refused} with a member twice`);
});

test('the number of parsed members of an object, and of reported repetitions, is limited', () => {
  const members = Array.from({ length: 3_000 }, (_, index) => `"f${index}":[{"x":1}]`);
  assert.deepEqual(
    Object.keys(parsed(`{${members.join(' , ')}}`) as object),
    members.slice(0, 1_000).map((member) => /f\d+/.exec(member)![0]),
  );
  assert.deepEqual(
    Object.keys((parsed(`[{"a":{${members.join(',')}}}, 1]`) as [{ a: object }])[0].a).length,
    1_000,
  );
  const same = Array.from({ length: 3_000 }, () => '"f":1');
  assert.equal(messagesOf(`{${same.join(',')}}`).length, 100);
});

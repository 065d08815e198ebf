import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binaryArray } from '../src/db/binary-arrays.ts';
import { openTestDatabase } from './harness.ts';

const ID = '0199a5c0-7d1e-7abc-9def-0123456789ab';

/** Of each type, values as the service has them and their texts. */
const ARRAYS: Record<
  string,
  { type: string; values: readonly unknown[]; texts: readonly (string | null)[] }
> = {
  _uuid: { type: 'uuid', values: [ID, null, ID.toUpperCase()], texts: [ID, null, ID] },
  _int4: {
    type: 'int',
    values: [0, -1, 2 ** 31 - 1, -(2 ** 31)],
    texts: ['0', '-1', '2147483647', '-2147483648'],
  },
  _int8: {
    type: 'bigint',
    values: [-1, Number.MAX_SAFE_INTEGER],
    texts: ['-1', '9007199254740991'],
  },
  _float8: {
    type: 'float8',
    values: [0.1, -1e300, 1764000000.123456],
    texts: ['0.1', '-1e+300', '1764000000.123456'],
  },
  _bool: { type: 'bool', values: [true, false, null], texts: ['true', 'false', null] },
  _timestamptz: {
    type: 'timestamptz',
    values: [0, Date.parse('2026-11-24T10:00:00.123Z'), Date.parse('9999-12-31T23:59:59.999Z'), -1],
    texts: [
      '1970-01-01 00:00:00+00',
      '2026-11-24 10:00:00.123+00',
      '9999-12-31 23:59:59.999+00',
      '1969-12-31 23:59:59.999+00',
    ],
  },
  _date: {
    type: 'date',
    values: ['1999-12-31', '2000-01-01', '2028-02-29', '9999-12-31', null],
    texts: ['1999-12-31', '2000-01-01', '2028-02-29', '9999-12-31', null],
  },
  _text: {
    type: 'text',
    values: ['', 'null', 'a "b" \\ {c,d}', 'نورة 🌴', null],
    texts: ['', 'null', 'a "b" \\ {c,d}', 'نورة 🌴', null],
  },
  _jsonb: {
    type: 'jsonb',
    values: ['{"name":"نورة \\"x\\""}', 'null', '[1.50]', null],
    texts: ['{"name": "نورة \\"x\\""}', 'null', '[1.50]', null],
  },
};

test('a binary array is to PostgreSQL what its text is', async (t) => {
  const db = await openTestDatabase(t);
  await db.withClient(async (client) => {
    await client.query(`set timezone = 'UTC'`);
    for (const [name, { type, values, texts }] of Object.entries(ARRAYS)) {
      const read = async (given: unknown): Promise<unknown[]> => {
        const text = `select array(select element::text from unnest($1::${type}[]) as element) as texts`;
        return (await client.query(text, [given])).rows[0].texts;
      };
      assert.deepEqual(await read(binaryArray(name, values)), texts, name);
      for (const one of [[], values.slice(0, 1), [null, null], Array(1_000).fill(values[0])]) {
        const expected = one.map((value) => (value === null ? null : texts[0]));
        assert.deepEqual(await read(binaryArray(name, one)), expected, `${name}, ${one.length}`);
      }
    }
  });
});

test('what a type cannot hold is refused, not written as something else', async (t) => {
  for (const [name, value] of [
    ['_uuid', ''],
    ['_uuid', ID.slice(1)],
    ['_uuid', `${ID.slice(1)}g`],
    ['_uuid', `${ID}0`],
    ['_uuid', ID.replaceAll('-', '')],
    ['_int4', 2 ** 31],
    ['_int4', 1.5],
    ['_int4', Number.NaN],
    ['_int8', 1.5],
    ['_timestamptz', Number.NaN],
    ['_date', '2026-13-01'],
    ['_date', ''],
  ] as const) {
    assert.throws(() => binaryArray(name, [value]), RangeError, `${name}: ${value}`);
  }
  // As in a text that is sent as text: PostgreSQL refuses the character.
  const db = await openTestDatabase(t);
  await db.withClient(async (client) => {
    await assert.rejects(client.query('select $1::text[]', [binaryArray('_text', ['a\0b'])]), {
      code: '22021',
    });
    await assert.rejects(client.query('select $1::jsonb[]', [binaryArray('_jsonb', ['{'])]), {
      code: '22P02',
    });
  });
});

test('of a type that is not known here the text is sent', () => {
  assert.equal(binaryArray('_numeric', ['1.50']), null);
});

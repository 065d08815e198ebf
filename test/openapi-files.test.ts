import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Type from 'typebox';
import { FILES, openApiTexts } from '../scripts/print-openapi.ts';
import { toJsonSchema } from '../src/platform/openapi-schemas.ts';
import { Nullable, Text, TimeText, Uuid } from '../src/platform/schemas.ts';
import { startTestService } from './harness.ts';

test('the committed documents are what the routes print', async (t) => {
  // Without a clock of the tests, so that the routes of the sandbox clock are there.
  const service = await startTestService(t, { sandboxClock: true });
  const texts = await openApiTexts(service.deps);
  for (const side of ['partner', 'operator'] as const) {
    assert.ok(
      readFileSync(FILES[side], 'utf8') === texts[side],
      `${FILES[side]}: write it anew: npm run openapi`,
    );
  }
});

test('what is ours in a schema is said in standard words', () => {
  const components = {};
  const schema = Type.Object({
    id: Nullable(Uuid('An id')),
    at: TimeText('When'),
    name: Type.String({ format: 'text', trimmedLength: [1, 20] }),
    choice: Type.Enum(['a', 'b']),
    count: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    part: Type.Union([Type.Object({ note: Text('A note', 'x') }, { title: 'Part' }), Type.Null()]),
  });
  const { properties } = toJsonSchema(schema, components);
  assert.deepEqual(properties!.id!.type, ['string', 'null']);
  assert.equal(properties!.id!.format, 'uuid');
  assert.match('23:59', new RegExp(properties!.at!.pattern!));
  assert.doesNotMatch('24:00', new RegExp(properties!.at!.pattern!));
  assert.deepEqual([properties!.name!.minLength, properties!.name!.maxLength], [1, 20]);
  assert.match(' a ', new RegExp(properties!.name!.pattern!));
  for (const wrong of ['   ', 'a\0']) assert.doesNotMatch(wrong, new RegExp(properties!.name!.pattern!, 'u'));
  assert.equal(properties!.choice!.type, 'string');
  assert.equal(properties!.count!.format, 'int64');
  assert.deepEqual(properties!.part!.anyOf, [{ $ref: '#/components/schemas/Part' }, { type: 'null' }]);
  assert.deepEqual(Object.keys(components), ['Part']);
});

test('two different schemas of one title are caught', () => {
  const components = {};
  toJsonSchema(Type.String({ title: 'Name' }), components);
  toJsonSchema(Type.String({ title: 'Name' }), components);
  assert.throws(() => toJsonSchema(Type.Integer({ title: 'Name' }), components), /two different schemas/);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Type from 'typebox';
import { FILES, openApiTexts } from '../scripts/print-openapi.ts';
import { partnerDocument } from '../src/documents.ts';
import { deprecationHeaders } from '../src/platform/deprecation.ts';
import { createHttpApp } from '../src/platform/http.ts';
import { createLogger } from '../src/platform/logger.ts';
import { collectRoutes } from '../src/platform/openapi.ts';
import { toJsonSchema } from '../src/platform/openapi-schemas.ts';
import { Body, Nullable, Success, Text, TimeText, Uuid } from '../src/platform/schemas.ts';
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

test('a deprecated route says so, and that its answers carry the headers', async () => {
  const app = createHttpApp({
    logger: createLogger('silent'),
    metrics: { observe: () => {} },
    trustedProxies: [],
    requireHttps: false,
    docsUrl: 'http://x/docs',
  });
  const routes = collectRoutes(app);
  const schema = { operationId: 'old', summary: 'Old', tags: [], response: { 200: Success(Type.Null()) } };
  const deprecated = { since: '2026-12-01', sunset: '2027-03-01', link: 'https://example.sa/changes' };
  app.get('/v1/old', { schema: { ...schema, deprecated } }, () => ({ success: true as const, data: null }));
  app.get('/v1/new', { schema: { ...schema, operationId: 'new' } }, () => ({
    success: true as const,
    data: null,
  }));
  await app.ready();
  const { paths, components } = partnerDocument(routes());
  await app.close();
  const old = paths['/old']!.get!;
  assert.equal(old.deprecated, true);
  assert.match(old.description, /^Deprecated since 2026-12-01; may be gone from 2027-03-01 on\. https:/);
  for (const status of ['200', '500']) {
    const names = Object.keys(old.responses[status]!.headers ?? {});
    for (const name of ['Deprecation', 'Sunset', 'Link'])
      assert.ok(names.includes(name), `${status} ${name}`);
  }
  for (const [name, value] of deprecationHeaders('GET /v1/old', deprecated)) {
    const header = Object.entries(components.headers).find(([each]) => each.toLowerCase() === name)![1];
    assert.match(value, new RegExp(header.schema.pattern!), name);
  }
  const fresh = JSON.stringify(paths['/new']);
  assert.ok(!fresh.includes('eprecat') && !fresh.includes('Sunset'));
});

test('what helps to mend a refused body is for its answers, not for the document', () => {
  const body = Body({ startAt: TimeText('Start') }, { start: 'start is called startAt' }, 'Slot');
  const components = {};
  toJsonSchema(body, components);
  assert.ok(!JSON.stringify(components).includes('hints'));
});

test('two different schemas of one title are caught', () => {
  const components = {};
  toJsonSchema(Type.String({ title: 'Name' }), components);
  toJsonSchema(Type.String({ title: 'Name' }), components);
  assert.throws(() => toJsonSchema(Type.Integer({ title: 'Name' }), components), /two different schemas/);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Type from 'typebox';
import { FILES, openApiTexts } from '../scripts/print-openapi.ts';
import { deprecationHeaders } from '../src/http/deprecation.ts';
import { createHttpApp } from '../src/http/edge.ts';
import { Body, Nullable, Success, Text, TimeText, Uuid } from '../src/http/schemas.ts';
import type { OpenApiDocument } from '../src/openapi/document.ts';
import { partnerDocument } from '../src/openapi/documents.ts';
import { collectRoutes } from '../src/openapi/generator.ts';
import { toJsonSchema } from '../src/openapi/schemas.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { startTestService } from './harness.ts';

test('the committed documents match the routes', async (t) => {
  // Without a clock of the tests, so that the routes of the sandbox clock are there.
  const service = await startTestService(t, { sandboxClock: true });
  const texts = await openApiTexts(service.deps);
  for (const side of ['partner', 'operator', 'portal', 'crew'] as const) {
    assert.ok(
      readFileSync(FILES[side], 'utf8') === texts[side],
      `${FILES[side]}: write it anew: npm run generate`,
    );
  }
});

for (const side of ['partner', 'operator', 'portal', 'crew'] as const) {
  const document: OpenApiDocument = JSON.parse(readFileSync(FILES[side], 'utf8'));
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test(`${side}: optional parameters have no example, which pages would send`, () => {
    const given = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ required, schema }) => required !== true && ('examples' in schema || 'example' in schema))
        .map(({ name }) => `${operationId} ${name}`),
    );
    assert.deepEqual(given, []);
    assert.ok(operations.some(({ parameters }) => parameters?.some(({ required }) => required !== true)));
  });

  test(`${side}: references have no siblings, which generators would drop`, () => {
    const narrowed: string[] = [];
    JSON.stringify(document, (key, value) => {
      if (value?.$ref !== undefined && Object.keys(value).length > 1) narrowed.push(`${key} ${value.$ref}`);
      return value;
    });
    assert.deepEqual(narrowed, []);
  });

  test(`${side}: every error lists its codes and has its whole envelope`, () => {
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const name = response.$ref?.replace('#/components/responses/', '');
        const { content } = name === undefined ? response : document.components.responses[name]!;
        const error = content!['application/json']!.schema.properties!.error!;
        assert.deepEqual(error.required, ['code', 'message', 'details', 'requestId'], operationId);
        assert.ok(error.properties!.code!.enum!.length > 0, `${operationId} ${status}`);
      }
    }
  });
}

test('own keywords of schemas become standard ones', () => {
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

test('a deprecated route is marked, and its responses document the headers', async () => {
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

test('hints for refused bodies are not in the document', () => {
  const body = Body({ startAt: TimeText('Start') }, { start: 'start is called startAt' }, 'Slot');
  const components = {};
  toJsonSchema(body, components);
  assert.ok(!JSON.stringify(components).includes('hints'));
});

test('two different schemas with one title are refused', () => {
  const components = {};
  toJsonSchema(Type.String({ title: 'Name' }), components);
  toJsonSchema(Type.String({ title: 'Name' }), components);
  assert.throws(() => toJsonSchema(Type.Integer({ title: 'Name' }), components), /two different schemas/);
});

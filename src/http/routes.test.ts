import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import Type from 'typebox';
import type { App } from './edge.ts';
import { pageOf } from './envelope.ts';
import { routesOf } from './routes.ts';
import { NoFields, PageQuery } from './schemas.ts';

/** Routes of one resource; what they have in common with all others is in test/openapi.test.ts. */

const Note = Type.Object({ id: Type.String(), version: Type.Integer() });
const note = { id: 'a', version: 3 };

test('the envelope, the status and the ETag follow from what a route states', async () => {
  const app = fastify();
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  const seen: unknown[] = [];
  app.addHook('onRoute', ({ url, method, schema, config }) => {
    if (method !== 'HEAD')
      seen.push([method, url, schema?.tags, schema?.missing, schema?.optionalBody, config]);
  });
  await app.register(
    async (inner) => {
      const route = routesOf(inner as unknown as App, {
        tags: ['Notes'],
        missing: ['Note'],
        config: { makesNoWork: true },
      });
      const described = { operationId: 'o', summary: 's' };
      route.get('/x/notes', {
        ...described,
        query: Type.Object(PageQuery),
        response: { page: Note },
        answer: () => pageOf({ rows: [note], total: 1 }, (row) => row),
      });
      route.post('/x/notes', {
        ...described,
        body: NoFields,
        status: 201,
        etag: true,
        response: { data: Note },
        answer: async () => note,
      });
      route.get('/x/notes/:id', {
        ...described,
        response: { data: Note },
        answer: (_request, reply) => reply.code(202).send('sent') as never,
      });
      assert.throws(
        () => route.get('/notes', { ...described, response: { list: Note }, answer: () => [note] }),
        /\/notes is not below \/x/,
      );
    },
    { prefix: '/x' },
  );
  const answered = async (method: 'GET' | 'POST', url: string) => {
    const { statusCode, headers, body } = await app.inject({ method, url });
    return [statusCode, headers.etag, body];
  };
  const meta = { page: 1, limit: 20, total: 1, totalPages: 1 };
  assert.deepEqual(await answered('GET', '/x/notes'), [
    200,
    undefined,
    JSON.stringify({ success: true, data: [note], meta }),
  ]);
  assert.deepEqual(await answered('POST', '/x/notes'), [
    201,
    '"3"',
    JSON.stringify({ success: true, data: note }),
  ]);
  assert.deepEqual(await answered('GET', '/x/notes/a'), [202, undefined, 'sent']);
  const config = { makesNoWork: true };
  assert.deepEqual(seen, [
    ['GET', '/x/notes', ['Notes'], undefined, undefined, config],
    ['POST', '/x/notes', ['Notes'], undefined, true, config],
    ['GET', '/x/notes/:id', ['Notes'], ['Note'], undefined, config],
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, OPERATOR_TOKEN, startTestService } from './harness.ts';
import { checkerOf } from './openapi-check.ts';
import type { Side, Valid } from './openapi-context.ts';
import { OPERATOR } from './openapi-operator-operations.ts';
import { PARTNER } from './openapi-partner-operations.ts';
import { createHookWorld } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Every text of every body, empty and blank. */

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  $ref?: string;
};
type Path = (string | number)[];

function textsOf(schema: Schema, schemas: Record<string, Schema>, path: Path = []): Path[] {
  if (schema.$ref !== undefined) return textsOf(schemas[schema.$ref.split('/').at(-1)!]!, schemas, path);
  const { type, items, properties = {}, enum: choices, const: only } = schema;
  if ([type].flat().includes('string') && choices === undefined && only === undefined) return [path];
  if (items !== undefined) return textsOf(items, schemas, [...path, 0]);
  return Object.entries(properties).flatMap(([name, each]) => textsOf(each, schemas, [...path, name]));
}

/** The body with the value at the path, which begins in what the body has. */
function withText(body: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text;
  const inner = (body as Record<Path[number], unknown> | undefined)?.[name];
  if (typeof name === 'number') return [withText(inner, rest, text), ...((body as unknown[]) ?? []).slice(1)];
  return { ...(body as object), [name]: withText(inner, rest, text) };
}

test('an empty or blank text is kept, or refused by its name: a reason always', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, {
    env: { IDEMPOTENCY: 'on', WEBHOOK_ALLOW_HOSTS: receiver.host },
  });
  const context = { service, world: await createHookWorld(service), receiver };
  const sides: [Side, Record<string, Valid>, string, Record<string, string>][] = [
    ['partner', PARTNER, `${service.url}/v1`, { 'x-api-key': context.world.key }],
    ['operator', OPERATOR, `${service.operatorUrl}/operator`, { authorization: `Bearer ${OPERATOR_TOKEN}` }],
  ];
  const reasons: string[] = [];
  for (const [side, valid, base, credentials] of sides) {
    const { document, operations } = checkerOf(side);
    for (const { method, operation } of operations) {
      const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
      for (const path of schema === undefined ? [] : textsOf(schema, document.components.schemas as never)) {
        if (path.at(-1) === 'reason') reasons.push(operation.operationId);
        for (const text of ['', ' \t\u00a0']) {
          const request = await valid[operation.operationId]!(context);
          const body = withText(request.body, path, text);
          const answer = await call(base, method, request.path, body, { ...credentials, ...request.headers });
          const name = `${side} ${operation.operationId} ${path.join('.')} ${JSON.stringify(text)}: ${answer.text}`;
          assert.ok(answer.status < 500, name);
          if (path.at(-1) !== 'reason') continue;
          assert.equal(answer.status, 400, name);
          assert.match(answer.text, /"reason should not be empty"/, name);
        }
      }
    }
  }
  assert.ok(reasons.includes('eraseContact') && reasons.includes('createTimeOff'), reasons.join());
});

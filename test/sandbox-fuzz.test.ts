import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { WANTED_EVENTS } from '../src/certification/rules.ts';
import type { JsonSchema } from '../src/openapi/schemas.ts';
import { createWorld } from './fixtures.ts';
import { type Answer, startTestService } from './harness.ts';
import { checkerOf, type DocumentedOperation } from './openapi-check.ts';
import { makeLink, portal, signIn } from './portal-fixtures.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/**
 * Valid, extreme and nonsensical requests to every operation of the portal and of the sandbox, made by fast-check from
 * the documents. `call` holds each answer against them: only documented statuses, bodies as their schemas say, and
 * nothing accepted that the document does not allow. FUZZ_RUNS is how many of each operation; with FUZZ_SEED a run is
 * repeated.
 */

const RUNS = Number(process.env.FUZZ_RUNS ?? 8);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** Texts that programs stumble over. */
const NASTY = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u{1f9f9}'.repeat(600),
  'x'.repeat(5_000),
  '\u202eabc',
  "'; drop table bookings; --",
  '%',
  '../../../etc/passwd',
  '{{7*7}}',
  '-1',
  '0',
  '1e400',
  '9007199254740993',
  '00000000-0000-4000-8000-000000000000',
  'null',
  'true',
  '2026-02-30',
  '9999-12-31T23:59:59+03:00',
  'حجز',
];

const VALUES: unknown[] = [
  ...NASTY,
  '\ud800',
  null,
  true,
  -1,
  0,
  0.5,
  1e21,
  2 ** 53,
  [],
  [[]],
  {},
  { a: { b: [null] } },
];

type Schema = JsonSchema & { [name: string]: never };

/** Valid values of a schema, including its limits; IDs are existing ones. */
function allowed(
  schema: Schema,
  name: string,
  ids: Record<string, string[]>,
  resolve: (ref: string) => Schema,
): Arbitrary<unknown> {
  const inner = (one: Schema, as = name) => allowed(one, as, ids, resolve);
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref));
  const {
    anyOf,
    enum: choices,
    const: only,
    type,
  } = schema as unknown as {
    anyOf?: Schema[];
    enum?: unknown[];
    const?: unknown;
    type?: string;
  };
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => inner(one)));
  if (only !== undefined) return fc.constant(only);
  if (choices !== undefined) return fc.constantFrom(...choices);
  const limits = schema as unknown as Record<string, number | undefined>;
  switch (type) {
    case 'integer':
    case 'number': {
      const [min, max] = [limits.minimum ?? -5, limits.maximum ?? 1_000];
      return fc.oneof(fc.constantFrom(min, max), fc.integer({ min: Math.ceil(min), max: Math.floor(max) }));
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const items = inner((schema as unknown as { items: Schema }).items);
      return fc.array(items, {
        minLength: limits.minItems ?? 0,
        maxLength: Math.min(limits.maxItems ?? 4, 6),
      });
    }
    case 'object': {
      const { properties = {}, required = [] } = schema as unknown as {
        properties?: Record<string, Schema>;
        required?: string[];
      };
      const model = Object.fromEntries(
        Object.entries(properties).map(([key, one]) => [key, inner(one, key)]),
      );
      return fc.record(model, { requiredKeys: required });
    }
    default:
      return texts(schema, name, ids);
  }
}

function texts(schema: Schema, name: string, ids: Record<string, string[]>): Arbitrary<string> {
  const {
    format,
    pattern,
    maxLength = 40,
    examples,
  } = schema as unknown as {
    format?: string;
    pattern?: string;
    maxLength?: number;
    examples?: string[];
  };
  const known = ids[name] ?? ids.id!;
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...known), fc.uuid({ version: 4 }));
  if (format === 'date') return fc.constantFrom('2026-11-24', '2000-01-01', '2100-12-31');
  if (format === 'date-time') return fc.constantFrom('2026-11-22T08:00:00+03:00', '2000-01-01T00:00:00Z');
  if (pattern !== undefined && ids[name] !== undefined && name === 'id') return fc.constantFrom(...known);
  if (pattern !== undefined && pattern !== '^[^\\u0000]*$')
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength } as never);
  return fc.oneof(
    fc.constantFrom(...(examples ?? ['x'])),
    fc.string({ minLength: 1, maxLength: Math.min(maxLength, 200) }),
  );
}

type Sent = { path: Record<string, unknown>; query: [string, unknown][]; body: unknown };

/** Requests to the operation: as documented, or with one thing about them that is not. */
function requests(
  found: DocumentedOperation,
  side: 'partner' | 'portal',
  ids: Record<string, string[]>,
): Arbitrary<Sent> {
  const { document } = checkerOf(side);
  const resolve = (ref: string): Schema =>
    ref
      .slice(2)
      .split('/')
      .reduce<never>((at, part) => at[part as never], document as never) as Schema;
  const { parameters = [], requestBody } = found.operation as unknown as {
    parameters?: { name: string; in: string; required?: boolean; schema: Schema; $ref?: string }[];
    requestBody?: { required?: boolean; content: { 'application/json': { schema: Schema } } };
  };
  const of = (where: string) => parameters.filter((one) => one.$ref === undefined && one.in === where);
  const values = (where: string) =>
    fc.record(
      Object.fromEntries(of(where).map(({ name, schema }) => [name, allowed(schema, name, ids, resolve)])),
      {
        requiredKeys: of(where)
          .filter(({ required }) => required)
          .map(({ name }) => name),
      },
    );
  const schema = requestBody?.content['application/json'].schema;
  const body: Arbitrary<unknown> =
    schema === undefined ? fc.constant(undefined) : allowed(schema, '', ids, resolve);
  const good = fc.record({
    path: values('path'),
    query: values('query').map((query) => Object.entries(query as object)),
    body: requestBody?.required === true ? body : fc.option(body, { nil: undefined }),
  }) as Arbitrary<Sent>;
  const spoilt = fc
    .tuple(good, fc.constantFrom(...VALUES), fc.constantFrom(...NASTY), fc.nat())
    .map(([request, value, text, pick]): Sent => {
      const places = [
        ...of('path').map(({ name }) => () => ({
          ...request,
          path: { ...request.path, [name]: text || '-' },
        })),
        ...of('query').map(({ name }) => () => ({
          ...request,
          query: [...request.query, [name, text], ...(pick % 3 === 0 ? [[name, '1']] : [])] as Sent['query'],
        })),
        ...(schema === undefined
          ? []
          : [
              () => ({ ...request, body: value }),
              () => ({ ...request, body: { ...(request.body as object), [text]: value } }),
              ...Object.keys((schema.$ref ? resolve(schema.$ref) : schema).properties ?? {}).map(
                (key) => () => ({
                  ...request,
                  body: { ...(request.body as object), [key]: value },
                }),
              ),
            ]),
      ];
      return places.length === 0 ? request : places[pick % places.length]!();
    });
  return fc.oneof(good, spoilt, spoilt);
}

function pathOf({ path, query }: Sent, template: string): string {
  const filled = template.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(path[name])));
  const search = query
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${name}=${encodeURIComponent(String(one))}`),
    )
    .join('&');
  return search === '' ? filled : `${filled}?${search}`;
}

test('no request makes an operation of the portal or the sandbox respond with an undocumented error', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, {
    env: { WEBHOOK_ALLOW_HOSTS: receiver.host },
    maxAuthFailures: 1_000_000,
  });
  const world = await createHookWorld(service);
  const other = await createWorld(service);
  const { bookingId } = (await world.book({ externalReference: 'order-1' })).body.data;
  const { id: subscriptionId } = await subscribe(service, world.key, {
    url: receiver.url,
    events: WANTED_EVENTS,
  });
  const made = await makeDeliveries(service, bookingId, 2, { failedAt: service.clock.now() });
  const v1 = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.v1(world.key, method, `/partners/sandbox${path}`, body);
  const run = (await v1('POST', `/bookings/${bookingId}/runs`, { script: 'complete', everySeconds: 3_600 }))
    .body.data;
  const certification = (await v1('POST', '/certifications', { subscriptionId })).body.data;
  const link = async () => signIn(service, { link: (await makeLink(service, world.partnerId)).token });
  const session = await link();
  const logged = (await portal(service, session, 'GET', '/requests')).body.data;
  const ids = {
    bookingId: [bookingId],
    runId: [run.id],
    subscriptionId: [subscriptionId],
    id: [subscriptionId, ...made, certification.id],
    keyId: [world.keyId],
  };
  const byPath: Record<string, string[]> = {
    '/requests/': logged.map(({ id }: { id: string }) => id),
    '/subscriptions/': [subscriptionId],
    '/deliveries/': made,
    '/certifications/': [certification.id],
  };

  const faults = new Map<string, string[]>();
  const outcomes = new Map<string, Set<number>>();
  async function fuzz(side: 'partner' | 'portal', operations: readonly DocumentedOperation[]): Promise<void> {
    for (const found of operations) {
      const { operationId } = found.operation;
      const seen = new Set<number>();
      outcomes.set(`${side} ${operationId}`, seen);
      const kind = Object.keys(byPath).find((part) => found.path.includes(part));
      const its = kind === undefined ? ids : { ...ids, id: byPath[kind]! };
      await fc.assert(
        fc.asyncProperty(requests(found, side, its), async (request) => {
          const path = pathOf(request, found.path);
          const token = operationId === 'signOut' ? await link() : session;
          const answer =
            side === 'partner'
              ? await service.v1(world.key, found.method, path, request.body)
              : await portal(
                  service,
                  operationId === 'signIn' ? null : token,
                  found.method,
                  path,
                  request.body,
                );
          assert.ok(answer.status < 500, answer.text);
          seen.add(answer.status);
          if (answer.status === 400) faults.set(operationId, answer.body.error.details.message);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    }
  }
  await fuzz(
    'partner',
    checkerOf('partner').operations.filter(
      ({ path }) => path.startsWith('/partners/sandbox') || path.endsWith('/replay'),
    ),
  );
  await fuzz('portal', checkerOf('portal').operations);

  // Creations with the header, which any text may be in.
  const header = fc.oneof(
    fc.constantFrom(
      'complete; every=0',
      'operator-moves',
      'payment-fails',
      'complete; every=3601',
      ';',
      'every=5',
      'complete; every=5; x',
    ),
    fc.string({
      unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
      maxLength: 120,
    }),
  );
  const created = new Set<number>();
  await fc.assert(
    fc.asyncProperty(header, async (value) => {
      const { contactId, addressId, serviceId } = other;
      const body = {
        contactId,
        addressId,
        serviceId,
        date: '2026-11-30',
        timeslot: { startAt: '09:00', endAt: '11:00' },
      };
      const answer = await service.v1(other.key, 'POST', '/partners/bookings', body, {
        'x-sandbox-run': value,
      });
      assert.ok([200, 400, 422].includes(answer.status), answer.text);
      created.add(answer.status);
    }),
    { numRuns: RUNS * 3, seed: SEED },
  );
  assert.ok(created.has(400), 'some headers are malformed');
  // It was not refused for another reason each time.
  const untouched = [...outcomes].filter(
    ([, statuses]) => ![...statuses].some((status) => status < 300 || status === 422),
  );
  const mayFail = ['portal signIn'];
  assert.deepEqual(
    RUNS < 50 ? [] : untouched.map(([name]) => name).filter((name) => !mayFail.includes(name)),
    [],
  );
});

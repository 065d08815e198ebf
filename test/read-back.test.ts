import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, OPERATOR_TOKEN } from './harness.ts';
import { checkerOf, type Side } from './openapi-check.ts';
import { compare, type Field, fieldsOf, missing, type Seen, type Write, type Writes } from './read-back.ts';
import { openContext, type ReadContext } from './read-back-context.ts';
import { OPERATOR_WRITES } from './read-back-operator.ts';
import { CREW_WRITES, PARTNER_WRITES, PORTAL_WRITES } from './read-back-partner.ts';

/**
 * What a body takes is what a later read answers, for every field of every operation of the documents, with different
 * values and with null; and what the change itself has answered is the same. A new field needs a value in the tables
 * beside (read-back-*.ts), or says in its description why no read has it.
 */

const WRITES: Record<Side, Record<string, Writes<ReadContext>>> = {
  partner: PARTNER_WRITES,
  operator: OPERATOR_WRITES,
  portal: PORTAL_WRITES,
  crew: CREW_WRITES,
};

function send(
  context: ReadContext,
  side: Side,
  method: string,
  { path, body }: Pick<Write, 'path' | 'body'>,
) {
  const { world, session, telephone } = context;
  const service = path.startsWith('/clock') ? context.clocked : context.service;
  const at: Record<Side, [string, Record<string, string>]> = {
    partner: [`${service.url}/v1`, { 'x-api-key': world.key }],
    operator: [`${service.operatorUrl}/operator`, { authorization: `Bearer ${OPERATOR_TOKEN}` }],
    portal: [`${service.url}/portal/api`, { authorization: `Bearer ${session}` }],
    crew: [
      `${service.url}/crew/api`,
      { cookie: telephone, origin: service.url, 'sec-fetch-site': 'same-origin' },
    ],
  };
  const [base, headers] = at[side];
  return call(base, method, path, body, headers);
}

/** What is wrong with an operation. */
async function faultsOf(
  context: ReadContext,
  side: Side,
  { method, fields }: { method: string; fields: Map<string, Field> },
  writes: Writes<ReadContext>,
): Promise<string[]> {
  const faults: string[] = [];
  const seen: Seen = new Map();
  const requests = writes(context);
  let next = await requests.next();
  while (!next.done) {
    const { path, read } = next.value;
    const body = JSON.parse(JSON.stringify(next.value.body));
    const answer = await send(context, side, method, { path, body });
    if (answer.status >= 300) return [`refused ${JSON.stringify(body)}: ${answer.text}`];
    const answered = answer.body.data;
    faults.push(...compare(fields, { body, answered }, await read(answered), seen));
    next = await requests.next(answered);
  }
  return [...new Set([...faults, ...missing(fields, seen)])];
}

async function faultsOfSide(context: ReadContext, side: Side): Promise<string[]> {
  const { document, operations } = checkerOf(side);
  const faults: string[] = [];
  const names = new Set(Object.keys(WRITES[side]));
  for (const found of operations) {
    const { operationId } = found.operation;
    const fields = fieldsOf(document, found);
    if (fields.size === 0 || [...fields.values()].every(({ isUnread }) => isUnread)) continue;
    const writes = WRITES[side][operationId];
    names.delete(operationId);
    const of =
      writes === undefined
        ? ['is in no table']
        : await faultsOf(context, side, { method: found.method, fields }, writes);
    faults.push(...of.map((fault) => `${side} ${operationId} ${fault}`));
  }
  return [...faults, ...[...names].map((name) => `${name} has no field that is read`)];
}

test('every field of every body reads back', async (t) => {
  const context = await openContext(t);
  const faults: string[] = [];
  for (const side of ['partner', 'operator', 'portal', 'crew'] as const)
    faults.push(...(await faultsOfSide(context, side)));
  assert.deepEqual(faults, []);
});

test('a value that is lost, and a field without a value, are found', () => {
  const fields = new Map<string, Field>([
    ['name', { values: 2, nullable: false, isUnread: false }],
    ['rows[].at', { values: 2, nullable: true, isUnread: false }],
    ['secret', { values: 2, nullable: false, isUnread: true }],
  ]);
  const seen: Seen = new Map();
  const faults = (body: object, answered: object, data: object) =>
    compare(fields, { body, answered }, { data }, seen).length;
  assert.equal(faults({ name: 'a' }, { name: 'a' }, { name: 'a' }), 0);
  assert.equal(faults({ name: 'b' }, { name: 'b' }, { name: null }), 2, 'answered, and not stored');
  assert.equal(faults({ name: 'b' }, {}, {}), 1, 'in no read');
  assert.equal(faults({ rows: [{ at: 1 }] }, {}, { rows: [{ at: 1 }, { at: 2 }] }), 1, 'more than was sent');
  assert.equal(faults({ other: 1 }, {}, { other: 1 }), 1, 'no field of the document');
  assert.equal(faults({ secret: 'x' }, {}, {}), 0, 'its description says why');
  assert.equal(faults({}, { at: 1, rows: [1] }, { at: 2, rows: [] }), 2, 'answered otherwise');
  const left = missing(fields, seen);
  assert.deepEqual(left, [
    'name: 1 of 2 values were read back',
    'rows[].at: 1 of 2 values were read back',
    'rows[].at: null was not read back',
  ]);
  const told: Seen = new Map([['secret', new Set(['1', '2'])]]);
  assert.match(missing(fields, told).at(-1)!, /secret is read back/, 'a description that is wrong');
});

test('the fields of a body are those of the document, however deep', () => {
  const { document, operations } = checkerOf('operator');
  const of = (id: string) =>
    fieldsOf(document, operations.find(({ operation }) => operation.operationId === id)!);
  const schedule = of('createSchedule');
  assert.deepEqual(schedule.get('closed'), { values: 2, nullable: false, isUnread: false });
  assert.deepEqual(schedule.get('yearly'), { values: 0, nullable: true, isUnread: false });
  assert.deepEqual(schedule.get('yearly.shifts[].days'), { values: 2, nullable: false, isUnread: false });
  assert.deepEqual(of('createZone').get('area.type'), { values: 1, nullable: false, isUnread: false });
  assert.equal(of('reassignChosen').get('apply[].version')?.isUnread, true);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { audit, verifyAudit } from '../src/db/audit.ts';
import { TEXT_FIELDS } from '../src/db/audit-texts.ts';
import type { Db } from '../src/db/connection.ts';
import { readOperatorBooking } from '../src/dispatch/bookings.ts';
import { type HistoryEntry, operatorBookingDetailView } from '../src/dispatch/view.ts';
import { type Booked, booked } from './appointment-fixtures.ts';
import { step, TODAY, telephoneOf } from './crew-fixtures.ts';
import { createWorld, randomPhone } from './fixtures.ts';
import { startTestService, TEST_NOW, type TestService } from './harness.ts';
import { tablesWith } from './needle.ts';
import { type Context, reason } from './openapi-context.ts';
import { OPERATOR } from './openapi-operator-operations.ts';
import { createHookWorld } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Texts about a booking are beside the audit log, can be erased, and the chain still verifies. */

// ---------------------------------------------------------------------------
// No text in the log

type Schema = { $ref?: string; properties?: Record<string, Schema>; pattern?: string; anyOf?: Schema[] };
type Operation = { operationId: string; requestBody?: { content: Record<string, { schema: Schema }> } };

const { paths, components } = JSON.parse(
  readFileSync(new URL('../openapi/operator.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Resources in whose texts no customer is: names of the operator's own, and of partners. */
const NOT_OF_CUSTOMERS =
  /^\/(cancellation-reasons|categories|keys|partners|policies|schedules|services|sessions|statement-settings|teams|tokens|zones)\b/;
/** References, which other systems have too, numbers as texts, and phones, which have a form. */
const NO_TEXTS = ['externalReference', 'reference', 'latitude', 'longitude', 'phone'];

/** The fields of a body that take any text, `contact.name`. */
function textsIn(schema: Schema, prefix = ''): string[] {
  const { $ref = '', properties = {}, anyOf = [] } = schema;
  const named = components.schemas[$ref.split('/').at(-1)!];
  if (named !== undefined) return textsIn(named, prefix);
  const own = Object.entries(properties).flatMap(([name, member]) =>
    member.pattern?.startsWith('^[^\\u0000]*') && !NO_TEXTS.includes(name)
      ? [prefix + name]
      : textsIn(member, `${prefix}${name}.`),
  );
  return [...own, ...anyOf.flatMap((one) => textsIn(one, prefix))];
}

/** The operations that take a text about a customer or a booking, with those fields. */
function operationsWithTexts(): { id: string; method: string; texts: string[] }[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { operationId: id, requestBody }]) => {
      const [content] = Object.values(requestBody?.content ?? {});
      const texts = content === undefined || NOT_OF_CUSTOMERS.test(path) ? [] : textsIn(content.schema);
      return texts.length === 0 ? [] : [{ id, method: method.toUpperCase(), texts }];
    }),
  );
}

/** In which else the request differs from that of the documented operations, so that the text is recorded. */
const WITH: Record<string, (context: Context) => object> = {
  createBookingForPartner: ({ world }) => ({
    force: true,
    contactId: undefined,
    addressId: undefined,
    contact: { phone: randomPhone(), latitude: String(world.latitude), longitude: String(world.longitude) },
  }),
  updateAppointment: () => ({ force: true, status: 'Cancelled' }),
  revisitBooking: () => ({ force: true }),
};

/** The present name of a target: it is in no table of the log. */
const LOOKED_UP = ['createBookingForPartner.contact.name', 'updateCustomer.name'];
/** The texts that the log shows beside its entries; others are in no entry. */
const RECORDED = [
  'updateAppointment.reason',
  'updateAppointment.statusNotes',
  'correctAppointment.reason',
  'createBookingForPartner.reason',
  'cancelBooking.notes',
  'failBooking.reason',
  'revisitBooking.reason',
  'refundPayment.reason',
  'declineRefund.reason',
  'recordOutcome.reason',
  'waiveFees.reason',
];

async function openContext(t: TestContext): Promise<Context> {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  // Payments stay as the operations write them.
  await service.deps.db.rows({
    text: `
      alter table payments alter lease set default gen_random_uuid(),
        alter leased_until set default '2100-01-01'`,
  });
  return { service, world: await createHookWorld(service), receiver };
}

/** Sends the request of the operation with a needle as every text; returns the needles by field. */
async function writeTexts(
  context: Context,
  { id, method, texts }: ReturnType<typeof operationsWithTexts>[number],
): Promise<[needle: string, field: string][]> {
  const { path, body } = await OPERATOR[id]!(context);
  const sent: Record<string, unknown> = { ...(body as object), ...WITH[id]?.(context) };
  const needles = texts.map((name, index): [string, string] => {
    const needle = `Zq${operationsWithTexts().findIndex((one) => one.id === id)}x${index}z`;
    const [outer, inner] = name.split('.') as [string, string | undefined];
    if (inner === undefined) sent[outer] = needle;
    else sent[outer] = { ...(sent[outer] as object), [inner]: needle };
    return [needle, `${id}.${name}`];
  });
  const answer = await context.service.operator(method, path, sent);
  assert.ok(answer.status < 300, `${id}: ${answer.text}`);
  return needles;
}

const logOf = async (db: Db): Promise<string> =>
  JSON.stringify(await db.rows({ text: 'select to_jsonb(a) from audit_log a' }));

test('no text that an operation takes about a customer is in the log, and the list shows them', async (t) => {
  const context = await openContext(t);
  const { db } = context.service.deps;
  const recorded: string[] = [];
  for (const operation of operationsWithTexts())
    for (const [needle, field] of await writeTexts(context, operation)) {
      assert.ok(!(await logOf(db)).includes(needle), `${field} is in the log`);
      const { text } = await context.service.operator('GET', '/audit?limit=20');
      if (text.includes(needle)) recorded.push(field);
    }
  assert.deepEqual(recorded.sort(), [...RECORDED, ...LOOKED_UP].sort());
  assert.equal((await verifyAudit(db)).textsBrokenAt, null);
  assert.deepEqual(await unknownFields(db), []);
});

// ---------------------------------------------------------------------------
// No text of another name

/** Fields of bookings, appointments and payments in the log, in which nobody writes. */
const NOT_TEXTS = `
  action addressId appointmentId at bookingId by contactId createdAt currency date endAt endsAt error expiresAt
  externalReference failedAt gateway gatewayReference happenedAt id name nameAr outcome paidAt partnerId partnerName
  paymentStatus policyId reasonId reference refundedAt refusal scheduledEndDateTime scheduledStartDateTime sentAt serviceId
  serviceNameAr serviceNameEn startAt startsAt status statusReason textsHash to trackingReference updatedAt wantedStatus
  zoneId`
  .trim()
  .split(/\s+/);

/** Fields of entries about bookings that hold a text and are in no list. */
async function unknownFields(db: Db): Promise<string[]> {
  const entries = await db.rows<{ before: unknown; after: unknown }>({
    text: `select before, after from audit_log where target ~ '^(booking|appointment):'`,
  });
  const found = entries.flatMap(({ before, after }) => [...fieldsOf(before), ...fieldsOf(after)]);
  return [...new Set(found)].filter((name) => !NOT_TEXTS.includes(name)).sort();
}

function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' ? [name] : fieldsOf(member),
  );
}

test('a text of another name in an entry about a booking is noticed', async (t) => {
  const { db } = (await startTestService(t)).deps;
  const bookingId = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  const write = (target: string, after: object) =>
    db.transaction((tx) => audit(tx, TEST_NOW, { actor: 'a', action: 'b', target, after }));
  await write(`booking:${bookingId}`, {
    bookingId,
    remarks: 'x',
    cancellation: { notes: 'x', hearsay: 'x' },
  });
  await write('team:1', { gossip: 'x' });
  assert.deepEqual(await unknownFields(db), ['hearsay', 'remarks']);
  for (const name of TEXT_FIELDS) assert.ok(!NOT_TEXTS.includes(name), name);
});

// ---------------------------------------------------------------------------
// Steps of crews, history, erasing

const historyOf = async ({ deps }: TestService, { bookingId }: Booked): Promise<HistoryEntry[]> =>
  operatorBookingDetailView(await readOperatorBooking(deps.db, bookingId)).history;

const notesOf = (history: HistoryEntry[]) => history.flatMap(({ notes }) => (notes === null ? [] : [notes]));

/** A booking with a corrected status and a refused step of its crew. */
async function withTexts(service: TestService) {
  const world = await createWorld(service);
  const booking = await booked(world, '12:00', { date: TODAY });
  const phone = await telephoneOf(service, world.teamIds[0]!);
  await step(service, phone, booking, { to: 'In The Way' });
  const refused = await step(service, phone, booking, {
    to: 'Cannot Complete',
    reason: 'CUSTOMER_ABSENT',
    text: 'Zq71 rang',
    startsAt: '2026-11-23T09:00:00+03:00',
  });
  assert.notEqual(refused.refusal, null);
  service.clock.advance(60_000);
  await step(service, phone, booking, {
    to: 'Cannot Complete',
    reason: 'CUSTOMER_ABSENT',
    text: 'Zq72 rang',
  });
  service.clock.advance(60_000);
  const corrected = await service.operator('POST', `/appointments/${booking.appointmentId}/correct`, {
    status: 'In The Way',
    reason: 'Zq73 came',
  });
  assert.equal(corrected.status, 200, corrected.text);
  return { world, booking };
}

test("what crews write is in the booking's history, and not in the log", async (t) => {
  const service = await startTestService(t);
  const { booking } = await withTexts(service);
  assert.deepEqual(notesOf(await historyOf(service, booking)), ['Zq71 rang', 'Zq72 rang', 'Zq73 came']);
  assert.ok(!(await logOf(service.deps.db)).includes('Zq7'));
  assert.deepEqual(await unknownFields(service.deps.db), []);
});

test('erasing a customer deletes her texts: the log verifies, and the history has none', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  const { world, booking } = await withTexts(service);
  const other = await withTexts(service);
  const reasonId = await reason(service);
  const cancelled = await service.operator('POST', `/bookings/${booking.bookingId}/cancel`, {
    reasonId,
    notes: 'Zq74 moved',
  });
  assert.equal(cancelled.status, 200, cancelled.text);
  const before = await historyOf(service, booking);
  const { head } = await verifyAudit(db);
  const erased = await service.operator('POST', `/contacts/${world.contactId}/erase`, {
    reason: 'She asked',
  });
  assert.equal(erased.status, 200, erased.text);

  const { brokenAt, textsBrokenAt } = await verifyAudit(db, head);
  assert.deepEqual([brokenAt, textsBrokenAt], [null, null]);
  assert.deepEqual(await tablesWith(db, 'Zq74'), []);
  assert.deepEqual(
    await historyOf(service, booking),
    before.map((entry) => ({ ...entry, notes: null })),
  );
  for (const target of [`appointment:${booking.appointmentId}`, `booking:${booking.bookingId}`])
    assert.doesNotMatch((await service.operator('GET', `/audit?target=${target}`)).text, /Zq7|textsHash/);
  assert.equal(notesOf(await historyOf(service, other.booking)).length, 3);

  await db.rows({
    text: 'delete from audit_texts where booking_id = $1',
    values: [other.booking.bookingId],
  });
  const first = await db.first<{ number: number }>({
    text: `select min(number) as number from audit_log where after ? 'textsHash' and target = $1`,
    values: [`appointment:${other.booking.appointmentId}`],
  });
  assert.equal((await verifyAudit(db)).textsBrokenAt, first!.number, 'missing without an erasure');
});

test('a text that was changed, moved or added is found', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  await withTexts(service);
  const entries = await db.rows<{ number: number; id: string; has: boolean }>({
    text: `select number, id, after ? 'textsHash' as has from audit_log order by number`,
  });
  const [first, second] = entries.filter(({ has }) => has);
  const without = entries.find(({ has }) => !has)!;
  for (const [text, number] of [
    [
      `update audit_texts set after = '{"statusNotes": "x"}' where entry_id = '${second!.id}'`,
      second!.number,
    ],
    [`update audit_texts set before = '{}' where entry_id = '${first!.id}'`, first!.number],
    [`update audit_texts set salt = 'x' where entry_id = '${second!.id}'`, second!.number],
    [`delete from audit_texts where entry_id = '${second!.id}'`, second!.number],
    [
      `insert into audit_texts (entry_id, booking_id, after) values ('${without.id}', '${without.id}', '{"notes": "x"}')`,
      without.number,
    ],
  ] as const) {
    const stored = await db.rows({ text: 'select * from audit_texts' });
    assert.ok(stored.length > 0);
    class Undone extends Error {}
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.rows({ text });
        assert.equal((await verifyAudit(tx)).textsBrokenAt, number, text);
        throw new Undone();
      }),
      Undone,
    );
  }
  assert.equal((await verifyAudit(db)).textsBrokenAt, null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSONAL } from '../scripts/print-privacy.ts';
import { type Personal, type PersonalKind, personalOf } from '../src/db/columns.ts';
import type { Db } from '../src/db/connection.ts';
import { dayOf, step, TODAY, telephoneOf } from './crew-fixtures.ts';
import { startTestService, type TestService } from './harness.ts';
import { made, reason } from './openapi-context.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';

/**
 * What the map of personal data has, and does not name as kept, is gone after erasing: each of its columns gets a value
 * of its own, and all tables are searched for them.
 */

const PHONE = '+966509991919';

/** A column of the map, with the value to look for. */
type Column = { table: string; column: string; holds: PersonalKind; needle: string };

/** The kinds of data in the copy. */
const COPIED: readonly PersonalKind[] = ['NAME', 'PHONE', 'PLACE', 'TEXT'];

/** Where any text will not do: the value to look for. */
const NEEDLES: Record<string, string> = {
  'contacts.phone': PHONE,
  'privacy_requests.phone': PHONE,
  'addresses.latitude': '24.919191',
  'addresses.longitude': '46.919191',
  'addresses.short_address': 'ZQNE9191',
  'addresses.postal_code': '91919',
};

type PersonalMap = readonly { table: string; personal: readonly (readonly [string, Personal])[] }[];

/** The columns that erasing empties. */
function columnsOf(map: PersonalMap): Column[] {
  return map
    .flatMap(({ table, personal }) =>
      personal.flatMap(([column, how]) => ('kept' in how ? [] : [{ table, column, holds: how.holds }])),
    )
    .map(({ table, column, holds }, index) => ({
      table,
      column,
      holds,
      needle: NEEDLES[`${table}.${column}`] ?? `zq91x${index}`,
    }));
}

/** The needle in the form of a type. */
const FORMS: Record<string, (needle: string) => string> = {
  text: (needle) => `'${needle}'`,
  'text[]': (needle) => `array['${needle}']`,
  json: (needle) => `json_build_object('notes', '${needle}')`,
  jsonb: (needle) => `jsonb_build_object('notes', '${needle}')`,
  bytea: (needle) => `convert_to('${needle}', 'utf8')`,
  numeric: (needle) => needle,
};

/** In a form of its own, as the service writes it: what is beside the needle there says whose row it is. */
const OWN_FORMS: Record<string, (needle: string) => string> = {
  'events.payload': (needle) =>
    `payload || jsonb_build_object('reason', '${needle}', 'failureReason', '${needle}',
      'cancellation', jsonb_build_object('notes', '${needle}'))`,
  'webhook_deliveries.attempts': (needle) =>
    `jsonb_build_array(jsonb_build_object('responseBody', '${needle}', 'location', '${needle}'))`,
  'idempotency_keys.response_body': (needle) => `response_body || '${needle}'`,
  'request_log.bodies': (needle) => `json_build_object('request', bodies, 'needle', '${needle}')`,
};

/** Further columns that a constraint wants, and the rows about the customer alone. */
const BESIDE: Record<string, string> = {
  payments: `, kept_amount = 0, decided_at = created_at, decided_by = 'test'`,
};
const ROWS: Record<string, string> = { request_log: `where bodies::text like '%' || $1 || '%'` };

/** Writes the needles; returns the columns that have none, because there is no row or no form for them. */
async function fill(db: Db, columns: readonly Column[], contactId: string): Promise<string[]> {
  const types = await db.rows<{ name: string; type: string }>({
    text: `
      select attrelid::regclass || '.' || attname as name, format_type(atttypid, atttypmod) as type
      from pg_attribute where attnum > 0 and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  });
  const typeOf = new Map(types.map(({ name, type }) => [name, type]));
  const left: string[] = [];
  for (const [table, own] of Map.groupBy(columns, ({ table }) => table)) {
    const sets = own.flatMap(({ column, needle }) => {
      const name = `${table}.${column}`;
      const form = OWN_FORMS[name] ?? FORMS[typeOf.get(name) ?? ''];
      if (form === undefined) left.push(`${name} (${typeOf.get(name)})`);
      return form === undefined ? [] : [`${column} = ${form(needle)}`];
    });
    const where = ROWS[table];
    const rows = await db.rows({
      text: `update ${table} set ${sets.join(', ')}${BESIDE[table] ?? ''} ${where ?? ''} returning 1`,
      values: where === undefined ? [] : [contactId],
    });
    if (rows.length === 0) left.push(...own.map(({ column }) => `${table}.${column}`));
  }
  return left;
}

const hexOf = (needle: string): string => Buffer.from(needle).toString('hex');

/** The columns whose needles are found anywhere. */
async function found(db: Db, columns: readonly Column[]): Promise<string[]> {
  const words = columns.map(({ needle }) => needle.toLowerCase().replaceAll(/[.+]/g, '\\$&'));
  // Bounded, as 91919 may be part of any number.
  const pattern = `(?<![0-9a-z])(?:${words.join('|')})(?![0-9a-z])|${columns.map(({ needle }) => hexOf(needle)).join('|')}`;
  const tables = await db.rows<{ name: string }>({
    text: `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  });
  const needles = new Set<string>();
  for (const { name } of tables) {
    const rows = await db.rows<{ needle: string }>({
      text: `select distinct (regexp_matches(lower(t::text), $1, 'g'))[1] as needle from ${name} t`,
      values: [`(${pattern})`],
    });
    for (const { needle } of rows) needles.add(needle);
  }
  return columns
    .filter(({ needle }) => needles.has(needle.toLowerCase()) || needles.has(hexOf(needle)))
    .map(({ table, column }) => `${table}.${column}`);
}

/** A customer with rows in every table of the map, all ended; returns her id. */
async function customer(service: TestService): Promise<string> {
  const { db, clock, requestLog } = service.deps;
  const world = await createHookWorld(service);
  const { id: contactId, addressId } = (await made(world.contact({ phone: PHONE }))) as Record<
    string,
    string
  >;
  // She is the only one.
  for (const [table, column] of [
    ['addresses', 'contact_id'],
    ['contacts', 'id'],
  ])
    await db.rows({ text: `delete from ${table} where ${column} = $1`, values: [world.contactId] });
  await db.rows({
    text: `alter table payments alter lease set default gen_random_uuid(), alter leased_until set default '2100-01-01'`,
  });

  const book = async (startAt: string, endAt: string, more: object, headers = {}) =>
    made(
      service.v1(
        world.key,
        'POST',
        '/partners/bookings',
        {
          contactId,
          addressId,
          serviceId: world.serviceId,
          date: TODAY,
          timeslot: { startAt, endAt },
          ...more,
        },
        headers,
      ),
    ) as Promise<never>;
  const visit: never = await book('12:00', '14:00', { instructions: 'x' }, { 'idempotency-key': 'k1' });
  const phone = await telephoneOf(service, world.teamIds[0]!);
  assert.equal((await dayOf(service, phone)).visits.length, 1);
  await step(service, phone, visit, { to: 'In The Way' });
  await step(service, phone, visit, { to: 'Cannot Complete', reason: 'NO_ACCESS', text: 'x' });
  const { bookingId } = visit as { bookingId: string };
  const reasonId = await reason(service);
  await made(service.operator('POST', `/bookings/${bookingId}/close`, { reasonId, notes: 'x' }));

  const weekly = {
    contactId,
    addressId,
    serviceId: world.serviceId,
    firstDate: '2030-01-06',
    startAt: '09:00',
  };
  const texts = { notes: 'x', instructions: 'x', externalReference: 'x' };
  await made(service.v1(world.key, 'POST', '/partners/series', { ...weekly, ...texts }));

  const account = `/partners/${world.partnerId}`;
  await made(service.operator('PATCH', account, { paymentResponsibility: 'PLATFORM' }));
  const unpaid = ((await book('16:00', '18:00', {})) as { bookingId: string }).bookingId;
  await made(service.operator('POST', `/bookings/${unpaid}/cancel`, { reasonId, notes: 'x' }));
  await db.rows({
    text: `
      insert into customer_messages (id, booking_id, kind, version, starts_at, due_at, status, created_at, finished_at)
      select gen_random_uuid(), booking_id, 'DONE', 99, starts_at, $2, 'SENT', $2, $2 from appointments where booking_id = $1`,
    values: [bookingId, new Date(clock.now()).toISOString()],
  });
  await subscribe(service, world.key);
  await makeDeliveries(service, bookingId, 1, { failedAt: clock.now() });
  await requestLog!.flush();
  return contactId!;
}

test('what the map of personal data has is gone after erasing, in every column', async (t) => {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'on' } });
  const { db } = service.deps;
  const contactId = await customer(service);
  // A column that the map has and no erasure knows, and one that cannot be filled.
  await db.rows({ text: 'alter table bookings add crew_hint text' });
  await db.rows({ text: 'create table diary (entry text)' });
  const unknown: Personal = { holds: 'TEXT', erased: 'null' };
  const map = [
    ...PERSONAL.map(({ table, columns }) => ({ table, personal: personalOf(columns) })),
    { table: 'bookings', personal: [['crew_hint', unknown] as const] },
    { table: 'diary', personal: [['entry', unknown] as const] },
  ];
  const entered = { kind: 'ERASURE', phone: PHONE };
  const request = (await made(service.operator('POST', '/privacy-requests', entered))) as { id: string };

  const columns = columnsOf(map);
  assert.deepEqual(await fill(db, columns, contactId), ['diary.entry']);
  const filled = columns.filter(({ table }) => table !== 'diary');
  const all = filled.map(({ table, column }) => `${table}.${column}`);
  assert.deepEqual(await found(db, filled), all, 'the search finds what is there');
  // The copy has all that was written about her, and where she lives; access is for crews alone.
  const copy = (await service.operator('GET', `/contacts/${contactId}/export`)).text;
  const missing = filled.filter(({ holds, needle }) => COPIED.includes(holds) && !copy.includes(needle));
  assert.deepEqual(
    missing.map(({ table, column }) => `${table}.${column}`),
    ['bookings.crew_hint'],
  );
  await made(service.operator('POST', `/privacy-requests/${request.id}/complete`));
  assert.deepEqual(await found(db, filled), ['bookings.crew_hint']);
});

test('what is kept has a reason in words', () => {
  for (const { table, columns } of PERSONAL)
    for (const [name, how] of personalOf(columns))
      if ('kept' in how) assert.match(how.kept, /\w \w/, `${table}.${name}`);
});

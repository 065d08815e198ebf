import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { maskedPhone } from '../src/contacts/rules.ts';
import { createWorld } from './fixtures.ts';
import { afterwards, call, startTestService } from './harness.ts';
import { checkerOf } from './openapi-check.ts';
import { booking, type Context } from './openapi-context.ts';
import { OPERATOR } from './openapi-operator-operations.ts';
import { until } from './until.ts';
import { createHookWorld } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Customers' phones in the operator's interface, by role. */

const PHONE = '+966501234567';
/** In any spelling: what follows the country code or the zero. */
const isShown = ({ text }: { text: string }): boolean => /5\D?0\D?1\D?2\D?3\D?4\D?5\D?6\D?7/.test(text);

test('a masked phone has its country code and three digits', () => {
  assert.equal(maskedPhone(PHONE), '+966••••••567');
  assert.equal(maskedPhone('+96611234'), '+966••234');
});

test('viewers read phones masked in every response, dispatchers in full', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, {
    env: { IDEMPOTENCY: 'on', WEBHOOK_ALLOW_HOSTS: receiver.host },
    sandboxFromTestNow: true,
    maxAuthFailures: 1_000,
  });
  const world = await createHookWorld(service);
  const made = await world.contact({ phone: PHONE });
  const { id: contactId, addressId } = made.body.data;
  const known = { ...world, contactId, addressId };
  const context: Context = {
    service,
    world: { ...known, book: (fields) => world.book({ contactId, addressId, ...fields }) },
    receiver,
  };
  const authorizationOf = async (role: string) => {
    const token = (await service.operator('POST', '/tokens', { name: role, role })).body.data.token;
    return { authorization: `Bearer ${token}` };
  };
  const viewer = await authorizationOf('viewer');
  const dispatcher = await authorizationOf('dispatcher');
  const base = `${service.operatorUrl}/operator`;

  await booking(context.world);
  const inFull = new Set<string>();
  const read = async (id: string, path: string, accept = 'application/json'): Promise<void> => {
    const [masked, full] = await Promise.all(
      [viewer, dispatcher].map(async (headers) => {
        const response = await fetch(base + path, { headers: { ...headers, accept } });
        return { status: response.status, text: await response.text() };
      }),
    );
    assert.ok(!isShown(masked!), `${path}: ${masked!.text}`);
    assert.ok([200, 204, 403].includes(full!.status), `${path}: ${full!.status} ${full!.text}`);
    if (!isShown(full!)) return;
    inFull.add(`${id} ${accept}`);
    if (masked!.status === 200)
      assert.equal(masked!.text, full!.text.replaceAll(PHONE, maskedPhone(PHONE)), path);
  };
  for (const { method, operation } of checkerOf('operator').operations) {
    const id = operation.operationId;
    // It does not end.
    if (method !== 'GET' || id === 'streamChanges') continue;
    const { path } = await OPERATOR[id]!(context);
    await read(id, path);
    if (operation.responses['200']?.content?.['text/csv']) await read(id, path, 'text/csv');
  }
  await read('search', '/search?q=050 123 4567');
  await read('listBookings', '/bookings?search=050 123 4567');
  await read('listBookings', '/bookings?phone=0501234567');
  assert.deepEqual(
    [...inFull].sort(),
    [
      'exportCustomer application/json',
      'getAppointment application/json',
      'getBoard application/json',
      'getBooking application/json',
      'getCustomer application/json',
      'listAppointments application/json',
      'listAppointments text/csv',
      'listBookings application/json',
      'listBookings text/csv',
      'search application/json',
    ],
    'a response with phones is added here',
  );
  const refused = await call(base, 'GET', `/contacts/${contactId}/export`, undefined, viewer);
  assert.equal(refused.status, 403);
});

test('viewers find a customer by the whole number alone: parts would reveal it digit by digit', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { id: contactId, addressId } = (await world.contact({ phone: PHONE })).body.data;
  // Neither its references nor its ids have the digits.
  await world.book({ contactId, addressId, externalReference: 'ORDER' });
  const found = async (role: string): Promise<string[]> => {
    const { token } = (await service.operator('POST', '/tokens', { name: role, role })).body.data;
    const headers = { authorization: `Bearer ${token}` };
    const finding: string[] = [];
    for (const text of [
      '+966501234567',
      '0501234567',
      '1234567',
      '4567',
      '05012345',
      '+96650123456',
      '٤٥٦٧',
    ]) {
      const query = encodeURIComponent(text);
      const base = `${service.operatorUrl}/operator`;
      const groups = (await call(base, 'GET', `/search?q=${query}`, undefined, headers)).body.data as {
        kind: string;
      }[];
      const listed = await call(base, 'GET', `/bookings?search=${query}`, undefined, headers);
      const ways = [
        ...groups.map(({ kind }) => kind).filter((kind) => kind === 'customer' || kind === 'booking'),
        ...(listed.body.meta.total > 0 ? ['list'] : []),
      ];
      if (ways.length > 0) finding.push(`${text}: ${ways.sort().join(', ')}`);
    }
    return finding;
  };
  const everywhere = (text: string): string => `${text}: booking, customer, list`;
  const whole = ['+966501234567', '0501234567'].map(everywhere);
  assert.deepEqual(await found('viewer'), whole);
  const parts = ['1234567', '4567', '05012345', '+96650123456', '٤٥٦٧'].map(everywhere);
  assert.deepEqual(await found('dispatcher'), [...whole, ...parts]);
});

test('the stream of changes has no phones', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const abort = new AbortController();
  afterwards(t, async () => abort.abort());
  const { token } = (await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' })).body.data;
  const response = await fetch(`${service.operatorUrl}/operator/stream`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  let text = '';
  void (async () => {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) text += part;
  })().catch(() => {});
  await until(() => text.includes('id: '));
  const { id, addressId } = (await world.contact({ phone: PHONE })).body.data;
  assert.equal((await world.book({ contactId: id, addressId })).status, 200);
  await until(() => text.includes('"topic":"bookings"'));
  assert.ok(!isShown({ text }), text);
});

test('a viewer reveals a phone, which the audit log has without the number', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { id } = (await world.contact({ phone: PHONE })).body.data;
  const made = (await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' })).body.data;
  const headers = { authorization: `Bearer ${made.token}` };
  const base = `${service.operatorUrl}/operator`;
  const revealed = await call(base, 'POST', `/contacts/${id}/reveal`, undefined, headers);
  assert.equal(revealed.status, 200, revealed.text);
  assert.deepEqual(revealed.body.data, { phone: PHONE });

  const audit = await call(base, 'GET', '/audit?action=contact.reveal', undefined, headers);
  assert.deepEqual(
    audit.body.data.map(({ actor, target, before, after }: Record<string, unknown>) => ({
      actor,
      target,
      before,
      after,
    })),
    [{ actor: `operator-token:${made.id}`, target: `contact:${id}`, before: null, after: null }],
  );
  const unknown = await call(base, 'POST', `/contacts/${randomUUID()}/reveal`, undefined, headers);
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
  const entries = await service.operator('GET', '/audit?action=contact.reveal');
  assert.equal(entries.body.meta.total, 1, 'a refused one is not recorded');
});

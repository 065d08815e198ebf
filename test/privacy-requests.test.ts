import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import { createWorld, randomPhone, type World } from './fixtures.ts';
import { type Answer, call, startTestService, type TestService } from './harness.ts';

/** The register of privacy requests. */

const PATH = '/privacy-requests';

function succeeded({ status, body, text }: Answer, wanted = 200) {
  assert.equal(status, wanted, text);
  return body.data;
}
const refusal = ({ status, body }: Answer) => [status, body.error.code, body.error.details.reason ?? null];

async function tokenOf(service: TestService, role: string): Promise<string> {
  return succeeded(await service.operator('POST', '/tokens', { name: role, role }), 201).token;
}

const as = (service: TestService, token: string, method: string, path: string, body?: unknown) =>
  call(`${service.operatorUrl}/operator`, method, path, body, { authorization: `Bearer ${token}` });

const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);

/** The same person as the customer of two partners. */
async function customerOfTwo(service: TestService, name = 'Haifa Zq71') {
  const phone = randomPhone();
  const worlds: World[] = [await createWorld(service), await createWorld(service)];
  const contacts: { id: string; addressId: string }[] = [];
  for (const world of worlds) contacts.push(succeeded(await world.contact({ phone, name })));
  const book = (index: 0 | 1) => {
    const { id: contactId, addressId } = contacts[index]!;
    return worlds[index]!.book({ contactId, addressId });
  };
  return { phone, worlds, contacts, book };
}

test('a request is entered in any spelling, listed, copied, completed and found by its number', async (t) => {
  const service = await startTestService(t);
  const { phone, contacts, worlds, book } = await customerOfTwo(service);
  succeeded(await book(0));
  const token = await tokenOf(service, 'dispatcher');
  const dispatcher = (method: string, path: string, body?: unknown) => as(service, token, method, path, body);

  const spelled = `0${phone.slice(4, 6)} ${phone.slice(6)}`;
  const given = {
    kind: 'ACCESS',
    phone: spelled,
    receivedAt: '2026-11-20T09:00:00+03:00',
    note: ' By email ',
  };
  const entered = succeeded(await dispatcher('POST', PATH, given), 201);
  assert.deepEqual(
    [entered.phone, entered.note, entered.status, entered.receivedAt, entered.dueAt],
    [phone, 'By email', 'OPEN', '2026-11-20T09:00:00+03:00', '2026-12-20T09:00:00+03:00'],
  );
  assert.equal(entered.phoneEnding, phone.slice(-3));
  assert.deepEqual([entered.receivedByName, entered.finishedByName], ['dispatcher', null]);
  const byPartner = (rows: { id: string; partnerId: string; openBookings: number }[]) =>
    rows.map(({ id, partnerId, openBookings }) => [id, partnerId, openBookings]).sort();
  assert.deepEqual(
    byPartner(entered.contacts),
    byPartner(
      contacts.map(({ id }, index) => ({
        id,
        partnerId: worlds[index]!.partnerId,
        openBookings: 1 - index,
      })),
    ),
  );

  assert.deepEqual(refusal(await dispatcher('POST', PATH, given)), [409, 'CONFLICT', 'REQUEST_OPEN']);
  const other = succeeded(await dispatcher('POST', PATH, { kind: 'CORRECTION', phone }), 201);
  assert.equal(other.receivedAt, '2026-11-22T08:00:00+03:00');
  const told = async (body: object): Promise<string[]> => {
    const answer = await dispatcher('POST', PATH, { kind: 'ERASURE', phone, ...body });
    assert.equal(answer.status, 400, answer.text);
    return answer.body.error.details.message;
  };
  assert.deepEqual(await told({ receivedAt: '2026-11-22T08:00:01+03:00' }), [
    'receivedAt must not be in the future',
  ]);
  assert.deepEqual(await told({ note: 'Haifa ZQ71 called' }), [
    'note must not name the customer: it is kept',
  ]);
  assert.deepEqual(await told({ note: `call ${phone}` }), ['note must not name the customer: it is kept']);

  const copy = succeeded(await dispatcher('GET', `${PATH}/${entered.id}/export`));
  assert.deepEqual(
    copy.customers.map(({ contact }: { contact: { id: string } }) => contact.id).sort(),
    contacts.map(({ id }) => id).sort(),
  );
  assert.equal(
    copy.customers.flatMap(({ bookings }: { bookings: unknown[] }) => bookings).length,
    1,
    'the bookings of all partners',
  );
  assert.equal((await dispatcher('GET', `${PATH}/${other.id}/export`)).status, 404);

  service.clock.advance(DAY);
  const done = succeeded(
    await dispatcher('POST', `${PATH}/${entered.id}/complete`, { answer: 'Handed over' }),
  );
  assert.deepEqual(
    [done.status, done.phone, done.phoneEnding, done.answer, done.finishedAt, done.contacts],
    ['DONE', null, null, 'Handed over', '2026-11-23T08:00:00+03:00', []],
  );
  assert.match(done.finishedBy, /^operator-token:/);
  assert.deepEqual([done.receivedByName, done.finishedByName], ['dispatcher', 'dispatcher']);
  assert.equal((await dispatcher('GET', `${PATH}/${entered.id}/export`)).status, 404);
  const again = await dispatcher('POST', `${PATH}/${entered.id}/complete`);
  assert.deepEqual(refusal(again), [422, 'INVALID_TRANSITION', null]);
  assert.deepEqual([again.body.error.details.from, again.body.error.details.allowedFrom], ['DONE', ['OPEN']]);
  const named = await dispatcher('POST', `${PATH}/${other.id}/refuse`, { answer: 'Haifa Zq71 is right' });
  assert.equal(named.status, 400, named.text);
  const refused = succeeded(
    await dispatcher('POST', `${PATH}/${other.id}/refuse`, { answer: 'It is right' }),
  );
  assert.deepEqual([refused.status, refused.answer, refused.phone], ['REFUSED', 'It is right', null]);

  const stored = await service.deps.db.first({
    text: 'select count(phone) as phones, count(distinct phone_hash) as hashes from privacy_requests',
  });
  assert.deepEqual(stored, { phones: 0, hashes: 1 });
  const erasure = succeeded(await dispatcher('POST', PATH, { kind: 'ERASURE', phone }), 201);
  const stranger = succeeded(await dispatcher('POST', PATH, { kind: 'ERASURE', phone: randomPhone() }), 201);
  const found = async (query: string) => ids(succeeded(await dispatcher('GET', `${PATH}?${query}`)));
  assert.deepEqual(await found(`phone=${encodeURIComponent(spelled)}&sortBy=dueAt`), [
    erasure.id,
    other.id,
    entered.id,
  ]);
  assert.deepEqual(await found('status=REFUSED'), [other.id]);
  assert.deepEqual(await found('kind=ACCESS'), [entered.id]);
  assert.deepEqual((await found('status=OPEN')).sort(), [erasure.id, stranger.id].sort());
  assert.deepEqual(await found('overdue=true'), []);
  service.clock.advance(30 * DAY + 1);
  assert.deepEqual((await found('overdue=true')).sort(), [erasure.id, stranger.id].sort());
  assert.deepEqual((await found('overdue=false')).sort(), [entered.id, other.id].sort());

  const audited = await service.operator('GET', '/audit?limit=100');
  const actions: string[] = succeeded(audited).map(({ action }: { action: string }) => action);
  for (const action of ['create', 'export', 'complete', 'refuse'])
    assert.ok(actions.includes(`privacy-request.${action}`), action);
  // The names of targets are looked up, so they are gone once a customer is erased.
  const logged = succeeded(audited).map((entry: object) => ({ ...entry, targetName: null }));
  assert.doesNotMatch(JSON.stringify(logged), new RegExp(`${phone.slice(4)}|Zq71|email|Handed`));
});

test('an erasure erases the customer with every partner, or with none while a booking is open', async (t) => {
  const service = await startTestService(t);
  const { phone, contacts, worlds, book } = await customerOfTwo(service);
  const [first, second] = [succeeded(await book(0)), succeeded(await book(1))];
  const { id } = succeeded(await service.operator('POST', PATH, { kind: 'ERASURE', phone }), 201);
  const complete = () => service.operator('POST', `${PATH}/${id}/complete`);
  const living = async (index: number) =>
    (await service.v1(worlds[index]!.key, 'GET', `/partners/contacts/${contacts[index]!.id}`)).status === 200;

  const dispatcher = await as(
    service,
    await tokenOf(service, 'dispatcher'),
    'POST',
    `${PATH}/${id}/complete`,
  );
  assert.deepEqual(
    [dispatcher.status, dispatcher.body.error.details.role, dispatcher.body.error.details.tokenRole],
    [403, 'admin', 'dispatcher'],
  );
  const both = await complete();
  assert.deepEqual(refusal(both), [409, 'CONFLICT', 'OPEN_BOOKINGS']);
  assert.deepEqual(both.body.error.details.bookings.sort(), [first.bookingId, second.bookingId].sort());

  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  const { id: reasonId } = succeeded(await service.operator('POST', '/cancellation-reasons', reason), 201);
  const cancel = async (bookingId: string) =>
    succeeded(await service.operator('POST', `/bookings/${bookingId}/cancel`, { reasonId }));
  await cancel(first.bookingId);
  const one = await complete();
  assert.deepEqual(one.body.error.details.bookings, [second.bookingId]);
  assert.deepEqual([await living(0), await living(1)], [true, true], 'all or none');
  await cancel(second.bookingId);
  const done = succeeded(await complete());
  assert.deepEqual([await living(0), await living(1)], [false, false]);
  assert.deepEqual(ids(done.contacts).sort(), contacts.map((contact) => contact.id).sort());
  assert.equal(done.phone, null);
  for (const contact of contacts)
    assert.match(
      service.logged(),
      new RegExp(`"contactId":"${contact.id}","requestId":"${id}"[^\\n]*contact erased`),
    );
  assert.doesNotMatch(service.logged(), new RegExp(`${phone.slice(4)}|Zq71`));
  const [entry] = succeeded(await service.operator('GET', '/audit?action=privacy-request.complete'));
  assert.deepEqual(entry.after.contactIds.sort(), contacts.map((contact) => contact.id).sort());
});

test('two completions of an erasure at once: one does it', async (t) => {
  const service = await startTestService(t);
  const { phone } = await customerOfTwo(service);
  const { id } = succeeded(await service.operator('POST', PATH, { kind: 'ERASURE', phone }), 201);
  const answers = await Promise.all([1, 2].map(() => service.operator('POST', `${PATH}/${id}/complete`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
  const entered = await Promise.all(
    [1, 2].map(() => service.operator('POST', PATH, { kind: 'ERASURE', phone })),
  );
  assert.deepEqual(entered.map(({ status }) => status).sort(), [201, 409]);
});

test('requests that are due soon need attention, and nobody but a dispatcher reads their numbers', async (t) => {
  const service = await startTestService(t);
  const phone = randomPhone();
  const enter = async (kind: string, receivedAt: string) =>
    succeeded(await service.operator('POST', PATH, { kind, phone, receivedAt }), 201).id as string;
  const soon = await enter('ACCESS', '2026-10-29T08:00:00+03:00');
  const overdue = await enter('ERASURE', '2026-10-01T08:00:00+03:00');
  const later = await enter('CORRECTION', '2026-11-20T08:00:00+03:00');
  const token = await tokenOf(service, 'viewer');
  const viewer = (path: string) => as(service, token, 'GET', path);

  const attention = await viewer('/attention');
  const { count, list, rows } = succeeded(attention).privacyRequestsDue;
  assert.deepEqual(
    [count, ids(rows), rows[0].isOverdue, rows[1].isOverdue],
    [2, [overdue, soon], true, false],
  );
  const listed = await viewer(list.replace('/operator', ''));
  assert.deepEqual(succeeded(listed), rows);
  assert.deepEqual(
    [(await viewer(`${PATH}/${soon}`)).status, (await viewer(`${PATH}/${soon}/export`)).status],
    [403, 403],
  );
  for (const { text } of [attention, listed, await viewer(PATH)])
    assert.doesNotMatch(text, new RegExp(phone.slice(4)));
  assert.ok(ids(succeeded(await viewer(PATH))).includes(later));

  const metrics = await (await fetch(`${service.operatorUrl}/metrics`)).text();
  for (const [due, number] of Object.entries({ overdue: 1, soon: 1, later: 1 }))
    assert.match(metrics, new RegExp(`^privacy_requests\\{due="${due}"\\} ${number}$`, 'm'));
});

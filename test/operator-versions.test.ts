import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { type Answer, call, OPERATOR_TOKEN, startTestService, type TestService } from './harness.ts';

type Tag = string | undefined;

const send = (
  service: TestService,
  method: string,
  path: string,
  body: unknown,
  tag?: Tag,
): Promise<Answer> =>
  call(`${service.operatorUrl}/operator`, method, path, body, {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
    ...(tag !== undefined && { 'if-match': tag }),
  });

test("a creation's response has the version", async (t) => {
  const service = await startTestService(t);
  const { partnerId, contactId, addressId, serviceId, teamIds, zoneId } = await createWorld(service);
  const { name: _team, ...team } = (await service.operator('GET', `/teams/${teamIds[0]}`)).body.data;
  const { area } = (await service.operator('GET', `/zones/${zoneId}`)).body.data;
  const made = [
    await service.operator('POST', '/bookings', {
      partnerId,
      contactId,
      addressId,
      serviceId,
      date: WORLD_DATE,
      timeslot: { startAt: '11:00', endAt: '13:00' },
    }),
    await service.operator('POST', '/teams', { name: 'New', shifts: team.shifts }),
    await service.operator('POST', '/zones', { name: 'New', area, serviceIds: [], confirmOverlap: true }),
  ];
  for (const { status, text, headers, body } of made) {
    assert.equal(status, 201, text);
    assert.equal(headers.get('etag'), `"${body.data.version}"`);
  }
});

/** The form of `If-Match` in the published document. */
function documentedTags(): RegExp {
  const document = JSON.parse(readFileSync(new URL('../openapi/operator.json', import.meta.url), 'utf8'));
  const parameters: { name: string; schema: { pattern: string } }[] =
    document.paths['/zones/{id}'].patch.parameters;
  return new RegExp(parameters.find(({ name }) => name === 'If-Match')!.schema.pattern, 'u');
}

/** The team itself: the response of its change also has lost appointments. */
function withoutLost({ appointments: _lost, ...resource }: Record<string, unknown>) {
  return resource;
}

test('an outdated version is refused, with the current state', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const reason = await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Moved',
    nameAr: 'انتقل',
  });
  const { bookingId, appointmentId } = (await world.book()).body.data;
  const resources: [string, string, string, unknown, unknown][] = [
    [`/teams/${world.teamIds[0]}`, 'PATCH', '', { travelBufferMinutes: 40 }, { travelBufferMinutes: 50 }],
    [`/teams/${world.teamIds[0]}`, 'PATCH', '', { serviceIds: [] }, { serviceIds: [world.serviceId] }],
    [`/zones/${world.zoneId}`, 'PATCH', '', { priority: 2 }, { priority: 3 }],
    [`/zones/${world.zoneId}`, 'PATCH', '', { serviceIds: [] }, { serviceIds: [world.serviceId] }],
    [`/appointments/${appointmentId}`, 'PATCH', '', { status: 'Confirmed' }, { status: 'In The Way' }],
    [
      `/partners/${world.partnerId}/services`,
      'PUT',
      '',
      { restricted: true, services: [{ serviceId: world.serviceId, price: 99.5 }] },
      { restricted: false, services: [] },
    ],
  ];
  for (const [path, method, , one, other] of resources) {
    const about = `${path} ${JSON.stringify(one)}`;
    const before = await send(service, 'GET', path, undefined);
    const tag = before.headers.get('etag')!;
    assert.equal(tag, `"${before.body.data.version}"`, about);
    const changed = await send(service, method, path, one, tag);
    assert.equal(changed.status, 200, changed.text);
    assert.ok(changed.body.data.version > before.body.data.version, about);
    assert.equal(changed.headers.get('etag'), `"${changed.body.data.version}"`, about);

    const stale = await send(service, method, path, other, tag);
    assert.deepEqual([stale.status, stale.body.error.code], [409, 'CONFLICT'], about);
    const { reason: why, version, current } = stale.body.error.details;
    assert.deepEqual([why, version], ['STALE', changed.body.data.version], about);
    assert.deepEqual(current, withoutLost(changed.body.data), 'theirs');
    const now = (await send(service, 'GET', path, undefined)).body.data;
    assert.deepEqual(now, withoutLost(changed.body.data), about);

    // Several tags, a weak one as a proxy makes it, any, and none.
    const several = await send(service, method, path, other, `"1000", W/${changed.headers.get('etag')}`);
    assert.equal(several.status, 200, several.text);
    assert.equal((await send(service, method, path, other, '*')).status, 200, about);
    const same = await send(service, method, path, other);
    assert.deepEqual([same.status, same.body.data.version], [200, several.body.data.version], 'nothing new');
  }
  for (const tag of ['3', 'x', '', '"3" "4"', `"${'9'.repeat(11)}"`]) {
    const bad = await send(service, 'PATCH', `/appointments/${appointmentId}`, { teamId: 'x' }, tag);
    assert.equal(bad.status, 400, tag);
    assert.equal(bad.body.error.details.message.length, 2, tag);
    assert.doesNotMatch(tag, documentedTags());
  }
  for (const tag of ['*', '"3"', 'W/"3"', '"2", W/"3"']) assert.match(tag, documentedTags());

  // A booking says which version of its appointment it shows.
  const { appointment } = (await send(service, 'GET', `/bookings/${bookingId}`, undefined)).body.data;
  const shown = await send(service, 'GET', `/appointments/${appointmentId}`, undefined);
  assert.equal(appointment.version, shown.body.data.version);
  // Other settings of a partner leave its prices as they were seen.
  const prices = `/partners/${world.partnerId}/services`;
  const pricesTag = (await send(service, 'GET', prices, undefined)).headers.get('etag')!;
  await send(service, 'PATCH', `/partners/${world.partnerId}`, { language: 'ar' });
  const put = await send(service, 'PUT', prices, { restricted: true, services: [] }, pricesTag);
  assert.equal(put.status, 200, put.text);
  await send(service, 'PUT', prices, { restricted: false, services: [] });

  // The partner's changes count too.
  const seen = (await send(service, 'GET', `/bookings/${bookingId}`, undefined)).headers.get('etag')!;
  await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, { notes: 'Ring twice' });
  const refused = await Promise.all([
    send(service, 'POST', `/bookings/${bookingId}/cancel`, { reasonId: reason.body.data.id }, seen),
    send(service, 'POST', `/bookings/${bookingId}/fail`, { reason: 'Nobody' }, seen),
  ]);
  const now = await send(service, 'GET', `/bookings/${bookingId}`, undefined);
  for (const { status, body } of refused) {
    assert.deepEqual(
      [status, body.error.code, body.error.details.current.notes],
      [409, 'CONFLICT', 'Ring twice'],
    );
    assert.equal(body.error.details.current.version, now.body.data.version);
  }
  assert.equal(now.body.data.status, 'in progress');
  const cancelled = await send(
    service,
    'POST',
    `/bookings/${bookingId}/cancel`,
    { reasonId: reason.body.data.id },
    now.headers.get('etag')!,
  );
  assert.equal(cancelled.status, 200, cancelled.text);
  assert.equal(cancelled.headers.get('etag'), `"${cancelled.body.data.version}"`);
});

test('of simultaneous changes of one version exactly one succeeds', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const { appointmentId } = (await world.book()).body.data;
  // Of each round another date: where it is already, no move would be a change.
  const moves = (round: number) =>
    ['08:00', '13:00', '17:00'].map((startAt) => ({
      date: `2026-11-${24 + round}`,
      timeslot: { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}:00` },
    }));
  const race = async (path: string, bodies: unknown[]): Promise<void> => {
    const tag = (await send(service, 'GET', path, undefined)).headers.get('etag')!;
    const answers = await Promise.all(bodies.map((body) => send(service, 'PATCH', path, body, tag)));
    assert.deepEqual(
      answers.map(({ status }) => status).sort(),
      [200, ...bodies.slice(1).map(() => 409)],
      answers.map(({ text }) => text).join(),
    );
    const winner = answers.find(({ status }) => status === 200)!;
    const now = await send(service, 'GET', path, undefined);
    assert.deepEqual(now.body.data, withoutLost(winner.body.data));
    for (const { status, body } of answers)
      if (status === 409) assert.deepEqual(body.error.details.current, now.body.data);
  };
  for (let round = 0; round < 3; round++) {
    await race(`/appointments/${appointmentId}`, [
      ...moves(round),
      ...(round === 0 ? [{ status: 'Confirmed' }] : []),
    ]);
    await race(
      `/teams/${world.teamIds[0]}`,
      [1, 2, 3].map((part) => ({ travelBufferMinutes: round * 3 + part })),
    );
    await race(
      `/zones/${world.zoneId}`,
      [1, 2, 3].map((part) => ({ priority: 10 + round * 3 + part })),
    );
  }
});

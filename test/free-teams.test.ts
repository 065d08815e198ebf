import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { busyAt, readAvailability } from '../src/availability/queries.ts';
import { isTooClose } from '../src/availability/rules.ts';
import { addDays, HOUR, MINUTE, startOfDate, toUtcIso } from '../src/base/clock.ts';
import { isDbError } from '../src/db/connection.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { startTestService } from './harness.ts';

/** Whether a team is free: read for slots and asked by claims, with one answer. */

const ROUNDS = 25;
const VISITS = 12;

test('a claim finds a team free when the rules of slots say so', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { db } = service.deps;
  const now = service.clock.now();
  const [teamId] = world.teamIds;
  const { partnerId, serviceId } = world;
  const write = <Row>(text: string, ...values: unknown[]) => db.rows<Row & object>({ text, values });
  const { number } = (await write<{ number: number }>('select lock_number as number from teams'))[0]!;

  const customers = [{ contactId: world.contactId, addressId: world.addressId }];
  for (let more = 0; more < 3; more++) {
    const { id, addressId } = (await world.contact()).body.data;
    customers.push({ contactId: id, addressId });
  }
  const booked: { id: string; bookingId: string }[] = [];
  for (let day = 0; day < 4; day++) {
    const { bookingId, appointment } = (await world.book({ date: addDays(WORLD_DATE, day) })).body.data;
    booked.push({ id: appointment.id, bookingId });
  }
  const midnight = startOfDate(WORLD_DATE);
  const quarters = (most: number) => randomInt(most) * 15 * MINUTE;

  /** Three days of visits and held slots, with other buffers than the team's; what would overlap is left out. */
  async function scatter(): Promise<void> {
    await write(`delete from appointments where status = 'Held'`);
    await write('delete from holds');
    for (const [index, { id }] of booked.entries()) {
      const parked = toUtcIso(midnight + (100 + index) * 24 * HOUR);
      await write(
        'update appointments set starts_at = $2, ends_at = $3, busy_until = $3 where id = $1',
        id,
        parked,
        toUtcIso(Date.parse(parked) + HOUR),
      );
    }
    const period = (): string[] => {
      const startsAt = midnight - 24 * HOUR + quarters(3 * 96);
      const endsAt = startsAt + 15 * MINUTE + quarters(24);
      return [startsAt, endsAt, endsAt + quarters(20)].map(toUtcIso);
    };
    for (const { id } of booked)
      await write(
        'update appointments set starts_at = $2, ends_at = $3, busy_until = $4, status = $5 where id = $1',
        id,
        ...period(),
        randomInt(4) === 0 ? 'Cancelled' : 'Scheduled',
      ).catch((error) => {
        if (!isDbError(error, 'exclusionViolation', 'appointments_no_overlap')) throw error;
      });
    for (const { contactId, addressId } of [...customers, { contactId: null, addressId: null }])
      await write(
        `with held as (
          insert into appointments (id, team_id, zone_id, status, starts_at, ends_at, busy_until, created_at, updated_at)
          values (gen_random_uuid(), $1, $2, 'Held', $3, $4, $5, now(), now()) on conflict do nothing returning *
        )
        insert into holds (id, partner_id, contact_id, address_id, service_id, starts_at, ends_at, price, expires_at, created_at,
          latitude, longitude)
        select id, $6, $7, $8, $9, starts_at, ends_at, 1, $10, $11, $12, $12 from held`,
        teamId,
        world.zoneId,
        ...period(),
        partnerId,
        contactId,
        addressId,
        serviceId,
        toUtcIso(now + (randomInt(3) - 1) * MINUTE),
        toUtcIso(now - 2 * MINUTE),
        contactId === null ? 24.7 : null,
      );
  }

  const answers = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    await scatter();
    const buffer = randomInt(20) * 15;
    await write('update teams set travel_buffer_minutes = $2 where id = $1', teamId, buffer);
    for (let visit = 0; visit < VISITS; visit++) {
      const { contactId, addressId } = customers[randomInt(customers.length)]!;
      const moving = randomInt(3) === 0 ? booked[randomInt(booked.length)]! : null;
      const from = midnight + quarters(96);
      const until = from + 2 * HOUR;
      const days = { from: WORLD_DATE, days: 1 };
      const wanted = { partnerId, addressId, serviceId };
      const [held] = await readAvailability(db, days, [wanted], moving?.bookingId ?? null);
      const busy = busyAt(held!, now, moving === null ? { contactId, serviceId } : undefined).get(number);
      const isFree = !(busy ?? []).some((each) => isTooClose(each, from / MINUTE, until / MINUTE, buffer));
      const [asked] = await write<{ free: boolean }>(
        `select team_is_free($1, make_interval(mins => $2), $3, $4, $5, $6, $7, $8) as free`,
        teamId,
        buffer,
        toUtcIso(from),
        toUtcIso(until + buffer * MINUTE),
        moving?.id ?? null,
        toUtcIso(now),
        ...(moving === null ? [contactId, serviceId] : [null, null]),
      );
      assert.equal(asked!.free, isFree, `${toUtcIso(from)}, buffer ${buffer}, ${moving && 'moved'}`);
      const answer = `${moving === null ? 'new' : 'moved'}: ${isFree}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  }
  assert.deepEqual([...answers.keys()].sort(), ['moved: false', 'moved: true', 'new: false', 'new: true']);
});

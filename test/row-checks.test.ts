import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDatabaseError } from '../src/db/unavailable.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';

/** A change that breaks one check, by the name the refusal has. Texts are SQL. */
const REFUSED: Record<string, Record<string, string[]>> = {
  bookings: {
    bookings_amount_check: ['amount = -0.01'],
    bookings_cancellation_action_check: [
      `status = 'canceled', payment_status = 'CANCELLED', cancelled_at = now(), cancelled_by = 'partner',
        cancellation_action = 'KEEP'`,
    ],
    bookings_cancellation_check: [
      'cancelled_at = now()',
      `cancellation_action = 'CANCEL_ONLY'`,
      `cancelled_by = 'partner'`,
      `status = 'canceled', payment_status = 'CANCELLED'`,
    ],
    bookings_cancellation_notes_check: [`cancellation_notes = repeat('x', 2001)`],
    bookings_check: [`payment_status = 'CANCELLED'`],
    bookings_external_reference_check: [`external_reference = ''`, `external_reference = repeat('x', 151)`],
    bookings_notes_check: [`notes = repeat('x', 2001)`],
    bookings_payment_reference_check: [`payment_reference = repeat('x', 256)`],
    bookings_payment_responsibility_check: [`payment_responsibility = 'NOBODY'`],
    bookings_payment_status_check: [`payment_status = 'SOON'`],
    bookings_status_check: [`status = 'lost'`],
  },
  appointments: {
    appointments_check: [
      'ends_at = starts_at',
      `busy_until = ends_at - interval '1 second'`,
      `busy_until = starts_at + interval '32 hours 1 second'`,
    ],
    appointments_status_check: [`status = 'Lost'`],
  },
  contacts: {
    contacts_name_check: [`name = ''`, `name = repeat('x', 201)`],
    contacts_phone_check: [`phone = '0501234567'`, `phone = '+966123'`, `phone = '+9665012345678901234'`],
  },
  addresses: {
    addresses_check: ['latitude = null', 'longitude = null'],
    addresses_check1: ['latitude = null, longitude = null'],
    addresses_building_number_check: [`building_number = ''`, `building_number = repeat('x', 21)`],
    addresses_city_name_check: [`city_name = ''`, `city_name = repeat('x', 201)`],
    addresses_directions_check: [`directions = ''`, `directions = repeat('x', 501)`],
    addresses_district_name_check: [`district_name = ''`, `district_name = repeat('x', 201)`],
    addresses_floor_check: [`floor = ''`, `floor = repeat('x', 21)`],
    addresses_latitude_check: ['latitude = 90.000001', 'latitude = -90.000001'],
    addresses_longitude_check: ['longitude = 180.000001', 'longitude = -180.000001'],
    addresses_postal_code_check: [`postal_code = '1221'`, `postal_code = '122145'`],
    addresses_short_address_check: [`short_address = 'RRR2929'`, `short_address = 'rrrd2929'`],
    addresses_street_name_check: [`street_name = ''`, `street_name = repeat('x', 201)`],
    addresses_unit_check: [`unit = ''`, `unit = repeat('x', 21)`],
  },
};

/** Changes at the limits of the checks. */
const ALLOWED: Record<string, string[]> = {
  bookings: [
    `amount = 0, external_reference = repeat('x', 150), notes = repeat('x', 2000), payment_reference = repeat('x', 255),
      cancellation_notes = repeat('x', 2000)`,
    'external_reference = null, notes = null, payment_reference = null, cancellation_notes = null',
  ],
  appointments: [`busy_until = ends_at`, `busy_until = starts_at + interval '32 hours'`],
  contacts: [`name = repeat('x', 200), phone = '+9661234'`, `phone = '+966123456789012345'`],
  addresses: [
    `latitude = 90, longitude = -180, city_name = repeat('x', 200), district_name = null, street_name = repeat('x', 200)`,
    `latitude = null, longitude = null, city_name = null, district_name = 'x', street_name = null`,
  ],
};

test('every check of the hot tables refuses violations under its name', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  await world.book();
  const { db } = service.deps;
  for (const [table, changes] of Object.entries(ALLOWED)) {
    for (const change of changes) await db.rows({ text: `update ${table} set ${change}` });
  }
  // Back to the middle, so that each refusal below has one reason.
  await db.rows({ text: `update addresses set latitude = 24.7, longitude = 46.7, district_name = null` });
  for (const [table, checks] of Object.entries(REFUSED)) {
    for (const [constraint, changes] of Object.entries(checks)) {
      for (const change of changes) {
        await assert.rejects(db.rows({ text: `update ${table} set ${change}` }), (error) => {
          assert.ok(isDatabaseError(error), change);
          assert.deepEqual([error.code, error.table, error.constraint], ['23514', table, constraint], change);
          return true;
        });
      }
    }
  }
});

import { randomUUID } from 'node:crypto';
import fastJsonStringify, { type ObjectSchema, type Schema } from 'fast-json-stringify';
import type { BookingRow } from '../src/bookings/queries.ts';
import { BookingResponse } from '../src/bookings/schema.ts';
import { bookingView } from '../src/bookings/view.ts';
import { pageOf, success, successPage } from '../src/http/envelope.ts';

/**
 * Compares JSON.stringify with fast-json-stringify on one Booking and on a page of 20, from row to text and for the
 * text alone.
 */

const ROUNDS = 15;
const ROUND_MILLISECONDS = 100;

const text = { type: 'string' } as const;
const textOrNull = { type: 'string', nullable: true } as const;

/** The Booking in the best form for fast-json-stringify: no unions to try, no formats, no choices. */
const plainBooking: ObjectSchema = {
  type: 'object',
  properties: {
    bookingId: text,
    externalReference: textOrNull,
    appointmentId: textOrNull,
    status: text,
    paymentStatus: text,
    trackingReference: text,
    date: text,
    timeslot: {
      type: 'object',
      properties: { startAt: text, endAt: text, endsAtNextDay: { type: 'boolean' } },
    },
    appointment: {
      type: 'object',
      nullable: true,
      properties: {
        id: text,
        name: text,
        status: text,
        scheduledStartDateTime: text,
        scheduledEndDateTime: text,
      },
    },
  },
};
const count = { type: 'integer' } as const;
const plainMeta: ObjectSchema = {
  type: 'object',
  properties: { page: count, limit: count, total: count, totalPages: count },
};
const envelope = (data: Schema, more = {}): ObjectSchema => ({
  type: 'object',
  properties: { success: { type: 'boolean' }, data, ...more },
});

const rows = Array.from({ length: 20 }, (_, index) => exampleRow(index));
const one = () => success(bookingView(rows[0]!));
const page = () => successPage({}, pageOf({ rows, total: 200 }, bookingView));

const compiledOne = fastJsonStringify(envelope(plainBooking));
const compiledPage = fastJsonStringify(envelope({ type: 'array', items: plainBooking }, { meta: plainMeta }));
// As Fastify would compile it from the route's schema, with unions.
const compiledFromRoute = fastJsonStringify(BookingResponse);

report('one Booking, row to text', one, [JSON.stringify, compiledOne, compiledFromRoute]);
report('one Booking, text alone', constant(one()), [JSON.stringify, compiledOne, compiledFromRoute]);
report('20 Bookings, rows to text', page, [JSON.stringify, compiledPage]);
report('20 Bookings, text alone', constant(page()), [JSON.stringify, compiledPage]);

function exampleRow(index: number): BookingRow {
  const startsAt = Date.UTC(2026, 11, 1 + index, 6);
  return {
    id: randomUUID(),
    external_reference: `ORDER-2026-${index}`,
    status: 'in progress',
    payment_status: 'PENDING',
    service_date: new Date(startsAt).toISOString().slice(0, 10),
    appointment_id: randomUUID(),
    appointment_name: `SA-${1000 + index}`,
    appointment_status: 'Scheduled',
    starts_at: startsAt,
    ends_at: startsAt + 2 * 3_600_000,
    is_erased: false,
    contact_id: randomUUID(),
    address_id: randomUUID(),
    service_id: randomUUID(),
    service_name: 'Deep cleaning, 4 hours',
    service_name_ar: 'تنظيف عميق، ٤ ساعات',
    amount: '150.00',
    cancellation_reason_id: null,
    cancellation_notes: null,
    cancelled_by: null,
    cancelled_at: null,
    failure_reason: null,
    policy_id: null,
    hold_id: null,
    series_id: null,
    series_index: null,
    fees: null,
    cancelled_for: null,
    work_reached: null,
    outcome: null,
    payment: null,
    created_at: startsAt,
    updated_at: startsAt,
  };
}

function constant<T>(value: T): () => T {
  return () => value;
}

/** Prints microseconds of each, and the ratio to JSON.stringify. */
function report(name: string, make: () => object, serializers: ((value: object) => string)[]): void {
  const wanted = JSON.stringify(make());
  for (const serialize of serializers) {
    if (serialize(make()) !== wanted) throw new Error(`${name}: the texts differ`);
  }
  // Alternating, so that other load of the machine affects all alike.
  const samples = serializers.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, serialize] of serializers.entries()) {
      samples[index]!.push(microseconds(() => serialize(make())));
    }
  }
  const [base, ...others] = samples.map((values) => values.toSorted((a, b) => a - b)[ROUNDS >> 1]!);
  const labels = ['fast-json-stringify', "the route's schema compiled"];
  const told = others.map(
    (time, index) => `${labels[index]} ${time.toFixed(2)} µs (ratio ${(time / base!).toFixed(2)})`,
  );
  console.log(`${name}: JSON.stringify ${base!.toFixed(2)} µs, ${told.join(', ')}`);
}

function microseconds(work: () => unknown): number {
  const started = performance.now();
  let calls = 0;
  while (performance.now() - started < ROUND_MILLISECONDS) {
    for (let i = 0; i < 100; i++) work();
    calls += 100;
  }
  return ((performance.now() - started) * 1000) / calls;
}

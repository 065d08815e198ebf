import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createPlanCache } from '../src/availability/plan.ts';
import { DAY, MINUTE, manualClock } from '../src/base/clock.ts';
import { ApiError } from '../src/base/errors.ts';
import { stateAfter } from '../src/base/moves.ts';
import { cancelBooking } from '../src/bookings/cancel.ts';
import { createPlainChanges } from '../src/bookings/change.ts';
import { confirmPayment } from '../src/bookings/confirm-payment.ts';
import { REFUND_STATUSES, type RefundStatus } from '../src/bookings/refund.ts';
import {
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  AUTOMATIC_MOVES,
  type AutomaticTrigger,
  appointmentAfter,
  BOOKING_MOVES,
  BOOKING_STATUSES,
  type BookingStatus,
  type BookingTrigger,
  bookingAfter,
  MOVABLE_BY_OPERATOR,
  movability,
  PAYMENT_MOVES,
  PAYMENT_STATUSES,
  type PaymentStatus,
  type PaymentTrigger,
  paymentAfter,
} from '../src/bookings/rules.ts';
import { updateBooking } from '../src/bookings/update.ts';
import type { Db } from '../src/db/connection.ts';
import { createSealer } from '../src/db/sealing.ts';
import { changeAppointment } from '../src/dispatch/appointments.ts';
import { cancelForOperator } from '../src/dispatch/cancel.ts';
import { confirmDueAssignments } from '../src/dispatch/jobs.ts';
import { failForOperator } from '../src/payments/fail-booking.ts';
import type { GatewayStatus } from '../src/payments/gateway.ts';
import { markRefundDone, retryRefund } from '../src/payments/operator.ts';
import { findPayment } from '../src/payments/queries.ts';
import {
  LINK_MOVES,
  type LinkTrigger,
  linkAfter,
  PAYMENT_STATES,
  type PaymentState,
  REFUND_MOVES,
  type RefundTrigger,
  refundAfter,
} from '../src/payments/rules.ts';
import { applyStatus, failPayment } from '../src/payments/settle.ts';
import { failRefund, saveLink } from '../src/payments/step-queries.ts';
import { recoverDeliveries, retryDelivery } from '../src/webhooks/deliveries.ts';
import { failRemoved } from '../src/webhooks/delivery-queries.ts';
import { settleDeliveries } from '../src/webhooks/queue-queries.ts';
import {
  DELIVERY_MOVES,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type DeliveryTrigger,
  RETRY_AFTER,
} from '../src/webhooks/rules.ts';
import { openTestDatabase, TEST_NOW } from './harness.ts';

const sealer = createSealer([Buffer.alloc(32, 7)]);

/**
 * Every trigger in every state, by the program's use case or statement; then the tables of moves are compared with the
 * database, including its checks. No service runs that would move a row by itself.
 */

const NOW = TEST_NOW;
const iso = (at: number): string => new Date(at).toISOString();
const keysOf = <Key extends string>(table: Record<Key, unknown>): Key[] => Object.keys(table) as Key[];

type State = {
  booking: BookingStatus;
  payment: PaymentStatus;
  appointment: AppointmentStatus;
  link: PaymentState;
  refund: RefundStatus;
};
const USUAL: State = {
  booking: 'waiting payment',
  payment: 'PENDING',
  appointment: 'Scheduled',
  link: 'OPEN',
  refund: 'NONE',
};

/** Gives the appointment's team all that the appointment takes. */
async function makeAble(db: Db, appointmentId: string): Promise<void> {
  for (const text of [
    'insert into team_zones select team_id, zone_id from appointments where id = $1',
    `insert into team_services
      select team_id, service_id from appointments a join bookings b on b.id = a.booking_id where a.id = $1`,
    `insert into team_shifts (team_id, weekday, start_minute, end_minute)
      select team_id, day, 0, 0 from appointments, generate_series(1, 7) day where id = $1`,
  ])
    await db.rows({ text, values: [appointmentId] });
}

/** The booking of a partner under PLATFORM with its payment by link, or of one under PARTNER. */
const keyOf = ({ partnerId, id }: { partnerId: string; id: string }) => ({ partnerId, bookingId: id });

async function createBooking(db: Db, mode: 'PARTNER' | 'PLATFORM') {
  const ids = await db.first<{ id: string; partner_id: string; appointment_id: string; reason_id: string }>({
    text: `
      with partner as (
        insert into partners (name, payment_responsibility, created_at, updated_at) values ($1, $2, $3, $3) returning id
      ), category as (
        insert into categories (name_en, name_ar, created_at, updated_at) values ($1, $1, $3, $3) returning id
      ), service as (
        insert into services (category_id, name, duration_minutes, default_price, created_at, updated_at)
        select id, $1, 120, 150, $3, $3 from category returning id
      ), zone as (
        insert into zones (name, area, area_geojson, created_at, updated_at)
        values ($1, '((0,0),(0,1),(1,1),(1,0))', '{}', $3, $3) returning id
      ), team as (
        insert into teams (name, travel_buffer_minutes, created_at, updated_at) values ($1, 0, $3, $3) returning id
      ), contact as (
        insert into contacts (partner_id, phone, name, utm_source, created_at)
        select id, '+966501234567', 'Customer', 'x', $3 from partner returning id, partner_id
      ), address as (
        insert into addresses (contact_id, partner_id, latitude, longitude, created_at)
        select id, partner_id, 0.5, 0.5, $3 from contact returning id, contact_id, partner_id
      ), booking as (
        insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, created_at, updated_at)
        select gen_random_uuid(), address.partner_id, address.contact_id, address.id, service.id, 'waiting payment',
          'PENDING', $2, 150, $4::timestamptz::date, $3, $3
        from address, service returning id, partner_id
      ), appointment as (
        insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
          created_at, updated_at)
        select gen_random_uuid(), booking.id, team.id, zone.id, $1, 'Scheduled', $4::timestamptz,
          $4::timestamptz + interval '2 hours', $4::timestamptz + interval '2 hours', $3, $3
        from booking, team, zone returning id
      ), reason as (
        insert into cancellation_reasons (name_en, name_ar, created_at, updated_at) values ($1, $1, $3, $3) returning id
      )
      select booking.id, booking.partner_id, appointment.id as appointment_id, reason.id as reason_id
      from booking, appointment, reason`,
    values: [`${mode} ${randomUUID()}`, mode, iso(NOW), iso(NOW + 60 * MINUTE)],
  });
  const { id, partner_id: partnerId, appointment_id: appointmentId, reason_id: reasonId } = ids!;
  // Created by a trigger for every booking that waits for payment.
  const made = await db.first<{ id: string }>({
    text: 'select id from payments where booking_id = $1',
    values: [id],
  });
  const payment = { id: made!.id, booking_id: id };

  return {
    id,
    partnerId,
    appointmentId,
    reasonId,
    payment,
    /** Sets the whole state, from any other. */
    async set(state: State): Promise<void> {
      const canceled = state.booking === 'canceled';
      // The triggers of these statements move the payment: it is put right last.
      await db.rows({
        text: `
          update bookings set status = $2, payment_status = $3, notes = null, reference_released = false,
            cancelled_at = $4, cancelled_by = $5, cancellation_action = $6 where id = $1`,
        values: [
          id,
          state.booking,
          state.payment,
          canceled ? iso(NOW) : null,
          canceled ? 'test' : null,
          canceled ? 'CANCEL_ONLY' : null,
        ],
      });
      await db.rows({
        text: 'update appointments set status = $2, began_at = null where id = $1',
        values: [appointmentId, state.appointment],
      });
      // A trigger maintains it; the same for its earlier state.
      await db.rows({
        text: 'update appointments set began_at = null where id = $1',
        values: [appointmentId],
      });
      await db.rows({ text: 'delete from gateway_payments where payment_id = $1', values: [payment.id] });
      const paid = state.link === 'PAID' || state.refund !== 'NONE';
      const linked = state.link !== 'CREATED';
      await db.rows({
        text: `
          update payments set status = $2, refund_status = $3, gateway = $4, gateway_reference = $5, link_url = $6,
            paid_at = $7, paid_amount = $8, refunded_at = $9, lease = $10, leased_until = $11, due_at = null,
            link_closed_at = null, failure_reason = null, refund_to_decide = false, refunded_by = $12,
            refunded_amount = $13, refund_amount = $14
          where id = $1`,
        values: [
          payment.id,
          state.link,
          state.refund,
          linked ? 'sandbox' : null,
          linked ? payment.id : null,
          linked ? 'https://example.com' : null,
          paid ? iso(NOW) : null,
          paid ? '150.00' : null,
          state.refund === 'DONE' ? iso(NOW) : null,
          LEASE,
          iso(NOW),
          state.refund === 'DONE' ? 'payments' : null,
          // So that more can be asked for: a part went back, or could not.
          state.refund === 'DONE' ? '50.00' : null,
          state.refund === 'FAILED' ? '0.50' : null,
        ],
      });
    },
    async read(): Promise<State> {
      const row = await db.first<State>({
        text: `
          select b.status as booking, b.payment_status as payment, a.status as appointment, p.status as link,
            p.refund_status as refund
          from bookings b join appointments a on a.booking_id = b.id join payments p on p.booking_id = b.id
          where b.id = $1`,
        values: [id],
      });
      return row!;
    },
  };
}

type Booking = Awaited<ReturnType<typeof createBooking>>;

const LEASE = randomUUID();
const OPERATOR = 'operator:test';

/** The result: null, or the code of the error. Throws other errors. */
async function refusal(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

function gatewaySays(
  { id }: { id: string },
  state: GatewayStatus['state'] | 'paid',
  amount = '150.00',
  refunded = '0.00',
): GatewayStatus {
  const charge = {
    reference: 'charge',
    status: 'paid',
    currency: 'SAR',
    amount,
    charged: amount,
    refunded,
    at: NOW,
  };
  return {
    reference: id,
    paymentId: id,
    state: state === 'paid' ? 'closed' : state,
    payments: state === 'paid' ? [charge] : [],
  };
}

test('bookings: every trigger in every pair of status and payment status', async (t) => {
  const db = await openTestDatabase(t);
  const plans = createPlanCache(db);
  const bookings = {
    PARTNER: await createBooking(db, 'PARTNER'),
    PLATFORM: await createBooking(db, 'PLATFORM'),
  };
  type Trial = {
    mode: keyof typeof bookings;
    trigger: BookingTrigger;
    appointment?: AppointmentStatus;
    /** The error of a refused move; null: nothing happens, without an error. */
    code: string | string[] | null;
    run(booking: Booking): Promise<unknown>;
  };
  const cancellation = ({ reasonId }: Booking) => ({ reasonId });
  const canceling = { trigger: 'cancel', code: 'BOOKING_ALREADY_CANCELLED' } as const;
  const TRIALS: Trial[] = [
    {
      ...canceling,
      mode: 'PARTNER',
      run: (booking) => cancelBooking(createPlainChanges(db), NOW, keyOf(booking), cancellation(booking)),
    },
    {
      ...canceling,
      mode: 'PLATFORM',
      run: (booking) =>
        cancelForOperator(db, NOW, OPERATOR, {
          bookingId: booking.id,
          cancellation: cancellation(booking),
        }),
    },
    {
      mode: 'PARTNER',
      trigger: 'update',
      code: 'BOOKING_NOT_EDITABLE',
      run: (booking) =>
        updateBooking({ db, plans, change: createPlainChanges(db), sealer }, NOW, keyOf(booking), {
          notes: 'new',
        }),
    },
    {
      mode: 'PARTNER',
      trigger: 'confirmPayment',
      code: ['BOOKING_NOT_PAYABLE', 'PAYMENT_ALREADY_CONFIRMED'],
      run: ({ partnerId, id }) =>
        confirmPayment(
          createPlainChanges(db),
          NOW,
          { id: partnerId, paymentResponsibility: 'PARTNER' },
          { bookingId: id, paymentReference: null },
        ),
    },
    {
      mode: 'PLATFORM',
      trigger: 'customerPaid',
      code: null,
      run: ({ payment }) => applyStatus(db, NOW, payment, gatewaySays(payment, 'paid')),
    },
    {
      mode: 'PLATFORM',
      trigger: 'paymentFailed',
      code: null,
      run: ({ payment }) => applyStatus(db, NOW, payment, gatewaySays(payment, 'paid', '149.99')),
    },
    {
      mode: 'PLATFORM',
      trigger: 'paymentFailed',
      code: null,
      run: ({ payment }) => failPayment(db, NOW, payment, 'LINK_EXPIRED'),
    },
    {
      mode: 'PLATFORM',
      trigger: 'fail',
      code: 'INVALID_TRANSITION',
      run: ({ id }) => failForOperator(db, NOW, OPERATOR, { bookingId: id, reason: 'a reason' }),
    },
    {
      mode: 'PARTNER',
      trigger: 'appointmentCompleted',
      appointment: 'Finished',
      code: null,
      run: async ({ appointmentId }) => {
        // The operator is refused where the booking is closed or waits for payment; the booking stays in any case.
        await refusal(
          changeAppointment({ db, plans }, NOW, OPERATOR, {
            appointmentId,
            changes: { status: 'Completed', force: true },
          }),
        );
      },
    },
  ];
  assert.deepEqual(new Set(TRIALS.map(({ trigger }) => trigger)), new Set(keysOf(BOOKING_MOVES)));

  for (const { mode, trigger, appointment = 'Scheduled', code, run } of TRIALS) {
    const booking = bookings[mode];
    for (const from of BOOKING_STATUSES) {
      for (const payment of PAYMENT_STATUSES) {
        if ((from === 'canceled') !== (payment === 'CANCELLED')) continue; // the database has no such row
        const state = { ...USUAL, booking: from, payment, appointment };
        await booking.set(state);
        const refused = await refusal(run(booking));
        const to = {
          booking: bookingAfter(trigger, from),
          payment: trigger in PAYMENT_MOVES ? paymentAfter(trigger as PaymentTrigger, payment) : payment,
        };
        const moves = to.booking !== null && to.payment !== null;
        const pair = `${trigger} of ${from}, ${payment}`;
        const after = await booking.read();
        assert.deepEqual(
          { booking: after.booking, payment: after.payment },
          moves ? to : { booking: from, payment },
          pair,
        );
        const codes = moves ? [null] : [code].flat();
        assert.ok(codes.includes(refused), `${pair} was refused with ${refused}`);
      }
    }
  }
});

test('appointments: triggers of the worker and the booking, in every status', async (t) => {
  const db = await openTestDatabase(t);
  const booking = await createBooking(db, 'PLATFORM');
  await makeAble(db, booking.appointmentId);
  const RUN: Record<AutomaticTrigger, () => Promise<unknown>> = {
    // It starts within the hour.
    assigned: () => confirmDueAssignments(db, NOW),
    bookingCanceled: () =>
      cancelBooking(createPlainChanges(db), NOW, keyOf(booking), {
        reasonId: booking.reasonId,
      }),
    bookingFailed: () => failForOperator(db, NOW, OPERATOR, { bookingId: booking.id, reason: 'a reason' }),
    paymentFailed: () => failPayment(db, NOW, booking.payment, 'LINK_NOT_SENT'),
  };
  for (const trigger of keysOf(AUTOMATIC_MOVES)) {
    for (const from of APPOINTMENT_STATUSES) {
      await booking.set({ ...USUAL, appointment: from });
      const refused = await refusal(RUN[trigger]());
      const to = appointmentAfter(trigger, from);
      const pair = `${trigger} of ${from}`;
      assert.equal((await booking.read()).appointment, to ?? from, pair);
      assert.equal(refused, to === null && trigger === 'bookingFailed' ? 'INVALID_TRANSITION' : null, pair);
    }
  }
});

test('appointments: who may move them to another time, in every status', async (t) => {
  const db = await openTestDatabase(t);
  const plans = createPlanCache(db);
  const booking = await createBooking(db, 'PARTNER');
  // No team has a shift: a permitted move finds no slot.
  const code = {
    movable: 'BOOKING_CREATION_FAILED',
    absent: 'BOOKING_APPOINTMENT_NOT_FOUND',
    begun: 'BOOKING_NOT_EDITABLE',
  };
  const date = iso(NOW + 5 * DAY).slice(0, 10);
  for (const appointment of APPOINTMENT_STATUSES) {
    await booking.set({ ...USUAL, booking: 'in progress', appointment });
    const byPartner = updateBooking(
      { db, plans, change: createPlainChanges(db), sealer },
      NOW,
      keyOf(booking),
      {
        date,
      },
    );
    assert.equal(await refusal(byPartner), code[movability(appointment)], appointment);
    const byOperator = changeAppointment({ db, plans }, NOW, OPERATOR, {
      appointmentId: booking.appointmentId,
      changes: { date },
    });
    const movable = MOVABLE_BY_OPERATOR.includes(appointment);
    assert.equal(
      await refusal(byOperator),
      movable ? 'BOOKING_CREATION_FAILED' : 'INVALID_TRANSITION',
      appointment,
    );
  }
});

test('payment links: every trigger in every state, with and without a waiting booking', async (t) => {
  const db = await openTestDatabase(t);
  const booking = await createBooking(db, 'PLATFORM');
  const { payment } = booking;
  type Trial = {
    trigger: LinkTrigger;
    /** The trigger that the booking must permit too; null: none. */
    needs: BookingTrigger | null;
    /** Money comes, which it cannot before the link is saved. */
    isMoney?: boolean;
    run(): Promise<unknown>;
  };
  const TRIALS: Trial[] = [
    {
      trigger: 'linkMade',
      needs: null,
      run: async () => {
        const row = (await findPayment(db, payment.id))!;
        await saveLink(db, NOW, row, {
          gateway: 'sandbox',
          reference: payment.id,
          url: 'https://example.com',
        });
      },
    },
    {
      trigger: 'customerPaid',
      needs: 'customerPaid',
      isMoney: true,
      run: () => applyStatus(db, NOW, payment, gatewaySays(payment, 'paid')),
    },
    {
      trigger: 'failed',
      needs: 'paymentFailed',
      run: () => applyStatus(db, NOW, payment, gatewaySays(payment, 'failed')),
    },
    {
      trigger: 'failed',
      needs: 'paymentFailed',
      isMoney: true,
      run: () => applyStatus(db, NOW, payment, gatewaySays(payment, 'paid', '149.99')),
    },
    {
      trigger: 'failed',
      needs: 'paymentFailed',
      run: () => failPayment(db, NOW, payment, 'LINK_NOT_CREATED'),
    },
    {
      trigger: 'failed',
      needs: 'fail',
      run: () => failForOperator(db, NOW, OPERATOR, { bookingId: booking.id, reason: 'a reason' }),
    },
    {
      trigger: 'expired',
      needs: 'paymentFailed',
      run: () => applyStatus(db, NOW, payment, gatewaySays(payment, 'closed')),
    },
    { trigger: 'expired', needs: 'paymentFailed', run: () => failPayment(db, NOW, payment, 'LINK_EXPIRED') },
    {
      trigger: 'bookingCanceled',
      needs: 'cancel',
      run: () =>
        cancelBooking(createPlainChanges(db), NOW, keyOf(booking), {
          reasonId: booking.reasonId,
        }),
    },
  ];
  assert.deepEqual(new Set(TRIALS.map(({ trigger }) => trigger)), new Set(keysOf(LINK_MOVES)));

  const waiting = { booking: 'waiting payment', payment: 'PENDING' } as const;
  const confirmed = { booking: 'in progress', payment: 'PAID' } as const;
  const canceled = { booking: 'canceled', payment: 'CANCELLED' } as const;
  for (const { trigger, needs, isMoney = false, run } of TRIALS) {
    for (const admits of [waiting, confirmed, canceled]) {
      for (const from of PAYMENT_STATES) {
        await booking.set({ ...USUAL, ...admits, link: from });
        if (isMoney && from === 'CREATED') await assert.rejects(run(), /link is not saved/);
        else await refusal(run());
        const allowed = needs === null || bookingAfter(needs, admits.booking) !== null;
        const to = allowed && !(isMoney && from === 'CREATED') ? linkAfter(trigger, from) : null;
        const after = await booking.read();
        const pair = `${trigger} of ${from} with a booking that is ${admits.booking}`;
        assert.equal(after.link, to ?? from, pair);
        // Both move or neither, except that cancelling and the operator's failing look at the booking alone.
        if (to === null && needs !== 'cancel' && needs !== 'fail')
          assert.equal(after.booking, admits.booking, pair);
      }
    }
  }
});

test('refunds: every trigger in every state', async (t) => {
  const db = await openTestDatabase(t);
  const booking = await createBooking(db, 'PLATFORM');
  const { payment } = booking;
  const clock = manualClock(NOW);
  const paid = { booking: 'in progress', payment: 'PAID', link: 'PAID' } as const;
  const canceled = { booking: 'canceled', payment: 'CANCELLED', link: 'CANCELED' } as const;
  type Trial = {
    trigger: RefundTrigger;
    state: Pick<State, 'booking' | 'payment' | 'link'>;
    /** The error of a refused move; null: nothing happens. */
    code: string | null;
    run(): Promise<unknown>;
  };
  const TRIALS: Trial[] = [
    {
      trigger: 'asked',
      state: paid,
      code: null,
      run: () =>
        cancelBooking(createPlainChanges(db), NOW, keyOf(booking), {
          reasonId: booking.reasonId,
        }),
    },
    {
      trigger: 'asked',
      state: paid,
      code: null,
      run: () => failForOperator(db, NOW, OPERATOR, { bookingId: booking.id, reason: 'a reason' }),
    },
    {
      trigger: 'asked',
      state: canceled,
      code: null,
      run: () => applyStatus(db, NOW, payment, gatewaySays(payment, 'paid')),
    },
    {
      trigger: 'asked',
      state: { booking: 'waiting payment', payment: 'PENDING', link: 'OPEN' },
      code: null,
      run: () => applyStatus(db, NOW, payment, gatewaySays(payment, 'paid', '1.00')),
    },
    {
      trigger: 'gone',
      state: canceled,
      code: null,
      run: () => applyStatus(db, NOW, payment, gatewaySays(payment, 'paid', '150.00', '150.00')),
    },
    {
      trigger: 'givenUp',
      state: canceled,
      code: null,
      run: async () => failRefund(db, NOW, (await findPayment(db, payment.id))!, 'refused'),
    },
    {
      trigger: 'retried',
      state: canceled,
      code: 'INVALID_TRANSITION',
      run: () => retryRefund(db, NOW, OPERATOR, payment.id),
    },
    {
      trigger: 'doneByHand',
      state: canceled,
      code: 'INVALID_TRANSITION',
      run: () => markRefundDone(db, clock, OPERATOR, { id: payment.id, reference: 'bank 1' }),
    },
  ];
  assert.deepEqual(new Set(TRIALS.map(({ trigger }) => trigger)), new Set(keysOf(REFUND_MOVES)));

  for (const { trigger, state, code, run } of TRIALS) {
    for (const from of REFUND_STATUSES) {
      await booking.set({ ...USUAL, ...state, refund: from });
      const refused = await refusal(run());
      const to = refundAfter(trigger, from);
      const pair = `${trigger} of ${from}`;
      assert.equal((await booking.read()).refund, to ?? from, pair);
      assert.equal(refused, to === null ? code : null, pair);
    }
  }

  for (const run of TRIALS.filter(({ trigger, state }) => trigger === 'asked' && state === paid)) {
    await booking.set({ ...USUAL, booking: 'in progress' });
    await run.run();
    assert.equal((await booking.read()).refund, 'NONE', 'what was not paid is not given back');
  }
});

test('deliveries: every trigger in every state', async (t) => {
  const db = await openTestDatabase(t);
  const booking = await createBooking(db, 'PARTNER');
  const ids = await db.first<{ id: string; subscription_id: string }>({
    text: `
      with subscription as (
        insert into webhook_subscriptions (partner_id, url, events, secret, created_at, updated_at)
        values ($1, 'https://example.com/', '{booking.created}', 'whsec_x', $2, $2) returning id
      ), event as (
        insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
        values (gen_random_uuid(), $1, $3, 1, 'booking.updated', '{}', $2) returning id
      )
      insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, due_at, created_at)
      select subscription.id, event.id, $1, $3, 'booking.updated', $2, $2 from subscription, event
      returning id, subscription_id`,
    values: [booking.partnerId, iso(NOW), booking.id],
  });
  const { id, subscription_id: subscriptionId } = ids!;
  async function set(status: DeliveryStatus, retries: number, removed: boolean): Promise<void> {
    const waits = status === 'PENDING';
    await db.rows({
      text: `update webhook_deliveries set status = $2, retries = $3, due_at = $4, finished_at = $5 where id = $1`,
      values: [id, status, retries, waits ? iso(NOW) : null, waits ? null : iso(NOW)],
    });
    await db.rows({
      text: 'update webhook_subscriptions set removed_at = $2 where id = $1',
      values: [subscriptionId, removed ? iso(NOW) : null],
    });
    await db.rows({
      text: `
        update webhook_pending set lease = $2, leased_until = $3 where delivery_id = $1`,
      values: [id, LEASE, iso(NOW)],
    });
  }
  const attempt = (error: 'TIMEOUT' | null) => () =>
    settleDeliveries(db, NOW, [
      {
        id,
        lease: LEASE,
        attempts: [
          {
            attemptedAt: NOW,
            result: { statusCode: error === null ? 200 : null, error, durationMs: 1, responseBody: '' },
          },
        ],
      },
    ]);
  type Trial = {
    trigger: DeliveryTrigger;
    retries?: number;
    removed?: boolean;
    code: string | null;
    run(): Promise<unknown>;
  };
  const TRIALS: Trial[] = [
    { trigger: 'attemptSucceeded', code: null, run: attempt(null) },
    { trigger: 'attemptSucceeded', retries: RETRY_AFTER.length, code: null, run: attempt(null) },
    { trigger: 'attemptFailed', code: null, run: attempt('TIMEOUT') },
    { trigger: 'attemptFailed', retries: RETRY_AFTER.length - 1, code: null, run: attempt('TIMEOUT') },
    { trigger: 'lastAttemptFailed', retries: RETRY_AFTER.length, code: null, run: attempt('TIMEOUT') },
    {
      trigger: 'subscriptionRemoved',
      removed: true,
      code: null,
      run: () => failRemoved(db, NOW, subscriptionId),
    },
    {
      trigger: 'retry',
      code: 'DELIVERY_NOT_RETRYABLE',
      run: () => retryDelivery(db, NOW, booking.partnerId, id),
    },
    { trigger: 'retry', code: 'DELIVERY_NOT_RETRYABLE', run: () => retryDelivery(db, NOW, null, id) },
    {
      trigger: 'retry',
      code: null,
      run: () => recoverDeliveries(db, NOW, { partnerId: null, id: subscriptionId, since: iso(NOW - DAY) }),
    },
  ];
  assert.deepEqual(new Set(TRIALS.map(({ trigger }) => trigger)), new Set(keysOf(DELIVERY_MOVES)));

  for (const { trigger, retries = 0, removed = false, code, run } of TRIALS) {
    for (const from of DELIVERY_STATUSES) {
      await set(from, retries, removed);
      const refused = await refusal(run());
      const to = stateAfter<DeliveryStatus>(DELIVERY_MOVES[trigger], from);
      const row = await db.first<{ status: DeliveryStatus }>({
        text: 'select status from webhook_deliveries where id = $1',
        values: [id],
      });
      const pair = `${trigger} of ${from}`;
      assert.equal(row!.status, to ?? from, pair);
      assert.equal(refused, to === null ? code : null, pair);
    }
  }
});

import type { PlanCache } from '../availability/plan.ts';
import { type BookingPayments, detailSchema, readDetail } from '../dispatch/booking-routes.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { closeBooking, revisitBooking } from './closings.ts';
import { NO_FEE_HINT, OUTCOME_HINT, recordOutcome, waiveFees } from './fee-decisions.ts';
import { CloseBooking, RecordOutcome, RevisitBooking, WaiveFees } from './schema.ts';

const NOT_DECIDED = {
  code: 'INVALID_TRANSITION' as const,
  message: 'Only a visit that could not be done is decided on',
  details: {
    from: 'Scheduled',
    to: 'Cancelled',
    allowedFrom: ['Cannot Complete'],
    bookingStatus: 'in progress',
  },
};

const NO_OUTCOME = noMove('The visit has no outcome that can be recorded', {
  from: 'Scheduled',
  bookingStatus: 'in progress',
  hints: [OUTCOME_HINT],
});

const NO_FEE = noMove('There is no fee to give back', { bookingStatus: 'in progress', hints: [NO_FEE_HINT] });

/** Closing a booking whose visit could not be done, planning another visit, and decisions on fees. */
export function bookingClosingRoutes(
  app: App,
  deps: RouteParts & { plans: PlanCache },
  payments: BookingPayments,
): void {
  const { db, clock } = deps;
  const BookingDetail = detailSchema(payments.schema);
  const route = routesOf(app, { tags: ['Bookings'], missing: ['Booking'], params: IdParams });
  const change = { ifMatch: true, etag: true, response: { data: BookingDetail } } as const;

  route.post('/operator/bookings/:id/close', {
    operationId: 'closeBooking',
    summary: 'Close a booking whose visit could not be done, with the fee of the outcome',
    description:
      'The booking is `canceled`. When the customer was the cause (`CUSTOMER_ABSENT`, `NO_ACCESS`, `REFUSED`), the fee is ' +
      'the policy’s `noShowPercent` of the price; other outcomes cost nothing. What was paid without the fees is refunded. ' +
      'Without an outcome the fee is decided on by `recordOutcome`, and is none after seven days. Without a policy it is as ' +
      'the cancellation.',
    errors: [NOT_DECIDED, 'FEE_CHANGED'],
    body: CloseBooking,
    config: { role: 'dispatcher' },
    ...change,
    answer: async ({ actor, params, body, wanted }) => {
      await closeBooking(db, clock.now(), actor, { bookingId: params.id, closing: body, wanted });
      return readDetail(db, payments, params.id);
    },
  });

  route.post('/operator/bookings/:id/revisit', {
    operationId: 'revisitBooking',
    summary: 'Give a booking whose visit could not be done another visit',
    description:
      'By the rules of a new time, with the length that was sold: the appointment is `Scheduled` again, then. It costs ' +
      'nothing. The first visit and its outcome stay in the history and in the events.',
    errors: [
      { ...NOT_DECIDED, details: { ...NOT_DECIDED.details, to: 'Scheduled' } },
      {
        code: 'BOOKING_CREATION_FAILED',
        message: 'The booking cannot be visited then',
        details: {
          reason: 'SLOT_NOT_OFFERED',
          alternatives: [{ date: '2026-12-01', startAt: '13:00', endAt: '15:00' }],
        },
      },
    ],
    body: RevisitBooking,
    config: { role: 'dispatcher' },
    ...change,
    answer: async ({ actor, params, body, wanted }) => {
      await revisitBooking(deps, clock.now(), actor, { bookingId: params.id, revisit: body, wanted });
      return readDetail(db, payments, params.id);
    },
  });

  route.post('/operator/bookings/:id/outcome', {
    operationId: 'recordOutcome',
    summary: 'Record or correct why a visit could not be done',
    description:
      'Of a booking that has ended the fee follows: the first decision sets it, later ones lower it, and the difference ' +
      'goes back. For 30 days after the end; repeated, it changes nothing.',
    errors: [NO_OUTCOME],
    body: RecordOutcome,
    config: { role: 'dispatcher' },
    ...change,
    answer: async ({ actor, params, body: given, wanted }) => {
      await recordOutcome(db, clock.now(), actor, { bookingId: params.id, given, wanted });
      return readDetail(db, payments, params.id);
    },
  });

  route.post('/operator/bookings/:id/fees/waive', {
    operationId: 'waiveFees',
    summary: 'Give fees of a booking back',
    description:
      'At most what is kept and neither refunded nor charged back, and what is due after a move of yours. A payment by ' +
      'link is refunded; of an account under PARTNER the fee is lower. The partner is told by `booking.fees_changed`.',
    errors: [NO_FEE],
    body: WaiveFees,
    ...change,
    answer: async ({ actor, params, body: given, wanted }) => {
      await waiveFees(db, clock.now(), actor, { bookingId: params.id, given, wanted });
      return readDetail(db, payments, params.id);
    },
  });
}

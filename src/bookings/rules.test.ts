import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  APPOINTMENT_STATUSES,
  type AppointmentStatus,
  BOOKING_STATUSES,
  type BookingStatus,
  type BookingTrigger,
  bookingAfter,
  cancellationAction,
  initialState,
  mayMoveAppointment,
  movability,
  PAYMENT_STATUSES,
  type PaymentStatus,
  type PaymentTrigger,
  paymentAfter,
} from './rules.ts';

/** Every allowed move, written out from the contract; every other pair must be refused. */
const BOOKING: [BookingTrigger, BookingStatus, BookingStatus][] = [
  ['cancel', 'in progress', 'canceled'],
  ['cancel', 'waiting payment', 'canceled'],
  ['cancel', 'success', 'canceled'],
  ['cancel', 'failed', 'canceled'],
  ['update', 'in progress', 'in progress'],
  ['update', 'waiting payment', 'waiting payment'],
  ['confirmPayment', 'in progress', 'in progress'],
  ['confirmPayment', 'waiting payment', 'waiting payment'],
  ['confirmPayment', 'success', 'success'],
  ['customerPaid', 'waiting payment', 'in progress'],
  ['paymentFailed', 'waiting payment', 'failed'],
  ['appointmentCompleted', 'in progress', 'success'],
];
const PAYMENT: [PaymentTrigger, PaymentStatus, PaymentStatus][] = [
  ['cancel', 'NOT_REQUIRED', 'CANCELLED'],
  ['cancel', 'PENDING', 'CANCELLED'],
  ['cancel', 'PAID', 'CANCELLED'],
  ['cancel', 'FAILED', 'CANCELLED'],
  ['confirmPayment', 'PENDING', 'PAID'],
  ['customerPaid', 'PENDING', 'PAID'],
  ['paymentFailed', 'PENDING', 'FAILED'],
];
const APPOINTMENT: [AppointmentStatus, AppointmentStatus][] = [
  ['New', 'Scheduled'],
  ['New', 'Cancelled'],
  ['Scheduled', 'Confirmed'],
  ['Scheduled', 'In The Way'],
  ['Scheduled', 'Cancelled'],
  ['Confirmed', 'In The Way'],
  ['Confirmed', 'Cancelled'],
  ['In The Way', 'In The location'],
  ['In The Way', 'Cannot Complete'],
  ['In The Way', 'Cancelled'],
  ['In The location', 'In Progress'],
  ['In The location', 'Cannot Complete'],
  ['In The location', 'Cancelled'],
  ['In Progress', 'Finished'],
  ['In Progress', 'Cannot Complete'],
  ['In Progress', 'Cancelled'],
  ['Finished', 'Completed'],
];

test('every pair of booking status and trigger', () => {
  const triggers = [...new Set(BOOKING.map(([trigger]) => trigger))];
  assert.equal(triggers.length, 6);
  for (const trigger of triggers) {
    for (const from of BOOKING_STATUSES) {
      const expected = BOOKING.find((move) => move[0] === trigger && move[1] === from)?.[2] ?? null;
      assert.equal(bookingAfter(trigger, from), expected, `${trigger} from ${from}`);
    }
  }
});

test('every pair of payment status and trigger', () => {
  for (const trigger of [...new Set(PAYMENT.map(([name]) => name))]) {
    for (const from of PAYMENT_STATUSES) {
      const expected = PAYMENT.find((move) => move[0] === trigger && move[1] === from)?.[2] ?? null;
      assert.equal(paymentAfter(trigger, from), expected, `${trigger} from ${from}`);
    }
  }
});

test('every pair of appointment statuses', () => {
  for (const from of APPOINTMENT_STATUSES) {
    for (const to of APPOINTMENT_STATUSES) {
      const expected = APPOINTMENT.some((move) => move[0] === from && move[1] === to);
      assert.equal(mayMoveAppointment(from, to), expected, `${from} to ${to}`);
    }
  }
});

test('only an assigned appointment that has not begun can be moved', () => {
  const expected = {
    New: 'absent',
    Scheduled: 'movable',
    Confirmed: 'movable',
    'In The Way': 'begun',
    'In The location': 'begun',
    'In Progress': 'begun',
    Finished: 'begun',
    Completed: 'begun',
    'Cannot Complete': 'begun',
    Cancelled: 'absent',
  };
  for (const status of APPOINTMENT_STATUSES) assert.equal(movability(status), expected[status], status);
});

test('the first state, and the refund of a cancellation', () => {
  const state = (...input: Parameters<typeof initialState>) =>
    Object.values(initialState(...input)).join(', ');
  for (const zeroPriceMeans of ['free', 'deferred'] as const) {
    assert.equal(state('PARTNER', false, zeroPriceMeans), 'in progress, PENDING');
    assert.equal(state('PARTNER', true, zeroPriceMeans), 'in progress, PENDING');
    assert.equal(state('PLATFORM', false, zeroPriceMeans), 'waiting payment, PENDING');
  }
  assert.equal(state('PLATFORM', true, 'free'), 'in progress, NOT_REQUIRED');
  assert.equal(state('PLATFORM', true, 'deferred'), 'success, NOT_REQUIRED');
  assert.equal(cancellationAction('PLATFORM'), 'CANCEL_AND_REFUND');
  assert.equal(cancellationAction('PARTNER'), 'CANCEL_ONLY');
});

import type { Clock, Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { type Db, isDbError } from '../db/connection.ts';
import type { Notifier } from '../payments/notifier.ts';
import { findPayment } from '../payments/queries.ts';
import type { Logger } from '../runtime/logger.ts';
import type { HoldEnding, RunScript } from './rules.ts';
import { startRunIn } from './runs.ts';

export type ScriptedCustomer = {
  /** E.164: a valid Saudi mobile number, to which no message is sent. */
  phone: string;
  /** null: the customer does nothing. */
  script: RunScript | null;
  /** Seconds of business time before each step. */
  everySeconds: number;
  /** Ending of its holds; absent: as of any. */
  hold?: HoldEnding;
};

/** Simulated customers by phone number, with what they do with a payment link, or with a hold (docs/sandbox.md). */
export const SCRIPTED_CUSTOMERS: readonly ScriptedCustomer[] = [
  { phone: '+966590000001', script: 'customer-pays', everySeconds: 0 },
  { phone: '+966590000002', script: 'customer-pays-late', everySeconds: 600 },
  { phone: '+966590000003', script: 'customer-declines-once', everySeconds: 30 },
  { phone: '+966590000004', script: 'customer-declines', everySeconds: 0 },
  { phone: '+966590000005', script: 'payment-fails', everySeconds: 0 },
  { phone: '+966590000006', script: null, everySeconds: 0 },
  { phone: '+966590000011', script: null, everySeconds: 0, hold: 'hold-expires' },
  { phone: '+966590000012', script: null, everySeconds: 0, hold: 'hold-lost' },
  { phone: '+966590000013', script: null, everySeconds: 0, hold: 'hold-dearer' },
  { phone: '+966590000014', script: null, everySeconds: 0, hold: 'hold-limit' },
];

/** The simulated customer with the phone number. */
export const scriptedCustomer = (phone: string): ScriptedCustomer | undefined => BY_PHONE.get(phone);

const BY_PHONE = new Map(SCRIPTED_CUSTOMERS.map((customer) => [customer.phone, customer]));

/**
 * Replaces messages to simulated customers: the first message with a payment link starts the customer's run.
 */
export function withScriptedCustomers(
  notifier: Notifier,
  { db, clock, logger }: { db: Db; clock: Clock; logger: Pick<Logger, 'debug'> },
): Notifier {
  return {
    name: notifier.name,
    async send(message) {
      const customer = BY_PHONE.get(message.to);
      if (customer === undefined) return await notifier.send(message);
      logger.debug({ messageId: message.id, text: message.text }, 'message to a customer of the simulator');
      await startCustomerRun(db, clock.now(), message.id, customer);
    },
  };
}

/** Starts the customer's run on the payment's booking, unless it was started or the booking waits no longer. */
async function startCustomerRun(
  db: Db,
  now: Instant,
  paymentId: string,
  customer: ScriptedCustomer,
): Promise<void> {
  const { script, everySeconds } = customer;
  const payment = await findPayment(db, paymentId);
  if (script === null || payment === null) return;
  const booking = { partnerId: payment.partner_id, bookingId: payment.booking_id };
  try {
    await db.transaction(
      (tx) => startRunIn(tx, now, booking, { script, everySeconds, startedBy: 'phone' }),
      booking.bookingId,
    );
  } catch (error) {
    const isOver = error instanceof ApiError && error.code === 'INVALID_TRANSITION';
    if (!isOver && !isDbError(error, 'uniqueViolation', 'simulator_runs_customer_key')) throw error;
  }
}

import type { Db } from '../db/connection.ts';
import { inChildSpan, inSpan, type Tracing } from '../runtime/tracing.ts';
import { aroundCalls, type Gateways } from './gateways.ts';
import type { Notifier } from './notifier.ts';
import { findTraceParent, type PaymentRow } from './queries.ts';
import type { Outcome } from './steps.ts';

/** Runs a step of a payment, in a traced service within a span. */
export type StepTrace = (db: Db, payment: PaymentRow, step: () => Promise<Outcome>) => Promise<Outcome>;

export const untracedStep: StepTrace = (_db, _payment, step) => step();

/** A span around each step, in the trace of its booking's creation. */
export function tracedStep(tracing: Tracing): StepTrace {
  return async (db, payment, step) => {
    const traceparent = (await findTraceParent(db, payment.booking_id)) ?? undefined;
    const attributes = { 'partner_booking.payment.id': payment.id };
    return inSpan(tracing, 'payment step', { kind: 'internal', parent: { traceparent }, attributes }, step);
  };
}

/** A span for each call of a gateway. Nothing of the trace is sent to it. */
export function tracedGateways(gateways: Gateways, tracing: Tracing): Gateways {
  return aroundCalls(gateways, (name, work) => inChildSpan(tracing, name, { kind: 'client' }, work));
}

/** A span for each message. Nothing of the trace is sent with it. */
export function tracedNotifier(notifier: Notifier, tracing: Tracing): Notifier {
  return {
    ...notifier,
    send: (message) =>
      inChildSpan(tracing, `${notifier.name} send`, { kind: 'client' }, () => notifier.send(message)),
  };
}

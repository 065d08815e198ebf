import type { Db } from '../db/connection.ts';
import { inChildSpan, inSpan, type Tracing } from '../runtime/tracing.ts';
import type { Gateway } from './gateway.ts';
import type { Gateways } from './gateways.ts';
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
  const traced = (gateway: Gateway): Gateway => {
    const call = <T>(name: string, work: () => Promise<T>): Promise<T> =>
      inChildSpan(tracing, `${gateway.name} ${name}`, { kind: 'client' }, work);
    return {
      ...gateway,
      createLink: (request) => call('createLink', () => gateway.createLink(request)),
      findLink: (paymentId) => call('findLink', () => gateway.findLink(paymentId)),
      readStatus: (reference) => call('readStatus', () => gateway.readStatus(reference)),
      closeLink: (reference) => call('closeLink', () => gateway.closeLink(reference)),
      refund: (...refund) => call('refund', () => gateway.refund(...refund)),
    };
  };
  return {
    current: () => traced(gateways.current()),
    find(name) {
      const found = gateways.find(name);
      return found && traced(found);
    },
    named: (name) => traced(gateways.named(name)),
  };
}

/** A span for each message. Nothing of the trace is sent with it. */
export function tracedNotifier(notifier: Notifier, tracing: Tracing): Notifier {
  return {
    ...notifier,
    send: (message) =>
      inChildSpan(tracing, `${notifier.name} send`, { kind: 'client' }, () => notifier.send(message)),
  };
}

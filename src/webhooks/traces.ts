import type { Queryable } from '../db/connection.ts';
import type { Outbound } from '../outbound/requests.ts';
import type { Logger } from '../runtime/logger.ts';
import { inChildSpan, inSpan, type Tracing } from '../runtime/tracing.ts';
import type { AttemptResult } from './attempt.ts';
import { type ClaimedDelivery, findTraceParents } from './queue-queries.ts';

/** How the queue has its attempts traced: each belongs to the trace of what its event tells of. */
export type DeliveryTraces = {
  /** Learns the traces of what was claimed; an attempt whose trace cannot be read begins one of its own. */
  learn(db: Queryable, claimed: readonly ClaimedDelivery[]): Promise<void>;
  /** Forgets that of a delivery of which no attempt will be made. */
  forget(deliveryId: string): void;
  attempt(delivery: ClaimedDelivery, work: () => Promise<AttemptResult>): Promise<AttemptResult>;
};

export const NO_TRACES: DeliveryTraces = {
  learn: async () => {},
  forget: () => {},
  attempt: (_, work) => work(),
};

/** Every attempt is a span in the trace of its event, from the request that caused it. */
export function deliveryTraces(tracing: Tracing, logger: Logger): DeliveryTraces {
  const parents = new Map<string, string>();
  return {
    async learn(db, claimed) {
      if (claimed.length === 0) return;
      const ids = claimed.map(({ id }) => id);
      const found = await findTraceParents(db, ids).catch((error) => {
        logger.warn({ err: error }, 'the traces of webhook deliveries could not be read');
        return [];
      });
      for (const { id, trace_parent } of found) parents.set(id, trace_parent);
    },
    forget: (deliveryId) => void parents.delete(deliveryId),
    attempt(delivery, work) {
      const traceparent = parents.get(delivery.id);
      parents.delete(delivery.id);
      const attributes = {
        'partner_booking.delivery.id': delivery.id,
        'partner_booking.subscription.id': delivery.subscription_id,
        'partner_booking.caller.id': delivery.partner_id,
      };
      const name = `deliver ${delivery.event}`;
      return inSpan(
        tracing,
        name,
        { kind: 'internal', parent: { traceparent }, attributes },
        async (span) => {
          const result = await work();
          if (result.error !== null) span.fail(result.error);
          return result;
        },
      );
    },
  };
}

/** What is sent within a span carries its `traceparent`, so that the receiver can go on with the trace. */
export function tracedOutbound(outbound: Outbound, tracing: Tracing): Outbound {
  return {
    ...outbound,
    send: (request) =>
      inChildSpan(
        tracing,
        request.method,
        {
          kind: 'client',
          attributes: { 'http.request.method': request.method, 'server.address': request.url.hostname },
        },
        async (span) => {
          if (span === null) return outbound.send(request);
          const { traceparent } = span;
          const outcome = await outbound.send({ ...request, headers: { ...request.headers, traceparent } });
          if (outcome.statusCode !== null) span.set({ 'http.response.status_code': outcome.statusCode });
          if (outcome.error !== null) span.fail(outcome.error);
          return outcome;
        },
      ),
  };
}

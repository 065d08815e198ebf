import type { Outbound } from '../outbound/requests.ts';
import { inChildSpan, inSpan, type Tracing } from '../runtime/tracing.ts';
import type { AttemptResult } from './attempt.ts';
import type { ClaimedDelivery } from './queue-queries.ts';

/** Runs an attempt, in a traced service within a span. */
export type AttemptTrace = (
  delivery: ClaimedDelivery,
  attempt: () => Promise<AttemptResult>,
) => Promise<AttemptResult>;

export const untracedAttempt: AttemptTrace = (_delivery, attempt) => attempt();

/** A span around each attempt, in the trace of the request that caused its event. */
export function tracedAttempt(tracing: Tracing): AttemptTrace {
  return (delivery, attempt) => {
    const traceparent = delivery.trace_parent ?? undefined;
    const attributes = {
      'partner_booking.delivery.id': delivery.id,
      'partner_booking.subscription.id': delivery.subscription_id,
      'partner_booking.caller.id': delivery.partner_id,
    };
    const name = `deliver ${delivery.event}`;
    return inSpan(tracing, name, { kind: 'internal', parent: { traceparent }, attributes }, async (span) => {
      const result = await attempt();
      if (result.error !== null) span.fail(result.error);
      return result;
    });
  };
}

/** Adds `traceparent` to requests within a span, so that the receiver can continue the trace. */
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

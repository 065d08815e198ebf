import type { FastifyInstance } from 'fastify';
import { maskText } from '../runtime/masking.ts';
import type { Span, Tracing } from '../runtime/tracing.ts';

/**
 * One span for each request, which continues the caller's `traceparent`. Named after the route, never the URL; probes
 * have none. Must come before all other hooks, so that these are part of it.
 */
export function traceRequests(
  app: Pick<FastifyInstance, 'addHook'>,
  tracing: Tracing,
  isProbe: (url: string) => boolean,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isProbe(request.url)) return done();
    const { traceparent, tracestate } = request.headers as Record<string, string | undefined>;
    const isClean = tracestate === undefined || maskText(tracestate) === tracestate;
    const route = request.routeConfig.url ?? 'unknown';
    request.span = tracing.start(`${request.method} ${route}`, {
      kind: 'server',
      parent: { traceparent, ...(isClean && { tracestate }) },
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.header.x-request-id': maskText(request.id),
      },
    });
    request.span.run(done);
  });
  // The body arrives as events of the socket, outside the span.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span === null) done();
    else request.span.run(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.span !== null) endSpan(request.span, reply.statusCode, request.callerId);
    done();
  });
}

function endSpan(span: Span, status: number, callerId: string | null): void {
  span.set({
    'http.response.status_code': status,
    ...(callerId !== null && { 'partner_booking.caller.id': callerId }),
  });
  if (status >= 500) span.fail(String(status));
  span.end();
}

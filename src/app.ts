import { availabilityRoutes } from './availability/routes.ts';
import { reasonRoutes } from './bookings/reasons-routes.ts';
import { bookingRoutes } from './bookings/routes.ts';
import { pricingRoutes } from './catalogue/pricing-routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { phoneFormats } from './contacts/schema.ts';
import type { Deps } from './deps.ts';
import { operatorRoutes } from './operator/routes.ts';
import { createGuard } from './partners/guard.ts';
import { paymentRoutes } from './payments/routes.ts';
import { type App, createHttpApp, type HttpTimeouts } from './platform/http.ts';
import { probeRoutes } from './platform/probes.ts';
import { trustedPeers } from './platform/proxies.ts';
import { operatorReferenceRoutes, referenceRoutes } from './reference/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** Which interfaces a listener serves; both on one unless OPERATOR_PORT parts them. */
export type Surface = 'partner' | 'operator';

/** The HTTP application: an explicit list of the slices' routes. */
export function buildApp(
  deps: Deps,
  surfaces: readonly Surface[],
  timeouts: Partial<HttpTimeouts> = {},
): App {
  const { config, db, clock, plans, outbound } = deps;
  const docsUrl = `${config.publicUrl}/docs`;
  const app = createHttpApp({
    logger: deps.logger,
    metrics: deps.metrics,
    trustedProxies: config.trustedProxies,
    requireHttps: config.requireHttps,
    docsUrl,
    formats: phoneFormats,
    timeouts,
  });
  probeRoutes(app, deps);
  // Whatever was changed may be work for the workers; answered first, because nobody waits for them.
  app.addHook('onResponse', (request, reply, done) => {
    if (request.method !== 'GET' && reply.statusCode < 400) deps.wakeups.wake();
    done();
  });

  if (surfaces.includes('partner')) {
    paymentRoutes(app, deps);
    referenceRoutes(app, config);
    const guard = createGuard({
      access: deps.access,
      rateLimiter: deps.rateLimiter,
      peers: trustedPeers(config.trustedProxies),
      clock,
      sandboxDomainCheck: config.sandboxDomainCheck,
    });
    app.register(
      async (v1: App) => {
        v1.addHook('onRequest', guard);
        v1.setNotFoundHandler(() => {
          throw new Error('the guard answers unknown routes');
        });
        contactRoutes(v1, { db, clock });
        pricingRoutes(v1, { db });
        reasonRoutes(v1, { db });
        catalogueRoutes(v1, { db, serviceDetailRoute: config.serviceDetailRoute });
        availabilityRoutes(v1, { db, clock, plans });
        bookingRoutes(v1, {
          db,
          clock,
          plans,
          idempotency: config.idempotency,
          docsUrl,
          updateRoute: config.bookingUpdateRoute,
        });
        webhookRoutes(v1, { db, clock, outbound, allowHosts: config.webhookAllowHosts });
      },
      { prefix: '/v1' },
    );
  }
  if (surfaces.includes('operator')) {
    operatorReferenceRoutes(app);
    app.register(async (operator: App) => operatorRoutes(operator, deps), { prefix: '/operator' });
  }
  return app;
}

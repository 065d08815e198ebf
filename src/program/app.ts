import { availabilityRoutes } from '../availability/routes.ts';
import { makeHold } from '../bookings/holds.ts';
import { bookingRoutes } from '../bookings/routes.ts';
import { catalogueRoutes } from '../catalogue/routes.ts';
import { certificationPages, certificationRoutes } from '../certification/routes.ts';
import { contactDetailRoutes, contactRoutes } from '../contacts/routes.ts';
import { phoneFormats } from '../contacts/schema.ts';
import { crewPages } from '../crew/pages.ts';
import { crewRoutes } from '../crew/routes.ts';
import { customerExportRoutes } from '../customers/export-routes.ts';
import { customerRoutes } from '../customers/routes.ts';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import { operatorReferenceRoutes, referenceRoutes } from '../developer-docs/routes.ts';
import { eventRoutes } from '../events/routes.ts';
import { type App, createHttpApp, type HttpTimeouts, TIMEOUTS } from '../http/edge.ts';
import { isRead } from '../http/methods.ts';
import { metricsRoute } from '../http/metrics-route.ts';
import { ownOrigins } from '../http/origins.ts';
import { routeHints } from '../http/path-hints.ts';
import { probeRoutes } from '../http/probes.ts';
import { attentionMetrics } from '../operator/attention.ts';
import { consoleRoutes } from '../operator/console.ts';
import { operatorRoutes } from '../operator/routes.ts';
import { createGuard } from '../partners/guard.ts';
import { paymentRoutes } from '../payments/routes.ts';
import { portalPages } from '../portal/pages.ts';
import { portalRoutes } from '../portal/routes.ts';
import { pricingRoutes } from '../pricing/routes.ts';
import { privacyRoutes } from '../privacy/routes.ts';
import { reasonRoutes } from '../reasons/routes.ts';
import { recordRequests } from '../requests/recorder.ts';
import { seriesRoutes } from '../series/routes.ts';
import { sandboxRuns } from '../simulator/creation.ts';
import { loseAnswers } from '../simulator/lost-answers.ts';
import { simulatorRoutes } from '../simulator/routes.ts';
import { makeSandboxHold } from '../simulator/scripted-holds.ts';
import { statementRoutes } from '../statements/routes.ts';
import { deliveryRoutes } from '../webhooks/delivery-routes.ts';
import { subscriptionActionRoutes, subscriptionRoutes } from '../webhooks/subscription-routes.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';

/** The APIs that a listener serves; both on one unless OPERATOR_PORT separates them. */
export type Surface = 'partner' | 'operator';

/** The listener of a worker-only process: probes and metrics. */
export function buildWorkerApp(deps: Deps, timeouts: Partial<HttpTimeouts> = {}): App {
  const app = buildProbes(deps, timeouts);
  metricsRoute(app, deps.metrics, metricsGuard(deps));
  return app;
}

const metricsGuard = ({ config, authFailures, clock, watched }: Deps) => ({
  token: config.metricsToken,
  failures: authFailures,
  clock,
  watched,
});

const PROBES = new Set(['/livez', '/readyz', '/metrics']);

/** The common routes of every listener. */
function buildProbes(deps: Deps, timeouts: Partial<HttpTimeouts> = {}): App {
  const { config, logger, metrics, tracing } = deps;
  const app = createHttpApp({
    logger,
    metrics,
    tracing,
    trustedProxies: config.trustedProxies,
    requireHttps: config.requireHttps,
    docsUrl: `${config.publicUrl}/docs`,
    formats: phoneFormats,
    readerPaths: ['/docs/', '/certifications/'],
    pathHints({ method, url }, routes) {
      if (/^\/partners(?:\/|$)/.test(url))
        return [`the path begins with /v1: send it to ${config.publicUrl}/v1/partners/...`];
      return /^\/(?:v1|operator)\//.test(url) ? routeHints(routes, method, url) : [];
    },
    tellsIgnored: { '/v1/': ['api_key'], '/operator/': [], '/portal/api/': [], '/crew/api/': [] },
    isDraining: deps.isDraining,
    timeouts,
  });
  app.addHook('onRequest', (request, _reply, done) => {
    // It listens before the database is available, so that probes get a response; everything else waits for the start.
    const isStarting = deps.faults().service === 'starting' && !PROBES.has(request.routeConfig.url ?? '');
    done(isStarting ? new DatabaseUnavailableError('the service is starting') : undefined);
  });
  probeRoutes(app, deps);
  return app;
}

/** The HTTP application: an explicit list of the slices' routes. */
export function buildApp(
  deps: Deps,
  surfaces: readonly Surface[],
  timeouts: Partial<HttpTimeouts> = {},
): App {
  const { config, db, clock, plans, outbound, sealer, tracking, checkPlace } = deps;
  const app = buildProbes(deps, timeouts);
  if (servesMetrics(config, surfaces)) metricsRoute(app, deps.metrics, metricsGuard(deps));
  // Any change may be work for the workers. They are woken after the response.
  app.addHook('onResponse', (request, reply, done) => {
    const isChange = !isRead(request.method) && reply.statusCode < 400;
    if (isChange && !request.routeConfig.makesNoWork) deps.wakeups.wake();
    done();
  });

  // Certifications read the log of requests.
  const certification =
    config.deployment === 'sandbox' && deps.requestLog !== null
      ? {
          db,
          clock,
          publicUrl: config.publicUrl,
          requestLog: deps.requestLog,
          authFailures: deps.authFailures,
        }
      : null;
  if (surfaces.includes('partner')) {
    paymentRoutes(app, deps);
    customerRoutes(app, deps);
    if (certification !== null) certificationPages(app, certification);
    referenceRoutes(app, config);
    const guard = createGuard({
      keys: deps.keys,
      rateLimiter: deps.rateLimiter,
      failures: deps.authFailures,
      clock,
      sandboxDomainCheck: config.sandboxDomainCheck,
      isOwnOrigin: ownOrigins(config),
    });
    app.register(
      async (v1: App) => {
        if (deps.requestLog !== null) recordRequests(v1, deps.requestLog);
        v1.addHook('onRequest', guard);
        if (config.deployment === 'sandbox') loseAnswers(v1);
        v1.setNotFoundHandler(() => {
          throw new Error('the guard answers unknown routes');
        });
        contactRoutes(v1, { db, clock, checkPlace });
        contactDetailRoutes(v1, { db, checkPlace });
        customerExportRoutes(v1, { db, clock });
        privacyRoutes(v1, deps);
        pricingRoutes(v1, { db, clock });
        reasonRoutes(v1, { db });
        catalogueRoutes(v1, { db, clock, serviceDetailRoute: config.serviceDetailRoute });
        availabilityRoutes(v1, { db, clock, plans });
        bookingRoutes(v1, {
          db,
          clock,
          plans,
          sealer,
          tracking,
          idempotency: config.idempotency,
          docsUrl: `${config.publicUrl}/docs`,
          updateRoute: config.bookingUpdateRoute,
          hasGateway: config.payments.gateway !== 'none',
          sandboxRuns: config.deployment === 'sandbox' ? sandboxRuns : null,
          makeHold: config.deployment === 'sandbox' ? makeSandboxHold : makeHold,
        });
        seriesRoutes(v1, { db, clock, plans, sealer });
        statementRoutes(v1, { db });
        eventRoutes(v1, { db, clock, sealer, tracking });
        const webhooks = { db, sealer, clock, outbound, allowHosts: config.webhookAllowHosts };
        subscriptionRoutes(v1, webhooks);
        subscriptionActionRoutes(v1, webhooks);
        deliveryRoutes(v1, { db, clock, sealer, tracking });
        if (config.deployment === 'sandbox') simulatorRoutes(v1, { db, clock, plans, sealer, tracking });
        if (certification !== null) certificationRoutes(v1, certification);
      },
      { prefix: '/v1' },
    );
    portalPages(app, deps);
    app.register(async (portal: App) => portalRoutes(portal, deps), { prefix: '/portal/api' });
    crewPages(app, deps);
    app.register(async (crew: App) => crewRoutes(crew, deps), { prefix: '/crew/api' });
  }
  if (surfaces.includes('operator')) {
    operatorReferenceRoutes(app, config);
    consoleRoutes(app, deps);
    attentionMetrics(deps);
    const { heartbeat } = { ...TIMEOUTS, ...timeouts };
    app.register(async (operator: App) => operatorRoutes(operator, deps, heartbeat), { prefix: '/operator' });
  }
  return app;
}

/**
 * Metrics name partners and their usage, so they are not public: on the operator's port when there is one; on a
 * listener that partners reach only with METRICS_TOKEN, or openly in a sandbox.
 */
export function servesMetrics(config: Config, surfaces: readonly Surface[]): boolean {
  if (config.operatorPort !== null) return surfaces.includes('operator');
  return config.metricsToken !== null || config.deployment === 'sandbox';
}

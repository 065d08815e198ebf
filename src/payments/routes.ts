import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { ApiError, validationError } from '../base/errors.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import { chooseLanguage } from '../http/bilingual-pages.ts';
import type { App, RouteParts } from '../http/edge.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Gateways } from './gateways.ts';
import { OUTCOMES, useCheckout, viewCheckout } from './providers/checkout.ts';
import { type CheckoutView, checkoutPage } from './providers/checkout-page.ts';
import { markNotified } from './step-queries.ts';

export type PaymentRouteDeps = RouteParts & {
  logger: Logger;
  gateways: Gateways;
  authFailures: AuthFailures;
  metrics: Pick<Metrics, 'counter'>;
};

const TokenParams = Type.Object({ token: Type.String() });
const GatewayParams = Type.Object({ gateway: Type.String() });
const TokenQuery = Type.Object({ token: Type.Optional(Type.String()) });
const LanguageQuery = Type.Object({ lang: Type.Optional(Type.String()) });

/** Routes for customers' browsers and the gateway: without a key, outside `/v1`. */
export function paymentRoutes(app: App, deps: PaymentRouteDeps): void {
  // Only in a sandbox may a page report a payment.
  if (deps.gateways.find('sandbox') !== null) app.register(async (pages: App) => checkoutRoutes(pages, deps));
  app.register(async (hooks: App) => notificationRoutes(hooks, deps));
}

/**
 * The hosted page of the sandbox gateway. Unknown tokens count as failed authentications of the address; a valid link
 * is never refused because of them.
 */
function checkoutRoutes(app: App, { db, clock, logger, gateways, authFailures }: PaymentRouteDeps): void {
  // Small forms, on these routes only.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 10_000 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  type Asked = { query: { lang?: string }; headers: IncomingHttpHeaders };
  const show = async (reply: unknown, asked: Asked, view: CheckoutView): Promise<never> => {
    if (view.state === 'unknown')
      await authFailures.count(asked as FastifyRequest, reply as FastifyReply, clock.now());
    const { query, headers } = asked;
    const page = checkoutPage(view, chooseLanguage(query.lang, headers['accept-language']));
    return (reply as FastifyReply)
      .code(page.status)
      .headers(page.headers)
      .serializer((html: string) => html)
      .send(page.html) as never;
  };

  app.get(
    '/checkout/:token',
    { schema: { params: TokenParams, querystring: LanguageQuery } },
    async (request, reply) => show(reply, request, await viewCheckout(db, clock.now(), request.params.token)),
  );

  app.post(
    '/checkout/:token',
    { schema: { params: TokenParams, querystring: LanguageQuery } },
    async (request, reply) => {
      const { outcome } = (request.body ?? {}) as { outcome?: string };
      const chosen = OUTCOMES.find((known) => known === outcome);
      if (chosen === undefined)
        throw validationError([`outcome must be one of the following values: ${OUTCOMES.join(', ')}`]);
      const gateway = gateways.named('sandbox');
      const { token } = request.params;
      return show(reply, request, await useCheckout({ db, gateway, logger }, clock.now(), token, chosen));
    },
  );
}

/**
 * Notifications of gateways. A genuine one is only a hint: it makes the worker read the gateway's status at once. Those
 * about other objects are answered 2xx, because the gateway would repeat them otherwise.
 */
function notificationRoutes(app: App, deps: PaymentRouteDeps): void {
  const { db, clock, gateways, authFailures, metrics } = deps;
  const count = metrics.counter(
    'payment_notifications_total',
    'Notifications of gateways: of our links, of what is not ours (other), with a wrong token (forged)',
    'about',
  );
  const schema = { params: GatewayParams, querystring: TokenQuery };
  app.post('/payments/:gateway/notifications', { schema }, async (request, reply) => {
    const { params, query, body } = request;
    // Not only the current gateway: links of another one can still be paid.
    const gateway = gateways.find(params.gateway);
    // Callbacks have the secret in their URL instead of the body.
    const received = { ...(query.token !== undefined && { secret_token: query.token }), ...(body as object) };
    const notification = gateway?.parseNotification(received) ?? 'forged';
    if (gateway === null || notification === 'forged') {
      count('forged', 1);
      await authFailures.count(request as FastifyRequest, reply as FastifyReply, clock.now());
      throw new ApiError('UNAUTHORIZED', 'The notification is not genuine');
    }
    const payment =
      notification === 'other' ? null : await markNotified(db, clock.now(), gateway.name, notification);
    count(payment === null ? 'other' : 'link', 1);
    return { received: true };
  });
}

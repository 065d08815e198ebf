import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Clock } from '../clock.ts';
import { ApiError, validationError } from '../errors.ts';
import type { Db } from '../platform/db.ts';
import type { App } from '../platform/http.ts';
import type { Logger } from '../platform/logger.ts';
import { OUTCOMES, useCheckout, viewCheckout } from './checkout.ts';
import { type CheckoutView, checkoutPage, chooseLanguage } from './checkout-page.ts';
import type { Gateways } from './gateways.ts';
import { markNotified } from './queries.ts';

export type PaymentRouteDeps = { db: Db; clock: Clock; logger: Logger; gateways: Gateways };

const TokenParams = Type.Object({ token: Type.String() });
const GatewayParams = Type.Object({ gateway: Type.String() });
const TokenQuery = Type.Object({ token: Type.Optional(Type.String()) });
const LanguageQuery = Type.Object({ lang: Type.Optional(Type.String()) });

/** What customers' browsers and the gateway call: no key, outside `/v1`. */
export function paymentRoutes(app: App, deps: PaymentRouteDeps): void {
  app.register(async (pages: App) => checkoutRoutes(pages, deps));
  app.register(async (hooks: App) => notificationRoutes(hooks, deps));
}

/** The hosted page of the sandbox gateway. */
function checkoutRoutes(app: App, { db, clock, logger, gateways }: PaymentRouteDeps): void {
  // Forms, here only; and small ones.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 10_000 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  type Asked = { query: { lang?: string }; headers: IncomingHttpHeaders };
  const show = (reply: unknown, { query, headers }: Asked, view: CheckoutView): never => {
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
 * What a gateway tells of its links. A notification is only a hint: one that is genuine makes the worker ask the
 * gateway itself, at once. Those of links we do not know are thanked for, or the gateway would send them for ever.
 */
function notificationRoutes(app: App, { db, clock, gateways }: PaymentRouteDeps): void {
  const schema = { params: GatewayParams, querystring: TokenQuery };
  app.post('/payments/:gateway/notifications', { schema }, async ({ params, query, body }) => {
    // Not only the current one: links that another has made can still be paid.
    const gateway = gateways.find(params.gateway);
    // Calls that carry no secret of their own have it in the URL that they were told.
    const told = { ...(query.token !== undefined && { secret_token: query.token }), ...(body as object) };
    const notification = gateway?.parseNotification(told) ?? null;
    if (gateway === null || notification === null)
      throw new ApiError('UNAUTHORIZED', 'The notification is not genuine');
    await markNotified(db, clock.now(), gateway.name, notification);
    return { received: true };
  });
}

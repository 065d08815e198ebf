import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Tracking } from '../bookings/tracking.ts';
import type { Sealer } from '../db/sealing.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import { chooseLanguage } from '../http/bilingual-pages.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { namesTag, REVALIDATED, tagOf } from '../http/if-none-match.ts';
import { unknownPage, visitPage } from './page.ts';
import { findVisit } from './page-queries.ts';
import { isPageOver } from './rules.ts';

export type CustomerRouteDeps = RouteParts & {
  sealer: Sealer;
  tracking: Tracking;
  authFailures: AuthFailures;
};

const TokenParams = Type.Object({ token: Type.String() });
const LanguageQuery = Type.Object({ lang: Type.Optional(Type.String()) });

/**
 * The customer's page of a booking. Wrong, ended and withdrawn addresses are one and the same, and count as failed
 * authentications; a valid address is never refused because of them.
 */
export function customerRoutes(app: App, deps: CustomerRouteDeps): void {
  const { db, clock, sealer, tracking, authFailures } = deps;
  app.get(
    '/t/:token',
    { schema: { params: TokenParams, querystring: LanguageQuery } },
    async (request, reply) => {
      const { params, query, headers } = request;
      const now = clock.now();
      const language = chooseLanguage(query.lang, headers['accept-language']);
      const bookingId = tracking.bookingOf(params.token);
      const visit = bookingId === null ? null : await findVisit(db, bookingId);
      const page =
        visit === null || isPageOver(visit, now)
          ? unknownPage(language)
          : visitPage(sealer, now, visit, language);
      if (page.status === 404)
        await authFailures.count(request as FastifyRequest, reply as FastifyReply, now);
      const tag = tagOf(page.html);
      reply.headers({
        ...page.headers,
        ...(page.status === 200 && { etag: tag, 'cache-control': REVALIDATED }),
      });
      if (page.status === 200 && namesTag(headers['if-none-match'], tag))
        return reply.code(304).send() as never;
      return reply
        .code(page.status)
        .serializer((html: string) => html)
        .send(page.html) as never;
    },
  );
}

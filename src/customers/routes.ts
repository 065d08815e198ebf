import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { validationError } from '../base/errors.ts';
import type { Tracking } from '../bookings/tracking.ts';
import { updateContact } from '../contacts/queries.ts';
import { STOPPED_BY } from '../contacts/table.ts';
import type { Sealer } from '../db/sealing.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import { chooseLanguage, type Language } from '../http/bilingual-pages.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { namesTag, REVALIDATED, tagOf } from '../http/if-none-match.ts';
import { visitCalendar } from './calendar.ts';
import { unknownPage, type VisitPage, visitPage } from './page.ts';
import { findVisit, type VisitRow } from './page-queries.ts';
import { isPageOver } from './rules.ts';

export type CustomerRouteDeps = RouteParts & {
  sealer: Sealer;
  tracking: Tracking;
  authFailures: AuthFailures;
};

const TokenParams = Type.Object({ token: Type.String() });
const LanguageQuery = Type.Object({ lang: Type.Optional(Type.String()) });
const schema = { params: TokenParams, querystring: LanguageQuery };
type Asked = FastifyRequest & { params: { token: string }; query: { lang?: string } };

/**
 * The customer's page of a booking, its entry in a calendar, and its say in messages. Wrong, ended and withdrawn addresses
 * are one and the same, and count as failed authentications; a valid address is never refused because of them.
 */
export function customerRoutes(app: App, deps: CustomerRouteDeps): void {
  const { db, clock, sealer, tracking, authFailures } = deps;

  /** The visit of the address; null: there is none, and the request was answered so. */
  const visitOf = async (asked: Asked, reply: FastifyReply): Promise<VisitRow | null> => {
    const key = tracking.visitOf(asked.params.token);
    const visit = key === null ? null : await findVisit(db, key);
    if (visit !== null && !isPageOver(visit, clock.now())) return visit;
    await authFailures.count(asked, reply, clock.now());
    send(reply, unknownPage(chooseLanguage(asked.query.lang, asked.headers['accept-language'])));
    return null;
  };
  const languageOf = ({ query, headers }: Asked, { language }: VisitRow): Language =>
    chooseLanguage(query.lang ?? language ?? undefined, headers['accept-language']);

  app.get('/t/:token', { schema }, async (request, reply) => {
    const asked = request as unknown as Asked;
    const visit = await visitOf(asked, reply as FastifyReply);
    if (visit === null) return reply as never;
    const { token } = request.params;
    const page = visitPage(sealer, clock.now(), visit, { language: languageOf(asked, visit), token });
    const tag = tagOf(page.html);
    reply.headers({ ...page.headers, etag: tag, 'cache-control': REVALIDATED });
    if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).send() as never;
    return send(reply as FastifyReply, page) as never;
  });

  app.get('/t/:token/visit.ics', { schema }, async (request, reply) => {
    const asked = request as unknown as Asked;
    const visit = await visitOf(asked, reply as FastifyReply);
    if (visit === null) return reply as never;
    const url = tracking.shortUrlOf(visit);
    return (reply as FastifyReply)
      .headers({
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'attachment; filename="visit.ics"',
        'cache-control': 'no-store',
      })
      .serializer((text: string) => text)
      .send(visitCalendar(visit, url, clock.now(), languageOf(asked, visit))) as never;
  });

  app.register(async (forms: App) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_000 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    forms.post('/t/:token/messages', { schema }, async (request, reply) => {
      const asked = request as unknown as Asked;
      const visit = await visitOf(asked, reply as FastifyReply);
      if (visit === null) return reply as never;
      const { choice } = (request.body ?? {}) as { choice?: string };
      const stopped = STOPPED_BY.find((known) => known === choice) ?? null;
      if (stopped === null && choice !== 'SEND')
        throw validationError([
          `choice must be one of the following values: ${[...STOPPED_BY, 'SEND'].join(', ')}`,
        ]);
      await db.transaction((tx) => updateContact(tx, visit.contact_id, { messages_stopped: stopped }));
      const { token } = request.params;
      return reply.redirect(`/t/${token}?lang=${languageOf(asked, visit)}`, 303) as never;
    });
  });
}

function send(reply: FastifyReply, page: VisitPage): FastifyReply {
  return reply
    .code(page.status)
    .headers({ ...page.headers, ...(page.status === 200 && { 'cache-control': REVALIDATED }) })
    .serializer((html: string) => html)
    .send(page.html);
}

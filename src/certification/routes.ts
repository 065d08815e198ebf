import type { FastifyReply } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { notFound, orNotFound } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import type { AuthFailures } from '../http/auth-failures.ts';
import { chooseLanguage } from '../http/bilingual-pages.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { partnerRows } from '../partners/account-queries.ts';
import type { RequestLog } from '../requests/recorder.ts';
import { readCertification, startCertification, viewCertification } from './certify.ts';
import { certificationHeaders, certificationPage } from './page.ts';
import {
  CertificationParams,
  CertificationView,
  PageQuery,
  StartCertification,
  TokenParams,
} from './schema.ts';
import { certificationView } from './view.ts';

export type CertificationRouteDeps = {
  db: Db;
  clock: Clock;
  publicUrl: string;
  /** The source of the evidence; flushed before it is read. */
  requestLog: RequestLog;
  authFailures: AuthFailures;
};

/** The start of a certification, also on the pages of partners. */
export function startRoute(
  app: App,
  { db, clock, publicUrl, requestLog }: Omit<CertificationRouteDeps, 'authFailures'>,
): void {
  const route = routesOf(app, {
    tags: ['Sandbox'],
    config: { permission: 'partner_webhooks_manage' },
    inPortal: true,
  });

  route.post('/v1/partners/sandbox/certifications', {
    operationId: 'startCertification',
    summary: 'Start a certification of your integration',
    description:
      'Sandbox only. From now on the service watches your requests and what your receiver responds, and moves and ' +
      'cancels bookings that you make, with every fault that webhooks can have. Read it to see what it waits for. ' +
      'A certification that is under way is finished with what it has.',
    missing: ['Webhook subscription'],
    body: StartCertification,
    response: { data: CertificationView },
    answer: async ({ account, body }) => {
      await requestLog.flush();
      const started = await startCertification(db, clock.now(), account.partnerId, body.subscriptionId);
      return certificationView(started, publicUrl);
    },
  });
}

/** Certifications in the partners' interface; production has no such routes. */
export function certificationRoutes(app: App, deps: CertificationRouteDeps): void {
  startRoute(app, deps);
  const { db, clock, publicUrl, requestLog } = deps;
  const route = routesOf(app, {
    tags: ['Sandbox'],
    missing: ['Certification'],
    params: CertificationParams,
    config: { permission: 'partner_webhooks_manage' },
  });

  route.get('/v1/partners/sandbox/certifications/:id', {
    operationId: 'getCertification',
    summary: 'Read a certification, point by point',
    description:
      'Sandbox only. What the service does for each point, what it waits for, what it has found, and the requests ' +
      'and deliveries that show it. It is finished when every point is decided, or after a day.',
    response: { data: CertificationView },
    answer: async ({ caller, params }) => {
      await requestLog.flush();
      const found = await readCertification(db, clock.now(), caller.partnerId, params.id);
      return certificationView(found, publicUrl);
    },
  });
}

/** The page of a certification, without a key. Unknown tokens count as failed authentications. */
export function certificationPages(app: App, deps: CertificationRouteDeps): void {
  const { db, clock, publicUrl, requestLog, authFailures } = deps;
  app.get(
    '/certifications/:token',
    { schema: { params: TokenParams, querystring: PageQuery } },
    async (request, reply) => {
      await requestLog.flush();
      const found = await viewCertification(db, clock.now(), request.params.token);
      if (found === null) {
        await authFailures.count(request, reply as unknown as FastifyReply, clock.now());
        throw notFound('Certification');
      }
      const { name } = await orNotFound(partnerRows.find(db, found.row.partner_id), 'Partner');
      const language = chooseLanguage(request.query.lang, request.headers['accept-language'], 'en');
      const page = certificationPage(name, certificationView(found, publicUrl, language), language);
      return (reply as unknown as FastifyReply)
        .headers(certificationHeaders(language))
        .serializer((text: string) => text)
        .send(page) as never;
    },
  );
}

import { listCertifications, startCertification } from '../certification/certify.ts';
import {
  CertificationResponse,
  CertificationsQuery,
  CertificationsResponse,
  StartCertification,
} from '../certification/schema.ts';
import { certificationView } from '../certification/view.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import type { RequestLog } from '../requests/recorder.ts';

type PortalCertificationDeps = Pick<Deps, 'db' | 'clock' | 'config'> & { requestLog: RequestLog };

/** Certifications on the pages of a sandbox that keeps a log of requests. */
export function portalCertificationRoutes(app: App, deps: PortalCertificationDeps): void {
  const { db, clock, config, requestLog } = deps;
  app.get(
    '/sandbox/certifications',
    {
      schema: {
        operationId: 'listCertifications',
        summary: 'List the latest certifications, newest first, point by point',
        tags: ['Sandbox'],
        querystring: CertificationsQuery,
        response: { 200: CertificationsResponse },
      },
      config: { permission: 'partner_webhooks_manage' },
    },
    async ({ visitor, query }) => {
      await requestLog.flush();
      const found = await listCertifications(db, clock.now(), visitor.partnerId);
      return success(found.map((one) => certificationView(one, config.publicUrl, query.language)));
    },
  );

  app.post(
    '/sandbox/certifications',
    {
      schema: {
        operationId: 'startCertification',
        summary: 'Start a certification of your integration; one under way is finished',
        tags: ['Sandbox'],
        missing: ['Webhook subscription'],
        body: StartCertification,
        response: { 200: CertificationResponse },
      },
      config: { permission: 'partner_webhooks_manage' },
    },
    async ({ visitor, body }) => {
      await requestLog.flush();
      const started = await startCertification(db, clock.now(), visitor.partnerId, body.subscriptionId);
      return success(certificationView(started, config.publicUrl));
    },
  );
}

import { listCertifications } from '../certification/certify.ts';
import { startRoute } from '../certification/routes.ts';
import { Certifications, CertificationsQuery } from '../certification/schema.ts';
import { certificationView } from '../certification/view.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import type { RequestLog } from '../requests/recorder.ts';

type PortalCertificationDeps = RouteParts & { config: { publicUrl: string } } & {
  requestLog: RequestLog;
};

/** Certifications on the pages of a sandbox that keeps a log of requests. */
export function portalCertificationRoutes(app: App, deps: PortalCertificationDeps): void {
  const { db, clock, config, requestLog } = deps;
  const route = routesOf(app, { tags: ['Sandbox'], config: { permission: 'partner_webhooks_manage' } });

  route.get('/portal/api/sandbox/certifications', {
    operationId: 'listCertifications',
    summary: 'List the latest certifications, newest first, point by point',
    query: CertificationsQuery,
    response: { data: Certifications },
    answer: async ({ visitor, query }) => {
      await requestLog.flush();
      const found = await listCertifications(db, clock.now(), visitor.partnerId);
      return found.map((one) => certificationView(one, config.publicUrl, query.language));
    },
  });

  startRoute(app, { ...deps, publicUrl: config.publicUrl });
}

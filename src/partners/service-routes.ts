import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { EtagHeader, IfMatchHeader, ifMatchRules, STALE, tagged, wantedVersions } from '../http/if-match.ts';
import type { Deps } from '../program/deps.ts';
import { PartnerParams } from './account-schema.ts';
import { PartnerServicesResponse, PutPartnerServices } from './service-schema.ts';
import { readPartnerServices, setPartnerServices } from './services.ts';
import { partnerServicesView } from './view.ts';

/** The services that a partner may book, and its prices, in the operator's interface. */
export function operatorPartnerServiceRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/partners/:id/services',
    {
      schema: {
        operationId: 'getPartnerServices',
        summary: 'Read the services that a partner may book, with their prices',
        tags: ['Partners'],
        missing: ['Partner'],
        params: PartnerParams,
        response: { 200: PartnerServicesResponse },
        responseHeaders: EtagHeader,
      },
    },
    async ({ params }, reply) => {
      const services = await readPartnerServices(db, params.id);
      tagged(reply, services.version);
      return success(partnerServicesView(services));
    },
  );

  app.put(
    '/partners/:id/services',
    {
      schema: {
        operationId: 'putPartnerServices',
        summary: 'Replace the services that a partner may book, with their prices',
        tags: ['Partners'],
        missing: ['Partner'],
        errors: [STALE],
        params: PartnerParams,
        headers: IfMatchHeader,
        body: PutPartnerServices,
        response: { 200: PartnerServicesResponse },
        responseHeaders: EtagHeader,
      },
      config: { rules: ifMatchRules },
    },
    async (request, reply) => {
      const { actor, params, body } = request;
      const input = { ...body, partnerId: params.id, wantedVersions: wantedVersions(request) };
      const services = await db.transaction((tx) => setPartnerServices(tx, clock.now(), actor, input));
      tagged(reply, services.version);
      return success(partnerServicesView(services));
    },
  );
}

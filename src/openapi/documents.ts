import type { RouteOptions } from 'fastify';
import { deliveries } from './deliveries.ts';
import type { OpenApiDocument } from './document.ts';
import { openApiDocument } from './generator.ts';
import { operatorInterface } from './operator-interface.ts';
import { partnerInterface } from './partner-interface.ts';
import { portalInterface } from './portal-interface.ts';

/**
 * The OpenAPI documents of the interfaces. They are committed (openapi/partner.json, operator.json, portal.json) and made by
 * scripts/print-openapi.ts; nothing here runs in a service.
 */

/** openapi/partner.json: the partners' operations and the webhooks they receive. */
export function partnerDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  const { components, ...document } = openApiDocument(routes, partnerInterface);
  return { ...document, webhooks: deliveries(components.schemas), components };
}

/** openapi/operator.json. */
export function operatorDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  return openApiDocument(routes, operatorInterface);
}

/** openapi/portal.json: what the pages of the portal ask. */
export function portalDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  return openApiDocument(routes, portalInterface);
}

import type { RouteOptions } from 'fastify';
import { crewInterface } from './crew-interface.ts';
import { deliveries } from './deliveries.ts';
import type { OpenApiDocument } from './document.ts';
import { openApiDocument } from './generator.ts';
import { operatorInterface } from './operator-interface.ts';
import { partnerInterface } from './partner-interface.ts';
import { portalInterface } from './portal-interface.ts';

/**
 * The OpenAPI documents of the APIs. They are committed (openapi/partner.json, operator.json, portal.json, crew.json) and printed
 * by scripts/print-openapi.ts; no service runs this.
 */

/** openapi/partner.json: the partners' operations and their webhooks. */
export function partnerDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  const { components, ...document } = openApiDocument(routes, partnerInterface);
  return { ...document, webhooks: deliveries(components.schemas), components };
}

/** openapi/operator.json. */
export function operatorDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  return openApiDocument(routes, operatorInterface);
}

/** openapi/portal.json: the API of the portal's pages. */
export function portalDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  return openApiDocument(routes, portalInterface);
}

/** openapi/crew.json: the API of the crew's page. */
export function crewDocument(routes: readonly RouteOptions[]): OpenApiDocument {
  return openApiDocument(routes, crewInterface);
}

import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { createLink, linkView, listLinks, revokeLink } from './links.ts';
import { CreateLink, Link, LinkParams, Links, LinksQuery, LinkWithUrl, PartnerParams } from './schema.ts';

/** Links to the portal in the operator's interface. */
export function portalOperatorRoutes(
  app: App,
  { db, clock, config }: RouteParts & { config: { publicUrl: string } },
): void {
  const route = routesOf(app, { tags: ['Portal'], missing: ['Partner'], params: PartnerParams });

  route.get('/operator/partners/:id/portal-links', {
    operationId: 'listPortalLinks',
    summary: "List the links to the portal of a partner's developers, newest first",
    query: LinksQuery,
    response: { page: Links },
    answer: async ({ params, query }) =>
      pageOf(await listLinks(db, params.id, query), (row) => linkView(row, clock.now())),
  });

  route.post('/operator/partners/:id/portal-links', {
    operationId: 'createPortalLink',
    summary: "Make a link by which a partner's developer signs in to the portal once",
    description:
      'Send the link to one person: whoever opens it first is signed in, for 8 hours, with all that the ' +
      'partner may see, and may retry deliveries and send test events unless it is `readOnly`.',
    body: CreateLink,
    status: 201,
    response: { data: LinkWithUrl },
    answer: async ({ actor, params, body }) => {
      const now = clock.now();
      const input = { ...body, partnerId: params.id };
      const { row, token } = await db.transaction((tx) => createLink(tx, now, actor, input));
      return { ...linkView(row, now), url: `${config.publicUrl}/portal#link=${token}` };
    },
  });

  route.delete('/operator/portal-links/:id', {
    operationId: 'revokePortalLink',
    summary: 'Revoke a link to the portal and end the session that was opened with it',
    missing: ['Portal link'],
    errors: [noMove('The link has expired: it opens nothing any more')],
    params: LinkParams,
    response: { data: Link },
    answer: async ({ actor, params }) => {
      const now = clock.now();
      return linkView(await db.transaction((tx) => revokeLink(tx, now, actor, params.id)), now);
    },
  });
}

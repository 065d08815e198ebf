import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { createLink, linkView, listLinks, revokeLink } from './links.ts';
import {
  CreateLink,
  LinkParams,
  LinkResponse,
  LinksQuery,
  LinksResponse,
  LinkWithUrlResponse,
  PartnerParams,
} from './schema.ts';

/** Links to the portal in the operator's interface. */
export function portalOperatorRoutes(
  app: App,
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
): void {
  app.get(
    '/partners/:id/portal-links',
    {
      schema: {
        operationId: 'listPortalLinks',
        summary: "List the links to the portal of a partner's developers, newest first",
        tags: ['Portal'],
        missing: ['Partner'],
        params: PartnerParams,
        querystring: LinksQuery,
        response: { 200: LinksResponse },
      },
    },
    async ({ params, query }) =>
      successPage(query, await listLinks(db, params.id, query), (row) => linkView(row, clock.now())),
  );

  app.post(
    '/partners/:id/portal-links',
    {
      schema: {
        operationId: 'createPortalLink',
        summary: "Make a link by which a partner's developer signs in to the portal once",
        description:
          'Send the link to one person: whoever opens it first is signed in, for 8 hours, with all that the ' +
          'partner may see, and may retry deliveries and send test events unless it is `readOnly`.',
        tags: ['Portal'],
        missing: ['Partner'],
        params: PartnerParams,
        body: CreateLink,
        response: { 201: LinkWithUrlResponse },
      },
    },
    async ({ actor, params, body }, reply) => {
      const now = clock.now();
      const input = { ...body, partnerId: params.id };
      const { row, token } = await db.transaction((tx) => createLink(tx, now, actor, input));
      reply.code(201);
      return success({ ...linkView(row, now), url: `${config.publicUrl}/portal#link=${token}` });
    },
  );

  app.delete(
    '/portal-links/:id',
    {
      schema: {
        operationId: 'revokePortalLink',
        summary: 'Revoke a link to the portal and end the session that was opened with it',
        tags: ['Portal'],
        missing: ['Portal link'],
        errors: [
          {
            code: 'INVALID_TRANSITION',
            message: 'The link has expired: it opens nothing any more',
            details: {},
          },
        ],
        params: LinkParams,
        response: { 200: LinkResponse },
      },
    },
    async ({ actor, params }) => {
      const now = clock.now();
      return success(linkView(await db.transaction((tx) => revokeLink(tx, now, actor, params.id)), now));
    },
  );
}

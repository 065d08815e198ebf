import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import type { PhoneHash } from '../privacy/rules.ts';
import type { Logger } from '../runtime/logger.ts';
import { readAttention } from './attention.ts';
import { Attention, AttentionQuery } from './attention-schema.ts';

/** Problems that need attention. */
export function attentionRoutes(
  app: App,
  deps: RouteParts & { sealer: Sealer; phoneHash: PhoneHash; logger: Logger },
): void {
  const { db, clock } = deps;
  const route = routesOf(app, { tags: ['Appointments'] });

  route.get('/operator/attention', {
    operationId: 'getAttention',
    summary: 'Read what needs attention: counts, and the first of each',
    description:
      'Of each concern `list` is the list with the filters that lead to all of them; its rows are in the order of ' +
      'that list.',
    query: AttentionQuery,
    response: { data: Attention },
    answer: async ({ query }) => await readAttention(db, deps, clock.now(), query),
  });
}

import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { readAttention } from './attention.ts';
import { AttentionQuery, AttentionResponse } from './attention-schema.ts';

/** Problems that need attention. */
export function attentionRoutes(
  app: App,
  deps: Pick<Deps, 'db' | 'clock' | 'sealer' | 'phoneHash' | 'logger'>,
): void {
  const { db, clock } = deps;
  app.get(
    '/attention',
    {
      schema: {
        operationId: 'getAttention',
        summary: 'Read what needs attention: counts, and the first of each',
        description:
          'Of each concern `list` is the list with the filters that lead to all of them; its rows are in the order of ' +
          'that list.',
        tags: ['Appointments'],
        querystring: AttentionQuery,
        response: { 200: AttentionResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => success(await readAttention(db, deps, clock.now(), query)),
  );
}

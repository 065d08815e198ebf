import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { readBoard } from './board.ts';
import { BoardQuery, BoardResponse } from './schema.ts';

/** The day of the teams in the operator's interface. */
export function operatorBoardRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.get(
    '/board',
    {
      schema: {
        operationId: 'getBoard',
        summary: 'Read the day of the teams: shifts, time off and appointments',
        tags: ['Appointments'],
        missing: ['Zone'],
        querystring: BoardQuery,
        response: { 200: BoardResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => success(await readBoard(db, query)),
  );
}

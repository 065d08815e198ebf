import type { Deps } from '../deps.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { readBoard } from './operator-board.ts';
import { BoardQuery, BoardResponse } from './operator-board-schema.ts';

/** The day of the teams in the operator's interface. */
export function operatorBoardRoutes(app: App, { db }: Deps): void {
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

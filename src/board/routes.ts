import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { readBoard } from './board.ts';
import { Board, BoardQuery } from './schema.ts';

/** The day of the teams in the operator's interface. */
export function operatorBoardRoutes(app: App, { db }: { db: Db }): void {
  const route = routesOf(app, { tags: ['Appointments'] });

  route.get('/operator/board', {
    operationId: 'getBoard',
    summary: 'Read the day of the teams: shifts, time off and appointments',
    missing: ['Zone'],
    query: BoardQuery,
    response: { data: Board },
    answer: async ({ query }) => await readBoard(db, query),
  });
}

import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { readBoard } from './board.ts';
import { Board, BoardQuery } from './schema.ts';

/** The day of the teams in the operator's interface. */
export function operatorBoardRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Appointments'] });

  route.get('/operator/board', {
    operationId: 'getBoard',
    summary: 'Read the day of the teams: shifts, time off, appointments and slots that customers hold',
    missing: ['Zone'],
    query: BoardQuery,
    response: { data: Board },
    answer: async ({ query }) => await readBoard(db, clock.now(), query),
  });
}

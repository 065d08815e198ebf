import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { STATEMENT_FILES, sendFile } from './file-routes.ts';
import { listStatements } from './queries.ts';
import { OwnStatement, OwnStatementsQuery, StatementParams } from './schema.ts';
import { readStatement } from './statements.ts';
import { ownStatementView } from './view.ts';

/** A partner's issued statements, also on the partner's pages. */
export function statementRoutes(app: App, { db }: { db: Db }): void {
  const route = routesOf(app, {
    tags: ['Statements'],
    missing: ['Statement'],
    params: StatementParams,
    config: { permission: 'partner_statements_read' },
    inPortal: true,
  });

  route.get('/v1/partners/statements', {
    operationId: 'listStatements',
    summary: 'List your statements, the newest month first',
    description:
      'What you owe for a month, as it was issued: it never changes. What changed later is on the next one.',
    query: OwnStatementsQuery,
    response: { page: OwnStatement },
    answer: async ({ account: { partnerId }, query }) =>
      pageOf(await listStatements(db, { ...query, partnerId, status: 'ISSUED' }), ownStatementView),
  });

  route.get('/v1/partners/statements/:statementId', {
    operationId: 'getStatement',
    summary: 'Read a statement',
    response: { data: OwnStatement },
    answer: async ({ account, params }) =>
      ownStatementView(await readStatement(db, params.statementId, account.partnerId)),
  });

  for (const { format, name, ...file } of STATEMENT_FILES) {
    route.get(`/v1/partners/statements/:statementId/${name}`, {
      ...file,
      answer: async ({ account, params }, reply) =>
        sendFile(reply, db, await readStatement(db, params.statementId, account.partnerId), format),
    });
  }
}

import { readOperatorBooking } from '../dispatch/bookings.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { noMove, routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { checkStatements } from './check.ts';
import { STATEMENT_FILES, sendFile } from './file-routes.ts';
import { findSettings, listLinesOf, listStatements, pageOfLines } from './queries.ts';
import {
  Account,
  BookingLine,
  Check,
  CreateDraft,
  Line,
  LinesQuery,
  MarkPaid,
  SaveAccount,
  SaveSettings,
  Settings,
  Statement,
  StatementsQuery,
} from './schema.ts';
import { saveAccount, saveSettings } from './settings.ts';
import { issueStatement, makeDraft, markPaid, NOT_ISSUED, readAccount, readStatement } from './statements.ts';
import { accountView, bookingLineView, lineView, settingsView, statementView } from './view.ts';

const outOfOrder = (month: string) =>
  noMove('An earlier month is to be issued first', {
    month,
    hints: [`make and issue the statement of ${month}`],
  });
const DRAFT = noMove(NOT_ISSUED.message, { hints: [NOT_ISSUED.hint] });

/** Statements in the operator's interface. */
export function statementOperatorRoutes(app: App, deps: RouteParts): void {
  settingsRoutes(app, deps);
  const { db, clock } = deps;
  const route = routesOf(app, { tags: ['Statements'], missing: ['Statement'], params: IdParams });

  route.get('/operator/statements', {
    operationId: 'listStatements',
    summary: 'List statements, the newest month first',
    query: StatementsQuery,
    response: { page: Statement },
    answer: async ({ query }) => pageOf(await listStatements(db, query), statementView),
  });

  route.post('/operator/statements', {
    operationId: 'createStatement',
    summary: "Make the draft of a partner's statement for a month anew",
    description:
      'What would be on it now: each booking’s sum minus what earlier statements told of it. Months are issued in order.',
    missing: ['Statement account'],
    errors: [outOfOrder('2026-10')],
    body: CreateDraft,
    config: { role: 'dispatcher' },
    status: 201,
    response: { data: Statement },
    answer: async ({ actor, body }) => statementView(await makeDraft(db, clock.now(), actor, body)),
  });

  route.get('/operator/statements/check', {
    operationId: 'checkStatements',
    summary: 'Check that issued statements and bookings add up',
    description: 'Reads all bookings of partners that get statements: some seconds for a hundred thousand.',
    response: { data: Check },
    answer: () => checkStatements(db, clock.now()),
  });

  route.get('/operator/statements/:id', {
    operationId: 'getStatement',
    summary: 'Read a statement or a draft',
    response: { data: Statement },
    answer: async ({ params }) => statementView(await readStatement(db, params.id)),
  });

  route.get('/operator/statements/:id/lines', {
    operationId: 'listStatementLines',
    summary: 'List the lines of a statement or a draft',
    query: LinesQuery,
    response: { page: Line },
    answer: async ({ params, query }) => {
      const { id } = await readStatement(db, params.id);
      return pageOf(await pageOfLines(db, id, query), lineView);
    },
  });

  for (const { format, name, ...file } of STATEMENT_FILES) {
    route.get(`/operator/statements/:id/${name}`, {
      ...file,
      errors: [DRAFT],
      answer: async ({ params }, reply) => sendFile(reply, db, await readStatement(db, params.id), format),
    });
  }

  route.post('/operator/statements/:id/issue', {
    operationId: 'issueStatement',
    summary: 'Issue the statement of a draft: it never changes again',
    description:
      'Valued now, for visits up to the last day of its month, which must be over. Repeated, it returns what was issued.',
    errors: [
      outOfOrder('2026-09'),
      noMove('The month is not over', { hints: ['issue it after its last day'] }),
      noMove('There is nothing on the statement', { hints: ['a month without lines has none'] }),
    ],
    response: { data: Statement },
    answer: async ({ actor, params }) =>
      statementView(await issueStatement(db, clock.now(), actor, params.id)),
  });

  route.post('/operator/statements/:id/paid', {
    operationId: 'markStatementPaid',
    summary: 'Mark a statement as paid, or as not paid after all',
    errors: [noMove('A draft cannot be paid', { hints: ['issue it first'] })],
    body: MarkPaid,
    response: { data: Statement },
    answer: async ({ actor, params, body }) =>
      statementView(await markPaid(db, clock.now(), actor, { ...body, id: params.id })),
  });

  route.get('/operator/bookings/:id/statement-lines', {
    operationId: 'listBookingStatementLines',
    summary: 'List what issued statements told of a booking, the oldest first',
    missing: ['Booking'],
    response: { list: BookingLine },
    answer: async ({ params }) => {
      const { row } = await readOperatorBooking(db, params.id);
      return (await listLinesOf(db, row.id)).map(bookingLineView);
    },
  });
}

function settingsRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Statements'], missing: ['Statement account'], params: IdParams });

  route.get('/operator/statement-settings', {
    operationId: 'getStatementSettings',
    summary: 'Read who issues statements, and the VAT in prices',
    response: { data: Settings },
    answer: async () => settingsView(await findSettings(db)),
  });

  route.put('/operator/statement-settings', {
    operationId: 'saveStatementSettings',
    summary: 'Set who issues statements, and the VAT in prices',
    description: 'Whole. What was told keeps the rate and category that it was told with.',
    body: SaveSettings,
    response: { data: Settings },
    answer: ({ actor, body }) => saveSettings(db, clock.now(), actor, body),
  });

  route.get('/operator/partners/:id/statement-account', {
    operationId: 'getStatementAccount',
    summary: 'Read who a partner is on its statements',
    response: { data: Account },
    answer: async ({ params }) => accountView(await readAccount(db, params.id)),
  });

  route.put('/operator/partners/:id/statement-account', {
    operationId: 'saveStatementAccount',
    summary: 'Set who a partner is on its statements, and when they begin',
    missing: ['Partner'],
    errors: [
      noMove('A statement is issued: openedOn stays', {
        openedOn: '2026-10-01',
        hints: ['send openedOn as it was'],
      }),
    ],
    body: SaveAccount,
    response: { data: Account },
    answer: async ({ actor, params, body }) =>
      accountView(await saveAccount(db, clock.now(), actor, { ...body, partnerId: params.id })),
  });
}

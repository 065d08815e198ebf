import Type, { type Static } from 'typebox';
import { parseOffsetDateTime, toRiyadhIso } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { paging, successPage } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';
import { PageQuery, Stamp, SuccessPage, Text, Uuid } from '../platform/schemas.ts';
import { type AuditFilter, type AuditRow, listAuditRows } from './audit-queries.ts';

const { Optional } = Type;

const AuditQuery = Type.Object({
  actor: Optional(Text('Exactly this actor', 'operator:first-token')),
  action: Optional(Text('Exactly this action', 'partner.create')),
  target: Optional(Text('Exactly this target', 'partner:5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10')),
  search: Optional(Text('A part of the action or the target, whatever its case', 'partner')),
  from: Optional(Stamp('From this instant on')),
  to: Optional(Stamp('Before this instant')),
  ...PageQuery,
});
type AuditQuery = Static<typeof AuditQuery>;

const Resource = (description: string) =>
  Type.Unsafe<unknown>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
    examples: [null],
  });

const AuditEntry = Type.Object(
  {
    id: Uuid('Entry'),
    at: Stamp(),
    actor: Text('Who did it', 'operator:first-token'),
    action: Text('What was done', 'partner.create'),
    target: Text('What it was done to', 'partner:5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'),
    before: Resource('The resource before; null: there was none'),
    after: Resource('The resource after; null: there is none'),
  },
  { title: 'AuditEntry' },
);

/** What operators did. */
export function auditRoutes(app: App, { db }: Deps): void {
  app.get(
    '/audit',
    {
      schema: {
        operationId: 'listAudit',
        summary: 'List what operators did, newest first',
        tags: ['Audit'],
        querystring: AuditQuery,
        response: { 200: SuccessPage(AuditEntry) },
      },
    },
    async ({ query }) =>
      successPage(query, await listAuditRows(db, filterOf(query), paging(query)), auditView),
  );
}

function filterOf({ from, to, ...texts }: AuditQuery): AuditFilter {
  return {
    ...texts,
    ...(from !== undefined && { from: recordable(from) }),
    ...(to !== undefined && { to: recordable(to) }),
  };
}

function auditView(row: AuditRow) {
  return { ...row, at: toRiyadhIso(row.at) };
}

/** The instant, brought into the years in which there can be records: the database knows neither year 0 nor 10000. */
function recordable(text: string): number {
  return Math.min(Math.max(parseOffsetDateTime(text)!, Date.UTC(2000, 0, 1)), Date.UTC(2101, 0, 1));
}

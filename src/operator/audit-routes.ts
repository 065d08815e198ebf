import Type, { type Static } from 'typebox';
import { parseOffsetDateTime, toRiyadhIso } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { pageOf, paging } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { Nullable, PageQuery, SortQuery, Stamp, Text, Uuid } from '../http/schemas.ts';
import { idsMeantBy } from './audit.ts';
import { AUDIT_ORDERS, type AuditFilter, listAuditRows, type NamedAuditRow } from './audit-queries.ts';

const { Optional } = Type;

const AuditQuery = Type.Object({
  actor: Optional(Text('Filter by actor: as in the log, or a name', 'operator:first-token')),
  action: Optional(Text('Filter by action (exact match)', 'partner.create')),
  target: Optional(
    Text(
      'Filter by target: as in the log, of a booking with its visit; or a name, reference or phone',
      'SA-0042',
    ),
  ),
  groupId: Optional(Uuid('Filter by group: what one request did to several resources')),
  search: Optional(
    Text('Part of the action or the target, or what the entry names: names, references, phones', 'SA-0042'),
  ),
  from: Optional(Stamp('At or after this time')),
  to: Optional(Stamp('Before this time')),
  ...SortQuery(AUDIT_ORDERS, 'DESC'),
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
    actor: Text('Who made the change', 'operator:first-token'),
    actorName: Nullable(
      Text(
        'Name that its token or its team has now; null: the actor is none, or it was removed',
        'Dispatch desk',
      ),
    ),
    action: Text('Action', 'partner.create'),
    target: Text('Target of the action', 'partner:5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'),
    holderName: Nullable(
      Text('Of tokens, links and sessions the name that the token has now; null: of no token', 'Front desk'),
    ),
    targetName: Nullable(
      Text(
        'Name, reference or customer that the target has now, else its team or partner; null: none',
        'SA-0042',
      ),
    ),
    before: Resource('The resource before the change; null: it did not exist'),
    after: Resource('The resource after the change; null: it does not exist'),
    groupId: Nullable(Uuid('What the entries of one request have in common; null: it changed one resource')),
  },
  { title: 'AuditEntry' },
);

/** The audit log. */
export function auditRoutes(app: App, { db }: { db: Db }): void {
  const route = routesOf(app, { tags: ['Audit'] });

  route.get('/operator/audit', {
    operationId: 'listAudit',
    summary: 'List what operators did, newest first',
    query: AuditQuery,
    response: { page: AuditEntry },
    answer: async ({ query, role }) => {
      const idsOf = (text?: string) => idsMeantBy(db, text, role === 'viewer');
      const { actor, target, search } = query;
      const ids = { actor: await idsOf(actor), target: await idsOf(target), search: await idsOf(search) };
      return pageOf(await listAuditRows(db, { ...filterOf(query), ids }, paging(query)), auditView);
    },
  });
}

function filterOf({ from, to, ...texts }: AuditQuery): Omit<AuditFilter, 'ids'> {
  return {
    ...texts,
    ...(from !== undefined && { from: recordable(from) }),
    ...(to !== undefined && { to: recordable(to) }),
  };
}

function auditView(row: NamedAuditRow) {
  return {
    id: row.id,
    at: toRiyadhIso(row.at),
    actor: row.actor,
    actorName: row.actor_name,
    action: row.action,
    target: row.target,
    holderName: row.holder_name,
    targetName: row.target_name,
    before: row.before,
    after: row.after,
    groupId: row.group_id,
  };
}

/** Clamps the instant to the years of records: PostgreSQL accepts neither year 0 nor 10000. */
function recordable(text: string): number {
  return Math.min(Math.max(parseOffsetDateTime(text)!, Date.UTC(2000, 0, 1)), Date.UTC(2101, 0, 1));
}

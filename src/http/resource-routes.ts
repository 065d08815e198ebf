import type { FastifySchema } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Instant } from '../base/clock.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import type { App, RouteParts } from './edge.ts';
import { pageOf, removed } from './envelope.ts';
import type { WantedVersions } from './if-match.ts';
import { inUse, routesOf } from './routes.ts';
import { IdParams, Removed } from './schemas.ts';

type Change<Changes> = { id: string; changes: Changes; wanted: WantedVersions };

/** A resource that the operator keeps, with its use cases. Changes are in its `view`. */
type Kept<Row, Changed extends Row, Query extends TSchema, New extends TSchema, Changes extends TSchema> = {
  path: string;
  tags: readonly string[];
  /** As in its refusals: `Pricing tier`. */
  name: string;
  plural: string;
  /** As in operation IDs; by default from the name. */
  operations?: { one: string; many: string };
  /** Refusals of its creation and its changes. */
  errors?: FastifySchema['errors'];
  /** An example of what keeps it from removal; absent: nothing does. */
  usedBy?: Record<string, number>;
  /** It has an ETag, and changes obey If-Match. */
  versioned?: true;
  query: Query;
  shown: TSchema;
  given: New;
  changes: Changes;
  /** Of a change, if it answers otherwise. */
  changed?: { summary: string; shown: TSchema; view(row: Changed): unknown };
  view(row: Row): unknown;
  list(db: Queryable, query: Static<Query>): Promise<Page<Row>>;
  read(db: Queryable, id: string): Promise<Row>;
  create(tx: Tx, now: Instant, actor: string, input: Static<New>): Promise<Row>;
  update(tx: Tx, now: Instant, actor: string, change: Change<Static<Changes>>): Promise<Changed>;
  remove(db: Db, now: Instant, actor: string, id: string): Promise<{ id: string }>;
};

/** `Pricing tier` becomes `PricingTier`. */
const joined = (words: string): string => words.replaceAll(/ (\w)/g, (_, letter) => letter.toUpperCase());

/** The routes that list, create, read, update and remove the resource. */
export function resourceRoutes<
  Row,
  Changed extends Row,
  Query extends TSchema,
  New extends TSchema,
  Changes extends TSchema,
>(app: App, { db, clock }: RouteParts, kept: Kept<Row, Changed, Query, New, Changes>): void {
  const { path, name, plural, errors = [], versioned, shown, view } = kept;
  const { one, many } = kept.operations ?? { one: joined(name), many: joined(plural) };
  const noun = name.toLowerCase();
  const route = routesOf(app, { tags: kept.tags, missing: [name], params: IdParams });
  const response = { data: shown } as { data: TSchema };
  const etag = versioned && { etag: true as never };

  route.get(path, {
    operationId: `list${many}`,
    summary: `List ${plural.toLowerCase()}`,
    query: kept.query,
    response: { page: shown },
    answer: async ({ query }) => pageOf(await kept.list(db, query as Static<Query>), view),
  });

  route.post(path, {
    operationId: `create${one}`,
    summary: `Create a ${noun}`,
    errors,
    body: kept.given,
    status: 201,
    ...etag,
    response,
    answer: async ({ actor, body }) =>
      view(await db.transaction((tx) => kept.create(tx, clock.now(), actor, body as Static<New>))),
  });

  route.get(`${path}/:id`, {
    operationId: `get${one}`,
    summary: `Read a ${noun}`,
    ...etag,
    response,
    answer: async ({ params }) => view(await kept.read(db, params.id)),
  });

  const { changed = { summary: `Update a ${noun}`, shown, view } } = kept;
  route.patch(`${path}/:id`, {
    operationId: `update${one}`,
    summary: changed.summary,
    errors,
    body: kept.changes,
    ...(versioned && { ifMatch: versioned }),
    ...etag,
    response: { data: changed.shown },
    answer: async ({ actor, params, body, wanted }) => {
      const change = { id: params.id, changes: body as Static<Changes>, wanted };
      return changed.view(await db.transaction((tx) => kept.update(tx, clock.now(), actor, change)));
    },
  });

  const { usedBy } = kept;
  route.delete(`${path}/:id`, {
    operationId: `remove${one}`,
    summary: usedBy === undefined ? `Remove a ${noun}` : `Remove an unused ${noun}`,
    ...(usedBy && { errors: [inUse(noun, usedBy)] }),
    response: { data: Removed },
    answer: async ({ actor, params }) => removed(await kept.remove(db, clock.now(), actor, params.id)),
  });
}

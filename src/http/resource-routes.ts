import type { FastifySchema } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Instant } from '../base/clock.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import type { App, RouteParts } from './edge.ts';
import { pageOf, removed } from './envelope.ts';
import { EtagHeader, tagged, type WantedVersions } from './if-match.ts';
import { inUse, routesOf } from './routes.ts';
import { IdParams, Removed } from './schemas.ts';

type Change<Changes> = { id: string; changes: Changes; wanted: WantedVersions };

type Asked = { preview?: 'true' | 'false'; expect?: string };
type Told<Row, Hit> = { row: Row; hit: Hit[]; told: { isApplied: boolean } };

/** Changes with what they do to sold visits: `hit` for the view, `told` beside it. */
type Previewed<Row, Hit> = {
  query: TSchema;
  errors: NonNullable<FastifySchema['errors']>;
  change(db: Db, now: Instant, asked: Asked & { id: string }, work: Work<Row>): Promise<Told<Row, Hit>>;
};
type Work<Row> = (tx: Tx) => Promise<Row>;

const PREVIEW =
  'With `preview` or `expect` the response says in `conflicts` which sold appointments the change puts out of place, and whom to ' +
  'call; with `preview=true` nothing is kept.';

/** A resource that the operator keeps, with its use cases. Changes are in its `view`. */
type Kept<Row, Hit, Query extends TSchema, New extends TSchema, Changes extends TSchema> = {
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
  /** Its changes can be previewed. */
  previewed?: Previewed<Row, Hit>;
  /** Of a change, if it answers otherwise. A `view` has the visits that are hit also when the client does not ask. */
  changed?: { summary?: string; shown: TSchema; view?(row: Row, hit: Hit[]): unknown };
  view(row: Row, now: Instant): unknown;
  list(db: Queryable, query: Static<Query>): Promise<Page<Row>>;
  read(db: Queryable, id: string): Promise<Row>;
  create(tx: Tx, now: Instant, actor: string, input: Static<New>): Promise<Row>;
  update(tx: Tx, now: Instant, actor: string, change: Change<Static<Changes>>): Promise<Row>;
  remove(db: Db, now: Instant, actor: string, id: string): Promise<{ id: string }>;
};

/** `Pricing tier` becomes `PricingTier`. */
const joined = (words: string): string => words.replaceAll(/ (\w)/g, (_, letter) => letter.toUpperCase());

/** The routes that list, create, read, update and remove the resource. */
export function resourceRoutes<Row, Hit, Query extends TSchema, New extends TSchema, Changes extends TSchema>(
  app: App,
  { db, clock }: RouteParts,
  kept: Kept<Row, Hit, Query, New, Changes>,
): void {
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
    answer: async ({ query }) =>
      pageOf(await kept.list(db, query as Static<Query>), (row) => view(row, clock.now())),
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
      view(
        await db.transaction((tx) => kept.create(tx, clock.now(), actor, body as Static<New>)),
        clock.now(),
      ),
  });

  route.get(`${path}/:id`, {
    operationId: `get${one}`,
    summary: `Read a ${noun}`,
    ...etag,
    response,
    answer: async ({ params }) => view(await kept.read(db, params.id), clock.now()),
  });

  const { previewed, changed = { shown } } = kept;
  route.patch(`${path}/:id`, {
    operationId: `update${one}`,
    summary: changed.summary ?? `Update a ${noun}`,
    ...(previewed && { description: PREVIEW, query: previewed.query }),
    errors: [...errors, ...(previewed?.errors ?? [])],
    body: kept.changes,
    ...(versioned && { ifMatch: versioned, responseHeaders: EtagHeader }),
    response: { data: changed.shown },
    answer: async ({ actor, params, body, query, wanted }, reply) => {
      const now = clock.now();
      const change = { id: params.id, changes: body as Static<Changes>, wanted };
      const work = (tx: Tx) => kept.update(tx, now, actor, change);
      const isAsked = Object.keys(query as Asked).length > 0;
      const { row, hit, told } =
        previewed !== undefined && (isAsked || changed.view !== undefined)
          ? await previewed.change(db, now, { ...(query as Asked), id: params.id }, work)
          : { row: await db.transaction(work), hit: [], told: { isApplied: true } };
      if (versioned && told.isApplied) tagged(reply, (row as { version: number }).version);
      const answered = changed.view?.(row, hit) ?? view(row, now);
      return { ...(answered as object), ...(isAsked && told) };
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

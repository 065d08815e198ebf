import type { Instant } from '../base/clock.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Tx } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import type { FoundSeries } from './queries.ts';
import { OPERATIONS, type SeriesParts, seriesDeps } from './routes.ts';
import { OperatorSeries, SeriesParams, SeriesQuery, SeriesVisitParams } from './schema.ts';
import {
  listForOperator,
  placeSeriesVisit,
  readForOperator,
  type SeriesChange,
  updateSeries,
  withdrawSeries,
} from './series.ts';

/** Series of all partners in the operator's interface. The operator's cancellations cost nothing. */
export function seriesOperatorRoutes(app: App, parts: SeriesParts): void {
  const { db, clock } = parts;
  const deps = seriesDeps(parts);
  const route = routesOf(app, { tags: ['Series'], missing: ['Series'], params: SeriesParams });
  const config = { role: 'dispatcher' as const };
  const response = { data: OperatorSeries };

  /** The change by the operator, with its audit row. */
  const changeBy = (
    now: Instant,
    actor: Actor,
    seriesId: string,
    { action, ...more }: { action: string } & Record<string, unknown>,
  ): SeriesChange => ({
    key: { id: seriesId, partnerId: null },
    by: actor,
    record: (tx: Tx, { id, partner_id: partnerId }: FoundSeries) =>
      audit(tx, now, { actor, action, target: `series:${id}`, after: { partnerId, ...more } }),
  });

  /** Ends dates by the operator; the series after it. */
  async function withdrawn(
    actor: Actor,
    seriesId: string,
    audited: { action: string } & Record<string, unknown>,
    input: Parameters<typeof withdrawSeries>[3],
  ): Promise<OperatorSeries> {
    const now = clock.now();
    const change = changeBy(now, actor, seriesId, audited);
    const { changes } = await withdrawSeries(deps, now, change, input);
    return readForOperator(deps, now, seriesId, changes);
  }

  route.get('/operator/series', {
    operationId: 'listSeries',
    summary: "List all partners' series, the newest first",
    query: SeriesQuery,
    response: { page: OperatorSeries },
    answer: ({ query }) => listForOperator(db, clock.now(), query),
  });

  route.get('/operator/series/:seriesId', {
    operationId: 'getSeries',
    summary: 'Read a series with its visits',
    response,
    answer: ({ params }) => readForOperator(deps, clock.now(), params.seriesId),
  });

  route.patch('/operator/series/:seriesId', {
    operationId: 'updateSeries',
    ...OPERATIONS.update,
    config,
    response,
    answer: async ({ actor, params, body }) => {
      const now = clock.now();
      const { notes: _notes, instructions: _instructions, accessCode: _code, ...change } = body;
      const { changes } = await updateSeries(
        deps,
        now,
        changeBy(now, actor, params.seriesId, { action: 'series.update', ...change }),
        body,
      );
      return readForOperator(deps, now, params.seriesId, changes);
    },
  });

  route.post('/operator/series/:seriesId/visits/:index/place', {
    operationId: 'placeSeriesVisit',
    ...OPERATIONS.place,
    params: SeriesVisitParams,
    config,
    response,
    answer: async ({ actor, params, body }) => {
      const now = clock.now();
      const index = Number(params.index);
      const change = changeBy(now, actor, params.seriesId, { action: 'series.place', index, ...body });
      await placeSeriesVisit(deps, now, change, { ...body, index });
      return readForOperator(deps, now, params.seriesId);
    },
  });

  route.post('/operator/series/:seriesId/visits/:index/skip', {
    operationId: 'skipSeriesVisit',
    ...OPERATIONS.skip,
    params: SeriesVisitParams,
    config,
    response,
    answer: ({ actor, params, body }) => {
      const index = Number(params.index);
      return withdrawn(actor, params.seriesId, { action: 'series.skip', index }, { ...body, index });
    },
  });

  route.post('/operator/series/:seriesId/pause', {
    operationId: 'pauseSeries',
    ...OPERATIONS.pause,
    config,
    response,
    answer: ({ actor, params, body }) =>
      withdrawn(actor, params.seriesId, { action: 'series.pause', from: body.from, to: body.to }, body),
  });

  route.post('/operator/series/:seriesId/end', {
    operationId: 'endSeries',
    ...OPERATIONS.end,
    config,
    response,
    answer: ({ actor, params, body }) =>
      withdrawn(actor, params.seriesId, { action: 'series.end', fromIndex: body.fromIndex }, body),
  });
}

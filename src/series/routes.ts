import type { PlanCache } from '../availability/plan.ts';
import type { Clock } from '../base/clock.ts';
import { createPlainChanges, PARTNER } from '../bookings/change.ts';
import { createBookingInserts } from '../bookings/create.ts';
import { NOT_AVAILABLE } from '../bookings/hold-routes.ts';
import { encodeSeen } from '../bookings/updated-since.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import {
  exampleOf,
  hasBegun,
  hasEnded,
  NOT_OFFERED,
  notForPlatform,
  referenceTaken,
  wasPlaced,
} from './refusals.ts';
import {
  ChangeSeries,
  CreateSeries,
  EndSeries,
  ListSeries,
  PauseSeries,
  PlaceVisit,
  Series,
  SeriesHeaders,
  SeriesParams,
  SeriesVisitParams,
  SkipVisit,
} from './schema.ts';
import {
  bookSeries,
  listSeries,
  placeSeriesVisit,
  readSeries,
  type SeriesDeps,
  updateSeries,
  withdrawSeries,
} from './series.ts';

export type SeriesParts = { db: Db; clock: Clock; plans: PlanCache; sealer: Sealer };

export const seriesDeps = ({ db, plans, sealer }: SeriesParts): SeriesDeps => ({
  ...{ db, plans, sealer, insert: createBookingInserts(db), change: createPlainChanges(db) },
});

const PREVIEW = 'With `preview` nothing is done, and `changes` say what would become of its visits.';
const EXAMPLE_ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const ENDED = exampleOf(hasEnded({ status: 'ENDED', reason: 'ENDED' }));
const BEGUN = exampleOf(hasBegun(1, { status: 'in progress', appointmentStatus: 'In The Way' }));

/** Summaries and refusals of the operations on one series, which partners, their pages and the operator have. */
export const OPERATIONS = {
  update: {
    summary: 'Change a series from one visit on',
    description:
      'Earlier visits stay. Placed ones are moved one by one, by the rules and fees of moving a booking; what cannot be ' +
      `moved, or was moved by itself, stays, and \`changes\` say so. ${PREVIEW}`,
    errors: [ENDED],
    missing: ['Booking'],
    body: ChangeSeries,
  },
  place: {
    summary: 'Book a visit of a series that could not be placed, or was skipped',
    description: 'At its own time, or at another one, such as one of its `alternatives`.',
    errors: [
      exampleOf(wasPlaced({ bookingId: EXAMPLE_ID, status: 'in progress' })),
      NOT_AVAILABLE,
      'BOOKING_CREATION_FAILED' as const,
    ],
    missing: ['Visit'],
    body: PlaceVisit,
    optionalBody: true as const,
  },
  skip: {
    summary: 'Skip a visit of a series',
    description: `If it is placed, its booking is cancelled, by the rules and fees of cancelling. ${PREVIEW}`,
    errors: [ENDED, BEGUN],
    body: SkipVisit,
    optionalBody: true as const,
  },
  pause: {
    summary: 'Pause a series between two dates',
    description: `Visits that are placed are cancelled, all or none, by the rules and fees of cancelling. ${PREVIEW}`,
    errors: [ENDED, BEGUN],
    body: PauseSeries,
  },
  end: {
    summary: 'End a series before one of its visits',
    description: `Visits that are placed from then on are cancelled, all or none, by the rules and fees of cancelling. ${PREVIEW}`,
    errors: [BEGUN],
    body: EndSeries,
  },
};

/** Series of a partner, also on the partner's pages. */
export function seriesRoutes(app: App, parts: SeriesParts): void {
  const { db, clock } = parts;
  const deps = seriesDeps(parts);
  const route = routesOf(app, {
    tags: ['Series'],
    missing: ['Series'],
    params: SeriesParams,
    config: { permission: 'partner_bookings_read' },
    inPortal: true,
  });
  const data = { data: Series };
  const changing = { permission: 'partner_bookings_update' as const };
  const cancelling = { permission: 'partner_bookings_cancel' as const };
  const changeOf = (partnerId: string, { seriesId }: { seriesId: string }) => ({
    key: { id: seriesId, partnerId },
    by: PARTNER,
  });

  route.post('/v1/partners/series', {
    operationId: 'createSeries',
    summary: 'Book a customer weekly',
    description:
      'Visits on one weekday and time, every 1, 2 or 4 weeks. Each is an ordinary booking, made as soon as the horizon ' +
      'reaches its date, one day before that date opens to all others, at the price of then. What cannot be booked is ' +
      '`UNPLACED`, tried again each night, and never moved without you. With `preview` nothing is made.',
    missing: ['Contact', 'Address', 'Service', 'Booking'],
    errors: [
      NOT_AVAILABLE,
      ...[false, true].map((sameRequest) =>
        exampleOf(referenceTaken('WEEKLY-2026-000123', { seriesId: EXAMPLE_ID, sameRequest })),
      ),
      exampleOf(notForPlatform()),
      NOT_OFFERED,
    ],
    body: CreateSeries,
    config: { permission: 'partner_bookings_create' },
    response: data,
    answer: ({ account: { partnerId: id }, body }) =>
      bookSeries(deps, clock.now(), { partnerId: id, input: body }),
  });

  route.get('/v1/partners/series', {
    operationId: 'listSeries',
    summary: 'List series, the newest first',
    query: ListSeries,
    responseHeaders: SeriesHeaders,
    response: { page: Series },
    answer: async ({ account: { partnerId }, query }, reply) => {
      const { page, seen } = await listSeries(db, clock.now(), { ...query, partnerId });
      if (seen !== null && (query.page ?? 1) === 1) reply.header('x-updated-since', encodeSeen(seen));
      return page;
    },
  });

  route.get('/v1/partners/series/:seriesId', {
    operationId: 'getSeries',
    summary: 'Read a series with its visits',
    response: data,
    answer: ({ account: { partnerId }, params }) =>
      readSeries(deps, clock.now(), changeOf(partnerId, params).key),
  });

  route.patch('/v1/partners/series/:seriesId', {
    operationId: 'updateSeries',
    ...OPERATIONS.update,
    config: changing,
    response: data,
    answer: ({ account, params, body }) =>
      updateSeries(deps, clock.now(), changeOf(account.partnerId, params), body),
  });

  route.post('/v1/partners/series/:seriesId/visits/:index/place', {
    operationId: 'placeSeriesVisit',
    ...OPERATIONS.place,
    params: SeriesVisitParams,
    config: { permission: 'partner_bookings_create' },
    response: data,
    answer: ({ account, params, body }) =>
      placeSeriesVisit(deps, clock.now(), changeOf(account.partnerId, params), {
        ...body,
        index: Number(params.index),
      }),
  });

  route.post('/v1/partners/series/:seriesId/visits/:index/skip', {
    operationId: 'skipSeriesVisit',
    ...OPERATIONS.skip,
    errors: [...OPERATIONS.skip.errors, 'FEE_CHANGED'],
    params: SeriesVisitParams,
    config: cancelling,
    response: data,
    answer: ({ account, params, body }) =>
      withdrawSeries(deps, clock.now(), changeOf(account.partnerId, params), {
        ...body,
        index: Number(params.index),
      }),
  });

  route.post('/v1/partners/series/:seriesId/pause', {
    operationId: 'pauseSeries',
    ...OPERATIONS.pause,
    errors: [...OPERATIONS.pause.errors, 'FEE_CHANGED'],
    config: cancelling,
    response: data,
    answer: ({ account, params, body }) =>
      withdrawSeries(deps, clock.now(), changeOf(account.partnerId, params), body),
  });

  route.post('/v1/partners/series/:seriesId/end', {
    operationId: 'endSeries',
    ...OPERATIONS.end,
    errors: [...OPERATIONS.end.errors, 'FEE_CHANGED'],
    config: cancelling,
    response: data,
    answer: ({ account, params, body }) =>
      withdrawSeries(deps, clock.now(), changeOf(account.partnerId, params), body),
  });
}

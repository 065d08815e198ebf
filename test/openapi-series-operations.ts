import { randomUUID } from 'node:crypto';
import { createWorld, type World } from './fixtures.ts';
import {
  type Context,
  made,
  nextSlot,
  type Refused,
  type Request,
  reason,
  unique,
  type Valid,
} from './openapi-context.ts';
import type { Any } from './read-back.ts';

/** Requests of the operations of series (test/openapi-partner-operations.ts, test/openapi-operator-operations.ts). */

const SERIES = '/partners/series';
/** A Sunday beyond every horizon: nothing is booked yet. */
export const FAR = '2030-01-06';
/** A date of which worlds of their own have all slots. */
const DATE = '2026-12-15';

export const newSeries = ({ contactId, addressId, serviceId }: World, overrides: object = {}) => ({
  ...{ contactId, addressId, serviceId, firstDate: FAR, startAt: '09:00' },
  ...overrides,
});

/** A series, as its creation returned it. */
export const series = ({ service, world }: Context, overrides: object = {}): Promise<Any> =>
  made(service.v1(world.key, 'POST', SERIES, newSeries(world, overrides)));

/** A series whose first visit is skipped before it was booked. */
export async function skipped(context: Context): Promise<string> {
  const { seriesId } = await series(context);
  await made(context.service.v1(context.world.key, 'POST', `${SERIES}/${seriesId}/visits/1/skip`));
  return seriesId;
}

/** A free place, in the form of a body. */
function nextPlace(context: Context) {
  const { date, timeslot } = nextSlot(context.world);
  return { date, startAt: timeslot.startAt };
}

type Base = '/partners/series' | '/series';

/** Operations on one series. */
const changes = (base: Base): Record<string, Valid> => ({
  getSeries: async (context) => ({ path: `${base}/${(await series(context)).seriesId}` }),
  updateSeries: async (context) => ({
    path: `${base}/${(await series(context)).seriesId}`,
    body: { fromIndex: 2, startAt: '11:00' },
  }),
  placeSeriesVisit: async (context) => ({
    path: `${base}/${await skipped(context)}/visits/1/place`,
    body: nextPlace(context),
  }),
  skipSeriesVisit: async (context) => ({
    path: `${base}/${(await series(context)).seriesId}/visits/3/skip`,
    body: { preview: true },
  }),
  pauseSeries: async (context) => ({
    path: `${base}/${(await series(context)).seriesId}/pause`,
    body: { from: '2030-02-01', to: '2030-02-28' },
  }),
  endSeries: async (context) => ({
    path: `${base}/${(await series(context)).seriesId}/end`,
    body: { fromIndex: 3 },
  }),
});

export const SERIES_OPERATIONS: Record<string, Valid> = {
  createSeries: ({ world }) => ({ path: SERIES, body: newSeries(world, { externalReference: unique() }) }),
  listSeries: async (context) => {
    await series(context);
    return { path: `${SERIES}?status=ACTIVE&limit=2` };
  },
  ...changes('/partners/series'),
};

export const OPERATOR_SERIES_OPERATIONS: Record<string, Valid> = {
  listSeries: async (context) => {
    await series(context);
    return { path: `/series?partnerId=${context.world.partnerId}&limit=2` };
  },
  ...changes('/series'),
};

/** The path of a series in a world of its own, with one visit that is booked, and a policy. */
async function placed(context: Context, base: Base): Promise<{ path: string; apart: Context; visit: Any }> {
  const apart = { ...context, world: await createWorld(context.service) };
  const { partnerId } = apart.world;
  const cancel = [{ hoursBefore: 2_160, percent: 25 }];
  const policy = { nameEn: 'Standard', nameAr: 'قياسية', cancel, assignments: [{ partnerId }] };
  await made(context.service.operator('POST', '/policies', policy));
  const { seriesId, dates } = await series(apart, { firstDate: DATE, visits: 1 });
  return { path: `${base}/${seriesId}`, apart, visit: dates[0] };
}

const of = ({ world }: Context, path: string, body: object = {}): Request => ({
  path,
  body,
  ...(path.startsWith('/partners') && { headers: { 'x-api-key': world.key } }),
});

const WITHDRAWALS: [id: string, path: string, body: object][] = [
  ['skipSeriesVisit', '/visits/1/skip', {}],
  ['pauseSeries', '/pause', { from: DATE, to: DATE }],
  ['endSeries', '/end', { fromIndex: 1 }],
];

/** Refusals of the operations on one series. */
const refusals = (base: Base): Refused[] => [
  {
    id: 'updateSeries',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Booking not found',
    request: async (context) => ({
      path: `${base}/${(await series(context)).seriesId}`,
      body: { fromIndex: 1, preferTeamOf: randomUUID() },
    }),
  },
  ...(
    [
      ['updateSeries', '', { fromIndex: 1 }],
      ['skipSeriesVisit', '/visits/9/skip', {}],
      ['pauseSeries', '/pause', { from: FAR, to: FAR }],
    ] as const
  ).map(
    ([id, path, body]): Refused => ({
      id,
      code: 'INVALID_TRANSITION',
      message: 'The series has ended',
      request: async (context) => {
        const { seriesId } = await series(context);
        const { key } = context.world;
        await made(context.service.v1(key, 'POST', `${SERIES}/${seriesId}/end`, { fromIndex: 1 }));
        return { path: `${base}/${seriesId}${path}`, body };
      },
    }),
  ),
  {
    id: 'placeSeriesVisit',
    code: 'RESOURCE_NOT_FOUND',
    message: 'Visit not found',
    request: async (context) => ({ path: `${base}/${await skipped(context)}/visits/9/place` }),
  },
  {
    id: 'placeSeriesVisit',
    code: 'INVALID_TRANSITION',
    request: async (context) => {
      const { apart, path } = await placed(context, base);
      return of(apart, `${path}/visits/1/place`, { startAt: '15:00' });
    },
  },
  {
    id: 'placeSeriesVisit',
    code: 'SERVICE_NOT_ALLOWED',
    request: async (context) => {
      const { apart } = await placed(context, base);
      const seriesId = await skipped(apart);
      await made(context.service.operator('PATCH', `/zones/${apart.world.zoneId}`, { serviceIds: [] }));
      return of(apart, `${base}/${seriesId}/visits/1/place`);
    },
  },
  {
    id: 'placeSeriesVisit',
    code: 'BOOKING_CREATION_FAILED',
    request: async (context) => {
      const { apart } = await placed(context, base);
      return of(apart, `${base}/${await skipped(apart)}/visits/1/place`, { date: DATE });
    },
  },
  ...WITHDRAWALS.map(
    ([id, at, body]): Refused => ({
      id,
      code: 'BOOKING_NOT_EDITABLE',
      request: async (context) => {
        const { apart, path, visit } = await placed(context, base);
        const { appointmentId } = await made(context.service.operator('GET', `/bookings/${visit.bookingId}`));
        const begun = { status: 'In The Way', force: true, reason: 'Early' };
        await made(context.service.operator('PATCH', `/appointments/${appointmentId}`, begun));
        return of(apart, path + at, { ...body, reasonId: await reason(context.service) });
      },
    }),
  ),
];

export const SERIES_REFUSED: Refused[] = [
  ...refusals('/partners/series'),
  ...(['contactId', 'addressId', 'serviceId', 'preferTeamOf'] as const).map(
    (field): Refused => ({
      id: 'createSeries',
      code: 'RESOURCE_NOT_FOUND',
      message: `${{ contactId: 'Contact', addressId: 'Address', serviceId: 'Service', preferTeamOf: 'Booking' }[field]} not found`,
      request: ({ world }) => ({ path: SERIES, body: newSeries(world, { [field]: randomUUID() }) }),
    }),
  ),
  {
    id: 'createSeries',
    code: 'SERVICE_NOT_ALLOWED',
    request: async ({ service, world }) => {
      const { serviceId } = await createWorld(service);
      return { path: SERIES, body: newSeries(world, { serviceId }) };
    },
  },
  ...[{}, { startAt: '11:00' }].map(
    (change): Refused => ({
      id: 'createSeries',
      code: 'DUPLICATE_EXTERNAL_REFERENCE',
      request: async (context) => {
        const body = newSeries(context.world, { externalReference: unique() });
        await series(context, body);
        return { path: SERIES, body: { ...body, ...change } };
      },
    }),
  ),
  {
    id: 'createSeries',
    code: 'PAYMENT_RESPONSIBILITY_MISMATCH',
    request: async (context) => {
      const apart = { ...context, world: await createWorld(context.service) };
      const platform = { paymentResponsibility: 'PLATFORM' };
      await made(context.service.operator('PATCH', `/partners/${apart.world.partnerId}`, platform));
      return of(apart, SERIES, newSeries(apart.world));
    },
  },
  {
    id: 'createSeries',
    code: 'BOOKING_CREATION_FAILED',
    request: ({ world }) => ({ path: SERIES, body: newSeries(world, { startAt: '09:07' }) }),
  },
  ...WITHDRAWALS.map(
    ([id, at, body]): Refused => ({
      id,
      code: 'FEE_CHANGED',
      request: async (context) => {
        const { apart, path } = await placed(context, SERIES);
        const reasonId = await reason(context.service);
        return of(apart, path + at, { ...body, reasonId, maxFee: 37.49 });
      },
    }),
  ),
];

export const OPERATOR_SERIES_REFUSED: Refused[] = refusals('/series');

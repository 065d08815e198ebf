import { dateOf, type Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import type { ChangePlainly } from '../bookings/change.ts';
import { assertSameHistory, parseUpdatedSince } from '../bookings/updated-since.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { pageOf, paging } from '../http/envelope.ts';
import { partnerRows } from '../partners/account-queries.ts';
import { changeSeries } from './change.ts';
import { choosePlace } from './choose.ts';
import { createSeries, plannedOf, previewSeries } from './create.ts';
import { endSeries, pauseSeries, skipVisit } from './ending.ts';
import type { PlaceDeps } from './place.ts';
import {
  findSeries,
  listSeriesRows,
  listVisits,
  namesOfSeries,
  readSeenSeries,
  type SeriesFilter,
  type SeriesNames,
} from './queries.ts';
import type {
  ChangeSeries,
  CreateSeries,
  EndSeries,
  OperatorSeries,
  PauseSeries,
  PlaceVisit,
  Series,
  SkipVisit,
} from './schema.ts';
import { datesOf, movedView, seriesView, withAlternatives, withdrawnView, wouldBe } from './view.ts';
import type { SeriesKey, SeriesRecord } from './withdraw.ts';

/** Use cases of series with their views: for partners, their pages and the operator. */

export type SeriesDeps = PlaceDeps & { change: ChangePlainly };

/** Whose series it is, and who changes it: `record` runs in the transaction of the change. */
export type SeriesChange = { key: SeriesKey; by: string; record?: SeriesRecord };

/** The series as it is, with all its dates. Throws RESOURCE_NOT_FOUND. */
export async function readSeries(
  deps: Pick<SeriesDeps, 'db' | 'plans'>,
  now: Instant,
  key: SeriesKey,
  changes?: Series['changes'],
): Promise<Series> {
  const found = await orNotFound(findSeries(deps.db, key), 'Series');
  const dates = datesOf(found, await listVisits(deps.db, [found.id]));
  const view = seriesView(found, await withAlternatives(deps, now, found, dates));
  return { ...view, ...(changes && { changes }) };
}

/** As createSeries; with `preview` the series that would be made. */
export async function bookSeries(
  deps: SeriesDeps,
  now: Instant,
  { partnerId, input }: { partnerId: string; input: CreateSeries },
): Promise<Series> {
  const { id, payment_responsibility: paymentResponsibility } = (await partnerRows.find(deps.db, partnerId))!;
  const partner = { id, paymentResponsibility };
  if (input.preview !== true) {
    const made = await createSeries(deps, now, { partner, input });
    return readSeries(deps, now, { id: made, partnerId });
  }
  const found = await previewSeries(deps, now, { partner, input });
  const planned = plannedOf(input);
  const shown = {
    ...planned,
    ...{ id: null, status: 'ACTIVE' as const, reason: null, team_id: null, next_index: found.length + 1 },
    contact_id: input.contactId.toLowerCase(),
    address_id: input.addressId.toLowerCase(),
    service_id: input.serviceId.toLowerCase(),
    external_reference: input.externalReference ?? null,
    created_at: now,
    updated_at: now,
  };
  const dates = [
    ...found.map(({ place, reason, price }) => wouldBe(place, reason, price)),
    ...datesOf(shown, []),
  ];
  return seriesView(shown, await withAlternatives(deps, now, { ...shown, partner_id: partner.id }, dates));
}

/** A page of series, the newest first, with their dates from today on; `seen`: for the list of later changes. */
export async function listSeries(
  db: Db,
  now: Instant,
  {
    updatedSince,
    ...filter
  }: Omit<SeriesFilter, 'updatedSince'> & { updatedSince?: string; page?: number; limit?: number },
) {
  const today = dateOf(now);
  const since = updatedSince === undefined ? undefined : parseUpdatedSince(updatedSince);
  const seen = since === undefined ? null : await readSeenSeries(db);
  if (since !== undefined) assertSameHistory(since, seen);
  const found = await listSeriesRows(
    db,
    today,
    { ...filter, ...(since !== undefined && { updatedSince: since }) },
    paging(filter),
  );
  const visits = await listVisits(
    db,
    found.rows.map(({ id }) => id),
  );
  const page = pageOf(found, (series) => {
    const own = visits.filter(({ series_id, date }) => series_id === series.id && date >= today);
    return seriesView(series, datesOf(series, own));
  });
  return { page, seen };
}

const named = (series: Series, names: SeriesNames, partnerId: string): OperatorSeries => ({
  ...series,
  partnerId,
  partnerName: names.partner_name,
  contactName: names.contact_name,
  serviceName: names.service_name,
  serviceNameAr: names.service_name_ar,
  crewName: names.crew_name,
  crewNameAr: names.crew_name_ar,
});

/** readSeries with names. */
export async function readForOperator(
  deps: Pick<SeriesDeps, 'db' | 'plans'>,
  now: Instant,
  id: string,
  changes?: Series['changes'],
): Promise<OperatorSeries> {
  const series = await readSeries(deps, now, { id, partnerId: null }, changes);
  const { partner_id } = (await findSeries(deps.db, { id, partnerId: null }))!;
  return named(series, (await namesOfSeries(deps.db, [series.seriesId!])).get(series.seriesId!)!, partner_id);
}

/** listSeries of all partners with names. */
export async function listForOperator(
  db: Queryable,
  now: Instant,
  query: SeriesFilter & { page?: number; limit?: number },
) {
  const today = dateOf(now);
  const found = await listSeriesRows(db, today, query, paging(query));
  const ids = found.rows.map(({ id }) => id);
  const [visits, names] = [await listVisits(db, ids), await namesOfSeries(db, ids)];
  return pageOf(found, (series) => {
    const own = visits.filter(({ series_id, date }) => series_id === series.id && date >= today);
    return named(seriesView(series, datesOf(series, own)), names.get(series.id)!, series.partner_id);
  });
}

/** changeSeries, and the series after it. */
export async function updateSeries(
  deps: SeriesDeps,
  now: Instant,
  { key, by, record }: SeriesChange,
  input: ChangeSeries,
) {
  const moved = await changeSeries(deps, now, { key, by, input, ...(record && { record }) });
  return readSeries(deps, now, key, moved.map(movedView));
}

/** choosePlace, and the series after it. */
export async function placeSeriesVisit(
  deps: SeriesDeps,
  now: Instant,
  { key, record }: SeriesChange,
  { index, ...chosen }: PlaceVisit & { index: number },
) {
  await choosePlace(deps, now, { key, index, ...chosen, ...(record && { record }) });
  return readSeries(deps, now, key);
}

type Ending =
  | (SkipVisit & { index: number })
  | (PauseSeries & { index?: never })
  | (EndSeries & { index?: never; from?: never });

/** skipVisit, pauseSeries or endSeries, and the series after it. */
export async function withdrawSeries(deps: SeriesDeps, now: Instant, change: SeriesChange, input: Ending) {
  const { reasonId, cancellationNotes: notes, maxFee, preview } = input;
  const asked = { ...change, cancelling: { reasonId, notes, maxFee, preview } };
  const withdrawn =
    input.index !== undefined
      ? await skipVisit(deps.db, now, { ...asked, index: input.index })
      : input.from !== undefined
        ? await pauseSeries(deps.db, now, { ...asked, from: input.from, to: input.to })
        : await endSeries(deps.db, now, { ...asked, fromIndex: input.fromIndex });
  return readSeries(deps, now, change.key, withdrawn.map(withdrawnView));
}

import { ALTERNATIVE_DAYS, alternativesTo, type DatedSlot, findSlotContext } from '../availability/slots.ts';
import { addDays, dateOf, formatMinutes, type Instant, timeOf, toRiyadhIso } from '../base/clock.ts';
import type { Moved } from './change.ts';
import { DAYS_AHEAD, type PlaceDeps, reasonOf } from './place.ts';
import type { VisitRow } from './queries.ts';
import {
  isPaused,
  type Place,
  type Planned,
  placesFrom,
  type SeriesStatus,
  type StopReason,
  startOf,
  termsAt,
} from './rules.ts';
import type { Series } from './schema.ts';
import type { Withdrawn } from './withdraw.ts';

/** A series as it is stored, or as a preview would make it. */
export type Shown = Planned & {
  id: string | null;
  contact_id: string;
  address_id: string;
  service_id: string;
  external_reference: string | null;
  status: SeriesStatus;
  reason: StopReason | null;
  team_id: string | null;
  next_index: number;
  created_at: Instant;
  updated_at: Instant;
};

/** Planned dates that are shown beyond the horizon. */
const PLANNED_SHOWN = 12;
/** Alternatives that are shown of a visit, and the visits that have them. */
const [ALTERNATIVES, WITH_ALTERNATIVES] = [3, 10];

type VisitView = Series['dates'][number];
type ChangeView = NonNullable<Series['changes']>[number];

const NOT_PLACED = {
  reason: null,
  alternatives: [],
  bookingId: null,
  trackingReference: null,
  status: null,
  appointmentStatus: null,
  price: null,
  keepsTeam: null,
  movedAlone: false,
};

const plannedView = ({ index, date, start }: Place, isSkipped = false): VisitView => ({
  ...{ index, date, startAt: formatMinutes(start), state: isSkipped ? 'SKIPPED' : 'PLANNED', ...NOT_PLACED },
});

function visitView(visit: VisitRow, crew: string | null): VisitView {
  const { index, state, reason, booking_id: bookingId, starts_at, amount } = visit;
  const at = starts_at ?? startOf(visit);
  return {
    ...{ index, date: dateOf(at), startAt: timeOf(at), state, reason, alternatives: [], bookingId },
    trackingReference: visit.tracking_reference,
    status: visit.status,
    appointmentStatus: visit.appointment_status,
    price: amount === null ? null : Number(amount),
    keepsTeam: state !== 'PLACED' ? null : visit.team_id === crew,
    movedAlone: bookingId !== null && at !== startOf(visit),
  };
}

/** A visit that a series which is not made yet would have. */
export const wouldBe = (place: Place, reason: string | null, price: string): VisitView => ({
  ...plannedView(place),
  state: reason === null ? 'PLACED' : 'UNPLACED',
  reason,
  price: reason === null ? Number(price) : null,
});

/** The dates of a series: those decided about (in a list, from today on) and the next that are planned. */
export function datesOf(series: Shown, visits: readonly VisitRow[]): VisitView[] {
  const known = new Set(visits.map(({ index }) => index));
  const planned =
    series.status === 'ENDED'
      ? []
      : placesFrom(series, series.next_index, '9999-12-31', PLANNED_SHOWN).filter(
          ({ index }) => !known.has(index),
        );
  return [
    ...visits.map((visit) => visitView(visit, series.team_id)),
    ...planned.map((place) => plannedView(place, isPaused(series, place.date))),
  ].sort((a, b) => a.index - b.index);
}

export function seriesView(series: Shown, dates: VisitView[]): Series {
  const { weekday, start, sameCrew } = termsAt(series, series.next_index);
  return {
    seriesId: series.id,
    externalReference: series.external_reference,
    status: series.status,
    reason: series.reason,
    contactId: series.contact_id,
    addressId: series.address_id,
    serviceId: series.service_id,
    firstDate: series.first_date,
    everyWeeks: series.every_weeks,
    ...{ weekday, startAt: formatMinutes(start), sameCrew },
    until: series.until_date,
    visits: series.visits,
    pauses: series.pauses.map(({ from, to }) => ({ from, to })),
    dates,
    createdAt: toRiyadhIso(series.created_at),
    updatedAt: toRiyadhIso(series.updated_at),
  };
}

export const movedView = ({ index, outcome, reason, bookingId, date, start, quoted }: Moved): ChangeView => ({
  ...{ index, outcome, reason, bookingId, date, startAt: formatMinutes(start) },
  fee: quoted?.fee == null ? null : quoted.fee / 100,
});

export const withdrawnView = ({ index, bookingId, date, start, quoted }: Withdrawn): ChangeView => ({
  ...{ index, outcome: bookingId === null ? 'SKIPPED' : 'CANCELLED', reason: null, bookingId, date },
  startAt: formatMinutes(start),
  fee: quoted?.fee == null ? null : quoted.fee / 100,
});

/** The dates with free times near those that are not placed. */
export async function withAlternatives(
  { db, plans }: Pick<PlaceDeps, 'db' | 'plans'>,
  now: Instant,
  { partner_id, ...series }: Shown & { partner_id: string },
  dates: readonly VisitView[],
): Promise<VisitView[]> {
  const today = dateOf(now);
  const open = dates
    .filter(({ state, date }) => state === 'UNPLACED' && date >= today)
    .slice(0, WITH_ALTERNATIVES);
  const found = new Map<number, DatedSlot[]>();
  for (const { index, date, startAt } of open) {
    const query = {
      ...{
        partnerId: partner_id,
        addressId: series.address_id,
        serviceId: series.service_id,
        daysAhead: DAYS_AHEAD,
      },
    };
    const from = addDays(date, -3) < today ? today : addDays(date, -3);
    // Refused: the service is no longer offered there.
    const context = await findSlotContext(db, plans, query, { from, days: ALTERNATIVE_DAYS }).catch(
      (error) => reasonOf(error) && null,
    );
    const wanted = startOf({ date, start: minutesOf(startAt) });
    if (context !== null)
      found.set(index, alternativesTo(context, wanted, from, { now }).slice(0, ALTERNATIVES));
  }
  return dates.map((visit) => ({ ...visit, alternatives: found.get(visit.index) ?? [] }));
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

import { parseOffsetDateTime } from '../base/clock.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { successBecause } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { priceAt } from '../partners/price-rules.ts';
import { policyOf } from '../policies/view.ts';
import { findNextSlots, MAX_CALENDAR_DAYS, readCalendar } from './calendar.ts';
import { readCoverage } from './coverage.ts';
import type { PlanCache } from './plan.ts';
import {
  CalendarQuery,
  CalendarResponse,
  Coverage,
  CoverageQuery,
  NextSlotsQuery,
  NextSlotsResponse,
  TimeslotsQuery,
  TimeslotsResponse,
} from './schema.ts';
import { availableSlots, locationOf } from './slots.ts';

type Parts = RouteParts & { plans: PlanCache };

/** The free timeslots of section 4.4, of one date and of several, and what is served at a place. */
export function availabilityRoutes(app: App, { db, clock, plans }: Parts): void {
  const route = routesOf(app, { tags: ['Timeslots'], config: { permission: 'partner_timeslots_read' } });

  route.get('/v1/partners/timeslots/available', {
    operationId: 'listAvailableTimeslots',
    summary: 'List the free timeslots of a service at an address on a date',
    description:
      'Computed as of now; pass a slot unchanged as `timeslot` when booking. Empty when no team is free, the date is ' +
      'past or too far ahead, or the address is outside every zone.',
    missing: ['Address', 'Service'],
    errors: ['SERVICE_NOT_ALLOWED'],
    query: TimeslotsQuery,
    response: { body: TimeslotsResponse },
    answer: async ({ caller, query }) => {
      const { addressId, serviceId, date } = query;
      const wanted = { partnerId: caller.partnerId, addressId, serviceId, date };
      const { slots, unserved } = await availableSlots(db, plans, clock.now(), wanted);
      return successBecause({ date, slots }, unserved);
    },
  });

  calendarRoutes(app, { db, clock, plans });

  route.get('/v1/partners/coverage', {
    operationId: 'getCoverage',
    summary: 'Read what can be booked at a place',
    description:
      'Needs no contact and no address, and creates none. The services are those that the list of services at an ' +
      'address there would have; `earliest` is the earliest free timeslot of any of them.',
    tags: ['Catalogue'],
    query: CoverageQuery,
    config: { permission: 'partner_services_read' },
    response: { data: Coverage },
    answer: async ({ caller, query }) => {
      const place = { partnerId: caller.partnerId, ...query };
      const now = clock.now();
      const { isCovered, services, earliest } = await readCoverage(db, plans, now, place);
      return {
        covered: isCovered,
        services: services.map(({ id, name_en, name_ar, prices, policy_id, terms }) => ({
          id,
          nameEn: name_en,
          nameAr: name_ar,
          price: Number(priceAt(prices, now)),
          policy: policyOf(policy_id, terms),
        })),
        earliest,
      };
    },
  });
}

/** The free timeslots of several dates. */
function calendarRoutes(app: App, { db, clock, plans }: Parts): void {
  const errors = ['SERVICE_NOT_ALLOWED'] as const;
  const route = routesOf(app, { tags: ['Timeslots'], config: { permission: 'partner_timeslots_read' } });

  route.get('/v1/partners/timeslots/calendar', {
    operationId: 'getTimeslotCalendar',
    summary: 'Read the free timeslots of a service at an address or a place over several dates',
    description:
      `At most ${MAX_CALENDAR_DAYS} dates, each with the slots that the request for it alone would have at the same ` +
      'moment. `state` says why a date is empty. Before there is a customer, `latitude` and `longitude` take the place of ' +
      '`addressId`.',
    missing: ['Address', 'Service', 'Booking'],
    errors,
    ifNoneMatch: true,
    query: CalendarQuery,
    response: { body: CalendarResponse },
    answer: async ({ caller, query }) => {
      const { serviceId, from, to, view, preferTeamOf } = query;
      const place = { partnerId: caller.partnerId, ...locationOf(query), serviceId };
      const wanted = { ...place, from, to, preferTeamOf };
      const { days, unserved, ...bookable } = await readCalendar(db, plans, clock.now(), wanted);
      const shown =
        view === 'days'
          ? days.map(({ date, state }) => ({ date, state, available: state === 'FREE' }))
          : days;
      return successBecause({ from, to, ...bookable, days: shown }, unserved);
    },
  });

  route.get('/v1/partners/timeslots/next', {
    operationId: 'findNextTimeslots',
    summary: 'Find the earliest free timeslots of a service at an address or a place',
    description:
      'From now on, or from `notBefore` on. Pass `date` and a slot unchanged as `timeslot` when booking. Before there is a ' +
      'customer, `latitude` and `longitude` take the place of `addressId`.',
    missing: ['Address', 'Service'],
    errors,
    ifNoneMatch: true,
    query: NextSlotsQuery,
    response: { body: NextSlotsResponse },
    answer: async ({ caller, query }) => {
      const { serviceId, count = 1 } = query;
      const now = clock.now();
      const notBefore = query.notBefore === undefined ? now : parseOffsetDateTime(query.notBefore)!;
      const wanted = { partnerId: caller.partnerId, ...locationOf(query), serviceId, notBefore, count };
      const { bookableUntil, slots, unserved } = await findNextSlots(db, plans, now, wanted);
      return successBecause({ bookableUntil, slots }, unserved);
    },
  });
}

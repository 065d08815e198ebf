import { type Clock, parseOffsetDateTime } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { success, successBecause } from '../http/envelope.ts';
import { BodyEtag, conditional, IfNoneMatchHeader, NotModified } from '../http/if-none-match.ts';
import { findNextSlots, MAX_CALENDAR_DAYS, readCalendar } from './calendar.ts';
import { readCoverage } from './coverage.ts';
import type { PlanCache } from './plan.ts';
import {
  CalendarQuery,
  CalendarResponse,
  CoverageQuery,
  CoverageResponse,
  NextSlotsQuery,
  NextSlotsResponse,
  TimeslotsQuery,
  TimeslotsResponse,
} from './schema.ts';
import { availableSlots } from './slots.ts';

type Parts = { db: Db; clock: Clock; plans: PlanCache };

/** The free timeslots of section 4.4, of one date and of several, and what is served at a place. */
export function availabilityRoutes(app: App, { db, clock, plans }: Parts): void {
  app.get(
    '/partners/timeslots/available',
    {
      schema: {
        operationId: 'listAvailableTimeslots',
        summary: 'List the free timeslots of a service at an address on a date',
        tags: ['Timeslots'],
        description:
          'Computed as of now; pass a slot unchanged as `timeslot` when booking. Empty when no team is free, the date is ' +
          'past or too far ahead, or the address is outside every zone.',
        missing: ['Address', 'Service'],
        errors: ['SERVICE_NOT_ALLOWED'],
        querystring: TimeslotsQuery,
        response: { 200: TimeslotsResponse },
      },
      config: { permission: 'partner_timeslots_read' },
    },
    async ({ caller, query }) => {
      const { addressId, serviceId, date } = query;
      const wanted = { partnerId: caller.partnerId, addressId, serviceId, date };
      const { slots, unserved } = await availableSlots(db, plans, clock.now(), wanted);
      return successBecause({ date, slots }, unserved);
    },
  );

  calendarRoutes(app, { db, clock, plans });

  app.get(
    '/partners/coverage',
    {
      schema: {
        operationId: 'getCoverage',
        summary: 'Read what can be booked at a place',
        tags: ['Catalogue'],
        description:
          'Needs no contact and no address, and creates none. The services are those that the list of services at an ' +
          'address there would have; `earliest` is the earliest free timeslot of any of them.',
        querystring: CoverageQuery,
        response: { 200: CoverageResponse },
      },
      config: { permission: 'partner_services_read' },
    },
    async ({ caller, query }) => {
      const place = { partnerId: caller.partnerId, ...query };
      const { isCovered, services, earliest } = await readCoverage(db, plans, clock.now(), place);
      return success({
        covered: isCovered,
        services: services.map(({ id, name_en, name_ar, price }) => ({
          id,
          nameEn: name_en,
          nameAr: name_ar,
          price,
        })),
        earliest,
      });
    },
  );
}

/** The free timeslots of several dates. */
function calendarRoutes(app: App, { db, clock, plans }: Parts): void {
  const common = {
    tags: ['Timeslots'],
    headers: IfNoneMatchHeader,
    missing: ['Address', 'Service'],
    errors: ['SERVICE_NOT_ALLOWED'] as const,
    responseHeaders: BodyEtag,
  };

  app.get(
    '/partners/timeslots/calendar',
    {
      onSend: conditional,
      schema: {
        ...common,
        operationId: 'getTimeslotCalendar',
        summary: 'Read the free timeslots of a service at an address over several dates',
        description:
          `At most ${MAX_CALENDAR_DAYS} dates, each with the slots that the request for it alone would have at the same ` +
          'moment. Past dates and those beyond the horizon are empty.',
        querystring: CalendarQuery,
        response: { 200: CalendarResponse, 304: NotModified },
      },
      config: { permission: 'partner_timeslots_read' },
    },
    async ({ caller, query }) => {
      const { addressId, serviceId, from, to, view } = query;
      const wanted = { partnerId: caller.partnerId, addressId, serviceId, from, to };
      const { bookableUntil, days, unserved } = await readCalendar(db, plans, clock.now(), wanted);
      const shown =
        view === 'days' ? days.map(({ date, slots }) => ({ date, available: slots.length > 0 })) : days;
      return successBecause({ from, to, bookableUntil, days: shown }, unserved);
    },
  );

  app.get(
    '/partners/timeslots/next',
    {
      onSend: conditional,
      schema: {
        ...common,
        operationId: 'findNextTimeslots',
        summary: 'Find the earliest free timeslots of a service at an address',
        description:
          'From now on, or from `notBefore` on. Pass `date` and a slot unchanged as `timeslot` when booking.',
        querystring: NextSlotsQuery,
        response: { 200: NextSlotsResponse, 304: NotModified },
      },
      config: { permission: 'partner_timeslots_read' },
    },
    async ({ caller, query }) => {
      const { addressId, serviceId, count = 1 } = query;
      const now = clock.now();
      const notBefore = query.notBefore === undefined ? now : parseOffsetDateTime(query.notBefore)!;
      const wanted = { partnerId: caller.partnerId, addressId, serviceId, notBefore, count };
      const { bookableUntil, slots, unserved } = await findNextSlots(db, plans, now, wanted);
      return successBecause({ bookableUntil, slots }, unserved);
    },
  );
}

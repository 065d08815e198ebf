import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { PlanCache } from './plan.ts';
import { TimeslotsQuery, TimeslotsResponse } from './schema.ts';
import { availableSlots } from './slots.ts';

/** The free timeslots of section 4.4. */
export function availabilityRoutes(
  app: App,
  { db, clock, plans }: { db: Db; clock: Clock; plans: PlanCache },
): void {
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
      return success({ date, slots: await availableSlots(db, plans, clock.now(), wanted) });
    },
  );
}

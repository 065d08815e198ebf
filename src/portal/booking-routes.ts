import { orNotFound } from '../base/errors.ts';
import { createKnownTotals } from '../bookings/known-totals.ts';
import { type Links, linksOf, withLinks } from '../bookings/links.ts';
import { listForPartner } from '../bookings/list.ts';
import { openLink } from '../bookings/payment-links.ts';
import { findBooking } from '../bookings/queries.ts';
import { Booking, BookingParams, ListBookings } from '../bookings/schema.ts';
import type { Tracking } from '../bookings/tracking.ts';
import { bookingView } from '../bookings/view.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { eventView } from '../events/feed.ts';
import { listEventsOf } from '../events/queries.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import type { Deployment } from '../partners/keys.ts';
import { findOpenLink } from '../payments/queries.ts';
import { readShownPolicy } from '../policies/policies.ts';
import { BookingDetail } from './booking-schema.ts';
import type { Visitor } from './sessions.ts';

type PortalBookingDeps = { db: Db; config: { deployment: Deployment }; sealer: Sealer; tracking: Tracking };

/** The links that the portal shows a visitor: in production no payment links. */
export function shownLinks(
  { config, sealer, tracking }: { config: { deployment: Deployment }; sealer: Sealer; tracking: Tracking },
  visitor: Pick<Visitor, 'trackingPage'>,
): Links {
  return linksOf({ sealer: config.deployment === 'sandbox' ? sealer : null, tracking }, visitor);
}

/** The open payment link of the booking; null: there is none, or in production. */
async function paymentLinkOf(
  { db, config, sealer }: PortalBookingDeps,
  bookingId: string,
): Promise<string | null> {
  if (config.deployment !== 'sandbox') return null;
  const payment = await findOpenLink(db, bookingId);
  return payment?.link_url ? openLink(sealer, payment.id, payment.link_url) : null;
}

/** The partner's bookings in the views of /v1 and the events. */
export function portalBookingRoutes(app: App, deps: PortalBookingDeps): void {
  const { db } = deps;
  const totals = createKnownTotals();
  const route = routesOf(app, {
    tags: ['Bookings'],
    params: BookingParams,
    config: { permission: 'partner_bookings_read' },
  });

  route.get('/portal/api/bookings', {
    operationId: 'listBookings',
    summary: 'List bookings, newest first unless sorted otherwise',
    query: ListBookings,
    response: { page: Booking },
    answer: async ({ visitor, query }) => {
      const links = shownLinks(deps, visitor);
      return (await listForPartner({ db, links, totals }, visitor.partnerId, query)).page;
    },
  });

  route.get('/portal/api/bookings/:bookingId', {
    operationId: 'getBooking',
    summary: 'Read a booking and its events',
    response: { data: BookingDetail },
    answer: async ({ visitor, params }) => {
      const { partnerId } = visitor;
      const links = shownLinks(deps, visitor);
      const booking = await orNotFound(findBooking(db, partnerId, params.bookingId), 'Booking');
      const events = await listEventsOf(db, partnerId, booking.id);
      return {
        booking: withLinks(links, bookingView(booking)),
        policy: await readShownPolicy(db, booking.policy_id),
        paymentLink: await paymentLinkOf(deps, booking.id),
        events: events.map((event) => eventView(links, event)),
      };
    },
  });
}

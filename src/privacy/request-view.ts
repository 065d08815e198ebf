import type { Instant } from '../base/clock.ts';
import { viewBy } from '../http/fields.ts';
import type { RequestRow } from './request-queries.ts';
import { PrivacyRequest } from './request-schema.ts';
import type { KnownRequest } from './requests.ts';

/** A request without the number, for every role. */
export const requestView = (row: RequestRow, now: Instant) =>
  viewBy(PrivacyRequest, row, {
    partner: row.partner_id === null ? null : { id: row.partner_id, name: row.partner_name! },
    phoneEnding: row.phone?.slice(-3) ?? null,
    isOverdue: row.status === 'OPEN' && row.due_at < now,
    note: row.reason,
  });

/** A request with the number and its customers. */
export function requestDetailView({ request, contacts }: KnownRequest, now: Instant) {
  return {
    ...requestView(request, now),
    phone: request.phone,
    contacts: contacts.map(({ id, partner_id, partner_name, open_bookings }) => ({
      id,
      partnerId: partner_id,
      partnerName: partner_name,
      openBookings: open_bookings,
    })),
  };
}

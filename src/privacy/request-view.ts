import { type Instant, toRiyadhIso } from '../base/clock.ts';
import type { RequestRow } from './request-queries.ts';
import type { KnownRequest } from './requests.ts';

/** A request without the number, for every role. */
export function requestView(row: RequestRow, now: Instant) {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    partner: row.partner_id === null ? null : { id: row.partner_id, name: row.partner_name! },
    phoneEnding: row.phone?.slice(-3) ?? null,
    receivedAt: toRiyadhIso(row.received_at),
    dueAt: toRiyadhIso(row.due_at),
    isOverdue: row.status === 'OPEN' && row.due_at < now,
    receivedBy: row.received_by,
    receivedByName: row.received_by_name,
    note: row.reason,
    finishedAt: row.finished_at === null ? null : toRiyadhIso(row.finished_at),
    finishedBy: row.finished_by,
    finishedByName: row.finished_by_name,
    answer: row.answer,
  };
}

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

import { addDays, dateOf, type Instant, startOfDate, timeOf, toRiyadhIso } from '../base/clock.ts';
import { openAccess } from '../bookings/access.ts';
import { BOOKINGS } from '../bookings/table.ts';
import { forAddressTexts } from '../contacts/table.ts';
import type { Queryable } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import { fieldsHidden, fieldsShown } from '../http/fields.ts';
import { isVisitOver, mayCall, maySeeAccess, NIGHT, nextSteps } from './rules.ts';
import type { Crew } from './sessions.ts';
import { listVisits, type VisitRow } from './visit-queries.ts';

/** The visits of today and tomorrow in Riyadh with the night after, in order, and those of yesterday that are not over. */
export async function readDay(
  { db, sealer }: { db: Queryable; sealer: Sealer },
  now: Instant,
  { teamId }: Crew,
) {
  const today = dateOf(now);
  const tomorrow = addDays(today, 1);
  const visits = await listVisits(db, teamId, {
    from: startOfDate(today),
    until: startOfDate(addDays(tomorrow, 1)) + NIGHT,
  });
  return { today, tomorrow, visits: visits.map((visit) => crewVisitView(visit, now, sealer)) };
}

/**
 * A visit for its crew: of the customer the first name, the phone only while they may call, and how to get in only on the
 * day.
 */
export function crewVisitView(row: VisitRow, now: Instant, sealer: Sealer) {
  const { instructions, accessCode } = openAccess(
    sealer,
    row.booking_id!,
    maySeeAccess(row, now) ? row.access : null,
  );
  return {
    id: row.id,
    name: row.name,
    status: row.booking_status === 'canceled' || row.booking_status === 'failed' ? 'Cancelled' : row.status,
    date: dateOf(row.starts_at),
    startAt: timeOf(row.starts_at),
    endAt: timeOf(row.ends_at),
    startsAt: toRiyadhIso(row.starts_at),
    endsAt: toRiyadhIso(row.ends_at),
    customer: firstNameOf(row.contact_name),
    phone: mayCall(row, now) ? row.phone : null,
    service: { nameEn: row.service_name, nameAr: row.service_name_ar },
    address: {
      latitude: row.latitude,
      longitude: row.longitude,
      ...forAddressTexts((_, column) => row[column]),
    },
    ...(isVisitOver(row) ? fieldsHidden(BOOKINGS, 'crew') : fieldsShown(BOOKINGS, 'crew', row)),
    instructions,
    accessCode,
    payment: paymentOf(row),
    lateMinutes: row.late_minutes,
    next: nextSteps(row),
  } as const;
}

const firstNameOf = (name: string): string => name.trim().split(/\s+/)[0]!;

function paymentOf({ payment_status, booking_status, amount }: VisitRow) {
  const isDue = payment_status === 'PENDING' || payment_status === 'FAILED';
  const state = payment_status === 'PAID' ? 'PAID' : isDue ? 'DUE' : 'NOTHING';
  return { state, amount: Number(amount), isAwaited: booking_status === 'waiting payment' } as const;
}

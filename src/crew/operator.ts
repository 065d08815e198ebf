import { HOUR, type Instant, toRiyadhIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { paging } from '../http/envelope.ts';
import type { CrewStepsQuery } from './operator-schema.ts';
import type { CrewStepRow } from './table.ts';
import { listStepRows } from './visit-queries.ts';

/** A page of the steps that crews sent, newest first. */
export function searchCrewSteps(
  db: Queryable,
  now: Instant,
  { withinHours, ...query }: CrewStepsQuery,
): Promise<Page<CrewStepRow>> {
  const filter = {
    ...query,
    ...(withinHours !== undefined && { since: now - withinHours * HOUR }),
  };
  return listStepRows(db, filter, paging(query));
}

/** A step in the operator's interface. */
export function crewStepView(row: CrewStepRow) {
  return {
    key: row.key,
    team: { id: row.team_id, name: row.team_name, nameAr: row.team_name_ar },
    appointmentId: row.appointment_id,
    bookingId: row.booking_id,
    trackingReference: row.appointment_name,
    appointmentStatus: row.appointment_status,
    to: row.status,
    reason: row.reason,
    notes: row.notes,
    happenedAt: toRiyadhIso(row.happened_at),
    receivedAt: toRiyadhIso(row.received_at),
    isTimeUncertain: row.is_time_uncertain,
    refusal: row.refusal,
    decision: row.decision,
  };
}

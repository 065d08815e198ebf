import { HOUR, type Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { paging } from '../http/envelope.ts';
import { viewBy } from '../http/fields.ts';
import { CrewStep, type CrewStepsQuery } from './operator-schema.ts';
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
export const crewStepView = (row: CrewStepRow) =>
  viewBy(CrewStep, row, {
    team: { id: row.team_id, name: row.team_name, nameAr: row.team_name_ar },
    trackingReference: row.appointment_name,
    to: row.status,
  });

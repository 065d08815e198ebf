import Type, { type Static } from 'typebox';
import { parseOffsetDateTime } from '../base/clock.ts';
import { APPOINTMENT_STATUSES } from '../bookings/rules.ts';
import { repeatFaults } from '../http/id-lists.ts';
import { Body, Choice, Nullable, StampOfBusiness, Uuid } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { MoveResult } from './reassignment-schema.ts';

/** Body and response of /operator/appointments/done. */

const DoneVisit = Body({
  appointmentId: Uuid('Appointment'),
  begin: StampOfBusiness('When the work began, ISO 8601 with offset', '2026-12-01T09:00:00+03:00'),
  end: StampOfBusiness('When it ended', '2026-12-01T11:00:00+03:00'),
});
export type DoneVisit = Static<typeof DoneVisit>;

export const ReportDone = withRules(
  Body({
    visits: Type.Array(DoneVisit, { minItems: 1, maxItems: 100, description: 'Each appointment once' }),
    preview: Type.Optional(
      Type.Boolean({ description: 'Not in later responses: with it nothing is kept', examples: [false] }),
    ),
  }),
  ({ visits = [] }) => [
    ...repeatFaults(
      'visits',
      visits.map((visit) => visit?.appointmentId),
    ),
    ...visits.flatMap((visit, at) =>
      parseOffsetDateTime(visit?.end ?? '')! <= parseOffsetDateTime(visit?.begin ?? '')!
        ? [`visits.${at}.end must be after begin`]
        : [],
    ),
  ],
);
export type ReportDone = Static<typeof ReportDone>;

const Result = Type.Object(
  {
    ...MoveResult.properties,
    outcome: Choice(['DONE', 'ALREADY_DONE', 'REFUSED'], 'ALREADY_DONE: it was `Completed` before'),
    statuses: Type.Array(Choice([...APPOINTMENT_STATUSES], 'Appointment status'), {
      maxItems: APPOINTMENT_STATUSES.length,
      description: 'The statuses that it passed, in order',
    }),
  },
  { title: 'DoneResult' },
);

export const DoneReport = Type.Object(
  {
    results: Type.Array(Result, { maxItems: 100, description: 'One for each visit, in their order' }),
    groupId: Nullable(Uuid('What the audit entries of these visits have in common; null: a preview')),
  },
  { title: 'DoneReport' },
);

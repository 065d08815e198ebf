import Type, { type Static } from 'typebox';
import { HoldsInTheWay } from '../availability/operator-schema.ts';
import { Timeslot } from '../bookings/schema.ts';
import { reassignChosenFaults, reassignFaults, undoFaults } from '../dispatch/rules.ts';
import { Appointment, displaceHolds } from '../dispatch/schema.ts';
import {
  Body,
  Choice,
  DateInput,
  DateText,
  MAX_UNPAGED,
  Nullable,
  ReadVersion,
  StampOfBusiness,
  Text,
  TimeText,
  teamNames,
  Uuid,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';

/** Bodies and responses of /operator/teams/:id/reassignments and /operator/appointments/reassignments. */

const { Optional } = Type;

const CHOOSES = 'Not in later responses: it chooses the appointments of the plan';

const Move = Body({
  appointmentId: Uuid('Appointment'),
  version: ReadVersion,
  teamId: Uuid('New team'),
  date: DateInput('New Riyadh date'),
  timeslot: Timeslot,
  displaceHolds,
});
export type ReassignMove = Static<typeof Move>;

const Apply = Type.Array(Move, {
  minItems: 1,
  maxItems: 200,
  description: 'Moves to make, each appointment once. Left out: a plan, and nothing is changed',
});

export const Reassign = withRules(
  Body({
    from: StampOfBusiness(
      `From when on the team is away, ISO 8601 with offset. ${CHOOSES}`,
      '2026-12-01T00:00:00+03:00',
    ),
    to: StampOfBusiness(
      `Until when (exclusive), 31 days later at most. ${CHOOSES}`,
      '2026-12-02T00:00:00+03:00',
    ),
    apply: Optional(Apply),
  }),
  reassignFaults,
);
export type Reassign = Static<typeof Reassign>;

/** Of POST /operator/appointments/reassignments. */
export const ReassignChosen = withRules(
  Body({
    appointmentIds: Type.Array(Uuid('Appointment'), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description: `The appointments, those that a schedule left outside of the hours of their teams for instance. ${CHOOSES}`,
    }),
    apply: Optional(Apply),
  }),
  reassignChosenFaults,
);
export type ReassignChosen = Static<typeof ReassignChosen>;

const MoveBack = Body({
  appointmentId: Uuid('Appointment'),
  version: ReadVersion,
  teamId: Uuid('Team that it had'),
  date: DateInput('Riyadh date that it had'),
  timeslot: Timeslot,
  status: Optional(Choice(['Confirmed'], 'Its status at that time, which is `Scheduled` otherwise')),
  displaceHolds,
});
export type MoveBack = Static<typeof MoveBack>;

/** Of POST /operator/appointments/reassignments/undo. */
export const UndoReassignments = withRules(
  Body({
    apply: Type.Array(MoveBack, {
      minItems: 1,
      maxItems: 200,
      description:
        'Appointments to move back, each once, in this order: the last moved first, where one has taken the time of another',
    }),
    timeOff: Optional(
      Body({ teamId: Uuid('Team that was marked as away'), timeOffId: Uuid('Its time off, to be removed') }),
    ),
  }),
  undoFaults,
);
export type UndoReassignments = Static<typeof UndoReassignments>;

export const Undo = Type.Object(
  {
    appointments: Type.Array(Appointment, { maxItems: 200, description: 'The moved ones, by start' }),
    groupId: Uuid('What the audit entries of these moves have in common'),
  },
  { title: 'ReassignmentsUndone' },
);

const Proposal = Type.Object(
  {
    teamId: Uuid('Team'),
    teamName: teamNames.name,
    teamNameAr: teamNames.nameAr,
    date: DateText('Riyadh date'),
    timeslot: Type.Object({
      startAt: TimeText('Start'),
      endAt: TimeText('End; earlier than the start when it is on the next day', '11:00'),
    }),
    keepsDate: Type.Boolean({ description: 'Whether the date stays', examples: [true] }),
    keepsTime: Type.Boolean({ description: 'Whether the time of day stays', examples: [true] }),
    keepsLength: Type.Boolean({ description: 'Whether the length stays, as it does', examples: [true] }),
    detourKm: Type.Number({
      minimum: 0,
      maximum: 50_000,
      description: 'How much further the team goes, in a straight line',
      examples: [3.2],
    }),
    usedMinutes: Type.Integer({
      minimum: 0,
      maximum: 1_440,
      description: 'Minutes of the date that other appointments of the team hold',
      examples: [150],
    }),
    holds: HoldsInTheWay,
  },
  { title: 'ReassignmentProposal' },
);

const PlanRow = Type.Object(
  {
    appointment: Appointment,
    problem: Type.Unsafe<'NOT_MOVABLE' | 'NO_PLACE' | null>({
      enum: ['NOT_MOVABLE', 'NO_PLACE', null],
      description: 'Why there is no proposal: it has begun or is over, or nobody is free within seven days',
      examples: [null],
    }),
    proposal: Type.Union([Proposal, Type.Null()], {
      description:
        'The place that suits best: another team at the same time; else the team itself, when it is back if it was ' +
        'away; else another team at another time',
    }),
    alternatives: Type.Array(Proposal, {
      maxItems: 10,
      description: 'Other places, in this order',
    }),
  },
  { title: 'ReassignmentPlanRow' },
);

export const MoveResult = Type.Object(
  {
    appointmentId: Uuid('Appointment'),
    outcome: Choice(
      ['MOVED', 'ALREADY_THERE', 'REFUSED'],
      'ALREADY_THERE: it has this team and time, because the request was sent before for instance',
    ),
    refusal: Type.Union(
      [
        Type.Object({
          code: Text('Error code, as PATCH /operator/appointments/:id would return it', 'CONFLICT', 100),
          message: Text(
            'What is wrong',
            'It has changed since: look at its present state and decide again',
            500,
          ),
          reason: Nullable(Text('`details.reason` of the error', 'STALE', 100)),
          holds: HoldsInTheWay,
        }),
        Type.Null(),
      ],
      { description: 'Why it was refused' },
    ),
    appointment: Type.Union([Appointment, Type.Null()], {
      description: 'The appointment as it is; null: there is none',
    }),
  },
  { title: 'ReassignmentResult' },
);

export const Reassignments = Type.Object(
  {
    plan: Type.Union([Type.Array(PlanRow, { maxItems: MAX_UNPAGED }), Type.Null()], {
      description: 'Without `apply`: the appointments, by start',
    }),
    results: Type.Union([Type.Array(MoveResult, { maxItems: 200 }), Type.Null()], {
      description: 'With `apply`: one for each move, in its order',
    }),
    groupId: Nullable(Uuid('What the audit entries of these moves have in common')),
  },
  { title: 'Reassignments' },
);

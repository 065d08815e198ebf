import Type, { type Static } from 'typebox';
import { HoldsInTheWay } from '../availability/operator-schema.ts';
import { delayFaults } from '../dispatch/rules.ts';
import { Appointment, displaceHolds } from '../dispatch/schema.ts';
import { Body, Choice, DateInput, MAX_UNPAGED, Nullable, ReadVersion, Stamp, Uuid } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import type { VisitRefusal } from '../teams/visit-queries.ts';

/** Body and response of /operator/teams/:id/delays. */

const { Optional } = Type;

const DelayedVisit = Body({
  appointmentId: Uuid('Appointment'),
  version: ReadVersion,
  status: Optional(
    Choice(['Confirmed'], 'Its status at the new time, which is `Scheduled` otherwise: for undoing a delay'),
  ),
  displaceHolds,
});
export type DelayedVisit = Static<typeof DelayedVisit>;

export const Delay = withRules(
  Body({
    date: DateInput('Riyadh date'),
    minutes: Type.Integer({
      minimum: -480,
      maximum: 480,
      description: 'Delay of the appointments in minutes; negative: earlier, which undoes a delay',
      examples: [30],
    }),
    apply: Optional(
      Type.Array(DelayedVisit, {
        minItems: 1,
        maxItems: 50,
        description: 'Appointments to move, each once. Left out: a plan, and nothing is changed',
      }),
    ),
  }),
  delayFaults,
);
export type Delay = Static<typeof Delay>;

const PlanRow = Type.Object(
  {
    appointment: Appointment,
    startsAt: Stamp('New start', '2026-12-01T09:30:00+03:00'),
    endsAt: Stamp('New end', '2026-12-01T11:30:00+03:00'),
    problem: Type.Unsafe<VisitRefusal | 'UNDER_WAY' | null>({
      enum: ['INACTIVE', 'NOT_IN_ZONE', 'NO_SKILL', 'OFF_SHIFT', 'TIME_OFF', 'UNDER_WAY', null],
      description:
        'UNDER_WAY: the team is on its way or there, so the time stays, and the customer is to be told. Another one: the ' +
        'rule that the new time breaks; it can be moved all the same',
      examples: [null],
    }),
    holds: HoldsInTheWay,
  },
  { title: 'DelayPlanRow' },
);

export const TeamDelay = Type.Object(
  {
    plan: Type.Union([Type.Array(PlanRow, { maxItems: MAX_UNPAGED }), Type.Null()], {
      description: 'Without `apply`: what the team has to begin yet on the date, by start',
    }),
    appointments: Type.Union([Type.Array(Appointment, { maxItems: 50 }), Type.Null()], {
      description: 'With `apply`: the moved ones, by start',
    }),
    groupId: Nullable(Uuid('What the audit entries of these moves have in common')),
  },
  { title: 'TeamDelay' },
);

import Type, { type Static } from 'typebox';
import { APPOINTMENT_STATUSES } from '../bookings/rules.ts';
import { BOOKINGS } from '../bookings/table.ts';
import { AddressTextsShown, DEGREES } from '../contacts/schema.ts';
import { shownFields } from '../http/fields.ts';
import {
  Body,
  Choice,
  ChoiceOrNull,
  DateText,
  Nullable,
  Stamp,
  Text,
  TimeText,
  Uuid,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { Pin } from './operator-schema.ts';
import {
  CREW_REASONS,
  CREW_STATUSES,
  CREW_STEPS,
  MAX_DELAY,
  REFUSALS,
  SESSION_COOKIE,
  stepFaults,
} from './rules.ts';

/** Bodies and responses of /crew/api. */

const { Optional } = Type;

// ---------------------------------------------------------------------------
// Sessions

export const OpenCrewSession = Body({
  link: Text(
    'Token of a link. Not in later responses: a secret',
    'pbs_crew_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbK',
    200,
  ),
  pin: Optional(Pin),
  teamId: Optional(
    Uuid(
      'The team that the telephone shows: a link of another one is refused, with the reason other-team. Not in later ' +
        'responses: the session has the team of the link',
    ),
  ),
});

export const CrewMe = Type.Object(
  {
    teamId: Uuid('Team'),
    teamName: Text('Its name', 'Team 1'),
    teamNameAr: Text('Arabic name, or the other one when there is none', 'الفريق 1'),
    expiresAt: Nullable(Stamp('When the link ends, in real time; null: when it is revoked')),
    endsAt: Nullable(Stamp("When the link ends, by the service's time; null: when it is revoked")),
    now: Stamp("The service's time; a sandbox's may be ahead of real time"),
  },
  { title: 'CrewMe' },
);

/** The header of responses that set the cookie of a session, or remove it. */
export const CrewCookie = (statuses: number[]) => ({
  'Set-Cookie': {
    schema: Type.String({
      pattern: `^${SESSION_COOKIE}=[ -~]*$`,
      maxLength: 300,
      description: "The cookie of the session, for the crew's pages only; no script can read it",
      examples: [
        'pbs_crew=pbs_crew_session_pJ52N_cIRvIu7FR1jSSbY5e4LpuN0LWZ11DgvdoQ4Jo; Path=/crew; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure',
      ],
    }),
    statuses,
  },
});

export const CrewSignedOut = Type.Object({ signedOut: Type.Literal(true) }, { title: 'CrewSignedOut' });

// ---------------------------------------------------------------------------
// Visits

const degrees = (description: string, example: string) =>
  Nullable(Type.String({ ...DEGREES, description, examples: [example] }));

const CrewVisit = Type.Object(
  {
    id: Uuid('Appointment'),
    name: Text('Tracking reference', 'SA-0042', 36),
    status: Choice([...APPOINTMENT_STATUSES], 'Status; Cancelled too when its booking has ended'),
    date: DateText('Riyadh date on which it starts'),
    startAt: TimeText('Start, Riyadh time'),
    endAt: TimeText('End; earlier than the start when it is on the next day', '11:00'),
    startsAt: Stamp('Start; a step names it'),
    endsAt: Stamp('End'),
    customer: Text('First name of the customer', 'Noura'),
    phone: Nullable(
      Type.String({
        format: 'phone',
        description: 'From an hour before the start until the end; null: not now',
        examples: ['+966501234567'],
      }),
    ),
    service: Type.Object({
      nameEn: Text('English name', 'Deep cleaning'),
      nameAr: Text('Arabic name', 'تنظيف عميق'),
    }),
    address: Type.Object({
      latitude: degrees('Decimal degrees', '24.7136'),
      longitude: degrees('Decimal degrees', '46.6753'),
      ...AddressTextsShown,
    }),
    ...shownFields(BOOKINGS, 'crew'),
    instructions: Nullable(
      Text(
        'Access instructions, on the day of the visit or the evening before its night; null: none, or not now',
        'Side entrance',
        500,
      ),
    ),
    accessCode: Nullable(
      Text('Code of a door or gate, as the instructions; null: none, or not now', '4711#', 50),
    ),
    payment: Type.Object({
      state: Choice(['PAID', 'DUE', 'NOTHING'], 'Whether it is paid'),
      amount: Type.Number({ minimum: 0, maximum: 1e10, description: 'SAR', examples: [150] }),
      isAwaited: Type.Boolean({
        description: 'Whether the visit has to wait for the payment',
        examples: [false],
      }),
    }),
    lateMinutes: Nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DELAY,
        description: 'The delay that was reported for this start, which stays; null: none',
        examples: [30],
      }),
    ),
    next: Type.Array(Choice([...CREW_STATUSES], 'Status'), {
      maxItems: CREW_STATUSES.length,
      description: 'The steps that may be taken now',
      examples: [['In The Way']],
    }),
  },
  { title: 'CrewVisit' },
);

export const CrewDay = Type.Object(
  {
    today: DateText('Riyadh date'),
    tomorrow: DateText('The day after'),
    visits: Type.Array(CrewVisit, {
      maxItems: 1_000,
      description:
        'Of today and tomorrow with the night after, and of yesterday those that are not over, by start',
    }),
  },
  { title: 'CrewDay' },
);

/** The header by which telephones learn how far their clock is off. */
export const ServiceTime = {
  'Service-Time': {
    schema: Type.String({
      format: 'date-time',
      maxLength: 24,
      description: "The service's time; a sandbox's may be ahead of real time",
      examples: ['2026-11-22T05:00:00.000Z'],
    }),
    statuses: [200, 304],
  },
};

// ---------------------------------------------------------------------------
// Steps

export const VisitParams = Type.Object({ id: Uuid('Visit') });

export const TakeStep = withRules(
  Body({
    key: Uuid('Made by the telephone, new for each step: a repetition is the same step'),
    to: Choice(
      [...CREW_STEPS],
      'The status that the visit gets; Late: it gets none, the team comes later by `minutes`',
    ),
    startsAt: Stamp(
      '`startsAt` of the visit as the telephone showed it: of another working day the step is refused. Not in later ' +
        'responses: the visit has its own',
    ),
    happenedAt: Stamp('When it happened, by the clock of the telephone; at most 12 hours ago'),
    sentAt: Stamp(
      'When it is sent, by the same clock, which may be wrong: the difference counts. Not in later responses: `happenedAt` ' +
        'has the difference',
    ),
    ahead: Optional(
      Type.Integer({
        minimum: -1e13,
        maximum: 1e13,
        description:
          'Milliseconds by which the service was ahead of that clock at its last answer before the step. When they differ ' +
          'by more than two minutes from those at the sending, the clock was set: the time is uncertain, and is ' +
          '`happenedAt` with them. Not in later responses: `happenedAt` has them',
        examples: [0],
      }),
    ),
    reason: Optional(Choice([...CREW_REASONS], 'Why it cannot be completed')),
    text: Optional(Text('Why, in words; of Finished a note for the office', 'Rang three times', 500)),
    minutes: Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_DELAY,
        description:
          'Of Late, after the start; 0: on time after all. Refused an hour after it happened. The visit has it as `lateMinutes`',
        examples: [30],
      }),
    ),
  }),
  stepFaults,
);
export type TakeStep = Static<typeof TakeStep>;

export const StepTaken = Type.Object(
  {
    outcome: Choice(['DONE', 'REFUSED'], 'DONE also when the visit had that status already'),
    refusal: ChoiceOrNull(REFUSALS, 'Why it was refused; the office sees it too. null: done'),
    visit: Type.Union([CrewVisit, Type.Null()], {
      description: "The visit as it is now; null: it is not the team's, or the link has ended",
    }),
  },
  { title: 'CrewStepTaken' },
);

import Type, { type Static } from 'typebox';
import { APPOINTMENT_STATUSES } from '../bookings/rules.ts';
import { Body, Choice, Nullable, PageQuery, Stamp, Text, teamNames, Uuid } from '../http/schemas.ts';
import { CREW_REASONS, CREW_STEPS, LINK_STATUSES, MAX_DELAY, REFUSALS } from './rules.ts';

/** Links and steps of crews in the operator's interface. */

const { Optional } = Type;

export const Pin = Type.String({
  pattern: '^[0-9]{4,8}$',
  maxLength: 8,
  description: '4 to 8 digits. Not in later responses: a secret, `hasPin` of the link says that there is one',
  examples: ['4711'],
});

export const CreateCrewLink = Body({
  lasts: Optional(
    Choice(
      ['DAY', 'UNTIL_REVOKED'],
      'Until when it works; default DAY: 24 hours from its making, and until the end of the shift of the team that is running then',
    ),
  ),
  pin: Optional(Pin),
});
export type CreateCrewLink = Static<typeof CreateCrewLink>;

const linkFields = {
  id: Uuid('Link'),
  teamId: Uuid('Team'),
  status: Choice([...LINK_STATUSES], 'LOCKED: after 10 wrong PINs; telephones that are signed in stay so'),
  hasPin: Type.Boolean({ description: 'Whether it asks for a PIN', examples: [false] }),
  telephones: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'How many have opened it',
    examples: [1],
  }),
  lastSeenAt: Nullable(Stamp('When one of them was last seen, in real time; null: never')),
  createdBy: Text('Who made it, as in the audit log', 'operator:first-token'),
  createdAt: Stamp('When it was made, in real time'),
  expiresAt: Nullable(Stamp('Until when it works, in real time; null: until it is revoked')),
  revokedAt: Nullable(Stamp('null: it was not revoked')),
};

export const CrewLink = Type.Object(linkFields, { title: 'CrewLink' });
export const CrewLinkWithUrl = Type.Object(
  {
    ...linkFields,
    url: Type.String({
      format: 'uri',
      maxLength: 2_048,
      description: 'The link; only shown in this response. What is behind # is sent to no server',
      examples: ['https://booking.example/crew#link=pbs_crew_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbK'],
    }),
  },
  { title: 'CrewLinkWithUrl' },
);
export const CrewLinksQuery = Type.Object({ ...PageQuery });
export const CrewLinks = Type.Object(linkFields, { title: 'CrewLink' });

export const TeamParams = Type.Object({ id: Uuid('Team') });
export const CrewLinkParams = Type.Object({ id: Uuid('Link') });

export const CrewStepsQuery = Type.Object({
  teamId: Optional(Uuid('Filter by team')),
  appointmentId: Optional(Uuid('Filter by appointment')),
  outcome: Optional(
    Choice(
      ['DONE', 'REFUSED', 'UNDECIDED'],
      'Filter by outcome; UNDECIDED: refused, and nobody has decided about it, which delays do not need',
    ),
  ),
  withinHours: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_160,
      description: 'Received within these hours',
      examples: [24],
    }),
  ),
  ...PageQuery,
});
export type CrewStepsQuery = Static<typeof CrewStepsQuery>;

export const CrewStep = Type.Object(
  {
    key: Uuid('Key of the step'),
    team: Type.Object({ id: Uuid('Team'), ...teamNames }),
    appointmentId: Uuid('Appointment'),
    bookingId: Uuid('Its booking'),
    trackingReference: Text('Its name', 'SA-0042', 36),
    appointmentStatus: Choice([...APPOINTMENT_STATUSES], 'Its status now'),
    to: Choice([...CREW_STEPS], 'The status that it was to get; Late: none, the team runs late'),
    lateMinutes: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: MAX_DELAY,
        description: 'Of Late, after the start; 0: on time after all',
        examples: [30],
      }),
    ),
    reason: Nullable(Text('Why it could not be completed', CREW_REASONS[0], 40)),
    notes: Nullable(
      Text('The same, or of Finished a note, in the words of the crew', 'Rang three times', 500),
    ),
    happenedAt: Stamp("When it happened, by the telephone's account"),
    receivedAt: Stamp('When it came'),
    isTimeUncertain: Type.Boolean({
      description: "Whether the telephone's clock was set between the step and its sending",
      examples: [false],
    }),
    refusal: Nullable(Text(`null: done. Else ${REFUSALS.join(', ')}`, 'RESCHEDULED', 40)),
    decision: Nullable(Text('TAKEN as reported or LEFT refused by the office; null: neither', 'TAKEN', 5)),
  },
  { title: 'CrewStep' },
);

export const CrewStepParams = Type.Object({ id: Uuid('Team'), key: Uuid('Key of the step') });
export const DecideCrewStep = Body({
  decision: Choice(
    ['TAKE', 'LEAVE'],
    'TAKE: the visit gets the status as reported, with its time, after the refused steps of the team before it; ' +
      'LEAVE: it stays refused',
  ),
});

import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { Choice, DateText, MAX_UNPAGED, Stamp, Text, teamNames, Uuid, zoneNames } from '../http/schemas.ts';

/** The sold visits that a change puts out of place, in its preview and its response. */

/** Rows in a response. */
export const MAX_CONFLICTS = 1_000;

/** Of the team first, then of what is offered. */
export const CONFLICT_CAUSES = [
  'INACTIVE',
  'NOT_IN_ZONE',
  'NO_SKILL',
  'OFF_SHIFT',
  'TIME_OFF',
  'SERVICE_OFF',
  'NOT_OFFERED_IN_ZONE',
  'OUTSIDE_ZONE',
] as const;
export type ConflictCause = (typeof CONFLICT_CAUSES)[number];

const { Optional } = Type;
const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });
const digest = Type.String({
  pattern: '^[0-9a-f]{16}$',
  minLength: 16,
  maxLength: 16,
  description: 'Of all these appointments; `expect` takes it',
  examples: ['9f86d081884c7d65'],
});

export const PreviewQuery = Type.Object({
  preview: Optional(Choice(['true', 'false'], 'true: only says what would come of it. Default false')),
  expect: Optional({
    ...digest,
    description:
      'The `digest` of the preview. When the change hits other appointments by now, one that was sold since for instance, it is ' +
      'refused with 409 `CONFLICT` and the new list in `details.conflicts`',
  }),
});
export type PreviewQuery = Static<typeof PreviewQuery>;

export const Conflicts = Type.Object(
  {
    total: count('Appointments to begin that the change puts out of place; they keep team and time', 12),
    ofSeries: count('Those of them that are visits of a series', 5),
    digest,
    days: Type.Array(
      Type.Object({
        date: DateText('Riyadh date of the start'),
        zoneId: Uuid('Zone'),
        zoneName: zoneNames.name,
        zoneNameAr: zoneNames.nameAr,
        appointments: count('Number of appointments', 3),
      }),
      { maxItems: MAX_UNPAGED, description: 'By day and zone' },
    ),
    rows: Type.Array(
      Type.Object({
        appointmentId: Uuid('Appointment'),
        bookingId: Uuid('Its booking'),
        trackingReference: Text('Tracking reference', 'SA-0042', 36),
        startsAt: Stamp('Start'),
        endsAt: Stamp('End'),
        zone: Type.Object({ id: Uuid('Zone'), ...zoneNames }),
        team: Type.Object({ id: Uuid('Team'), ...teamNames }),
        contact: Type.Object({
          name: Text('Customer', 'Noura'),
          phone: Text('Phone', '+966501234567', 20),
        }),
        reasons: Type.Array(Choice([...CONFLICT_CAUSES], 'Why it is out of place'), {
          minItems: 1,
          maxItems: CONFLICT_CAUSES.length,
          description: 'Why it is out of place',
        }),
      }),
      { maxItems: MAX_CONFLICTS, description: 'The first by start' },
    ),
  },
  { title: 'Conflicts' },
);

/** The response to a change of the resource; with `preview` or `expect` it names the appointments. */
export const WithConflicts = <Fields extends TProperties>(resource: TObject<Fields>, title: string) =>
  Type.Object(
    {
      ...resource.properties,
      isApplied: Optional(
        Type.Boolean({
          description: 'false: it was a preview. Only with `preview` or `expect`',
          examples: [true],
        }),
      ),
      conflicts: Optional(Conflicts),
    },
    { title },
  );

import Type, { type Static } from 'typebox';
import {
  DateInput,
  DateText,
  MAX_UNPAGED,
  Nullable,
  periodRules,
  teamNames,
  Uuid,
  zoneNames,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';

/** Query and response of /operator/utilisation. */

const MAX_DAYS = 92;

export const UtilisationQuery = withRules(
  Type.Object({
    from: DateInput('First Riyadh date'),
    to: DateInput(`Last Riyadh date; ${MAX_DAYS} days at most`),
  }),
  periodRules(MAX_DAYS),
);
export type UtilisationQuery = Static<typeof UtilisationQuery>;

const minutes = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });

const figures = {
  workableMinutes: minutes('Minutes of shifts, without time off', 600),
  bookedMinutes: minutes('Minutes of appointments that are not cancelled, without travel', 270),
  utilisation: Nullable(
    Type.Number({
      minimum: 0,
      description: 'Booked of workable minutes; above 1: booked outside shifts. null: nobody works',
      examples: [0.45],
    }),
  ),
};

export const Utilisation = Type.Object(
  {
    from: DateText('First date'),
    to: DateText('Last date'),
    ...figures,
    zones: Type.Array(
      Type.Object(
        {
          id: Uuid('Zone'),
          ...zoneNames,
          ...figures,
          days: Type.Array(
            Type.Object({ date: DateText('Riyadh date'), ...figures }, { title: 'UtilisationDay' }),
            { maxItems: MAX_DAYS, description: 'Each date, in order' },
          ),
        },
        { title: 'UtilisationZone' },
      ),
      { maxItems: MAX_UNPAGED, description: 'Active zones, and those with appointments, by name' },
    ),
    teams: Type.Array(
      Type.Object(
        {
          id: Uuid('Team'),
          ...teamNames,
          isActive: Type.Boolean({ description: 'Whether it can be booked', examples: [true] }),
          ...figures,
        },
        { title: 'UtilisationTeam' },
      ),
      { maxItems: MAX_UNPAGED, description: 'Active teams, and those with appointments, by name' },
    ),
  },
  { title: 'Utilisation' },
);

import Type, { type Static, type TProperties } from 'typebox';
import { PUNCTUAL_MINUTES } from '../dispatch/attention-rules.ts';
import {
  DateInput,
  DateText,
  MAX_UNPAGED,
  Nullable,
  periodRules,
  Text,
  teamNames,
  Uuid,
  zoneNames,
} from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';

/** Query and response of /operator/punctuality. */

const MAX_DAYS = 92;

const minutesIn = {
  minimum: 0,
  maximum: 240,
  description: 'Minutes after the start within which a visit begins in time',
};

export const PunctualityQuery = withRules(
  Type.Object({
    from: DateInput('First Riyadh date'),
    to: DateInput(`Last Riyadh date; ${MAX_DAYS} days at most`),
    minutes: Type.Optional(
      Type.Integer({ ...minutesIn, default: PUNCTUAL_MINUTES, examples: [PUNCTUAL_MINUTES] }),
    ),
  }),
  periodRules(MAX_DAYS),
);
export type PunctualityQuery = Static<typeof PunctualityQuery>;

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });

const figures = {
  visits: count('Visits that should have begun by now', 20),
  punctual: count('Begun within the minutes, or before the start', 17),
  late: count('Begun later', 2),
  notBegun: count('Not begun, as far as is known', 1),
  share: Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Punctual of all; null: none', examples: [0.85] }),
  ),
};

const rowsOf = <T extends TProperties>(title: string, what: string, names: T, description: string) =>
  Type.Array(Type.Object({ id: Uuid(what), ...names, ...figures }, { title }), {
    maxItems: MAX_UNPAGED,
    description,
  });

const partnerName = { name: Text('Its name', 'Home Deals') };

export const Punctuality = Type.Object(
  {
    from: DateText('First date'),
    to: DateText('Last date'),
    minutes: Type.Integer({ ...minutesIn, examples: [PUNCTUAL_MINUTES] }),
    ...figures,
    teams: rowsOf('PunctualityTeam', 'Team', teamNames, 'Teams with visits, by name'),
    zones: rowsOf('PunctualityZone', 'Zone', zoneNames, 'Zones with visits, by name'),
    partners: rowsOf('PunctualityPartner', 'Partner', partnerName, 'Partners with visits, by name'),
  },
  { title: 'Punctuality' },
);

import Type, { type Static } from 'typebox';
import { Nullable, Stamp, Text, Uuid } from '../http/schemas.ts';
import { RequestsQuery } from '../requests/schema.ts';

const { Optional } = Type;
const { partnerId: _, ...filters } = RequestsQuery.properties;

export const PortalRequestsQuery = Type.Object(filters);
export type PortalRequestsQuery = Static<typeof PortalRequestsQuery>;

export const USAGE_HOURS = { max: 14 * 24, usual: 24 } as const;

export const UsageQuery = Type.Object({
  hours: Optional(
    Type.Integer({
      minimum: 1,
      maximum: USAGE_HOURS.max,
      default: USAGE_HOURS.usual,
      description: 'Hours until now that are looked at',
      examples: [24],
    }),
  ),
});

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });

export const Usage = Type.Object(
  {
    from: Stamp('Since when'),
    peaks: Type.Array(
      Type.Object(
        {
          keyId: Uuid('Key'),
          requests: Count('The most requests of the key in any 60 seconds', 57),
          at: Stamp('When those 60 seconds began'),
        },
        { title: 'PortalPeak' },
      ),
      { maxItems: 10_000, description: 'Of each key that was used' },
    ),
    errors: Type.Array(
      Type.Object(
        {
          code: Nullable(Text('`error.code`', 'FORBIDDEN', 50)),
          status: Type.Integer({ minimum: 400, maximum: 599, description: 'Status', examples: [403] }),
          method: Text('Method', 'POST', 20),
          route: Nullable(Text("The route's pattern; null: there is none", '/v1/partners/bookings', 300)),
          count: Count('How many', 12),
          lastAt: Stamp('When the newest of them was answered'),
          lastId: Text('The newest of them in the log', '4811', 18),
        },
        { title: 'PortalErrorGroup' },
      ),
      { maxItems: 10_000, description: 'Refused requests by code and route, the most frequent first' },
    ),
  },
  { title: 'PortalUsage' },
);

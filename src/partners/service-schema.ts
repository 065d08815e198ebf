import Type, { type Static, type TSchema } from 'typebox';
import { MAX_MONEY } from '../base/money.ts';
import { Body, Nullable, ReadVersion, Uuid, Version } from '../http/schemas.ts';
import { withRules } from '../http/validation.ts';
import { ComingPrices } from './price-schema.ts';
import { AMOUNT, duplicateServiceFaults } from './service-rules.ts';

const restricted = Type.Boolean({
  description: 'true: only the services listed may be booked; false: every active one',
  examples: [true],
});

const price = Nullable(
  Type.Number({
    minimum: 0,
    maximum: MAX_MONEY,
    rule: AMOUNT,
    description: "SAR, at most two decimals; null: the service's default price",
    examples: [249.5],
  }),
);

const comingPrices = ComingPrices(price);

const listOf = <T extends TSchema>(item: T) =>
  Type.Array(item, {
    maxItems: 1000,
    description: 'The services and their prices for this partner, each service once',
  });

export const PutPartnerServices = withRules(
  Body({
    version: Type.Optional(ReadVersion),
    restricted,
    services: listOf(
      Body({
        serviceId: Uuid('Service'),
        price: Type.Optional(price),
        comingPrices: Type.Optional(comingPrices),
      }),
    ),
  }),
  duplicateServiceFaults,
);
export type PutPartnerServices = Static<typeof PutPartnerServices>;

export const PartnerServices = Type.Object(
  {
    version: Version,
    restricted,
    services: listOf(Type.Object({ serviceId: Uuid('Service'), price, comingPrices })),
  },
  { title: 'PartnerServices' },
);

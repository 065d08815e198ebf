import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Type, { type TProperties } from 'typebox';
import { Body, Changes, Nullable, Uuid, Words } from '../src/http/schemas.ts';
import { type JsonSchema, toJsonSchema } from '../src/openapi/schemas.ts';
import { PutPartnerServices } from '../src/partners/service-schema.ts';
import { FORMAT, fieldsOf, fieldThere } from '../src/setup/content.ts';
import { KINDS, type Kind, RESOURCES } from '../src/setup/document.ts';
import { MAX_ENTRIES } from '../src/setup/files.ts';
import { Shifts } from '../src/teams/schema.ts';

/** Writes docs/setup.schema.json, by which editors complete and check set-up files; test/setup-schema.test.ts compares it. */
const FILE = fileURLToPath(new URL('../docs/setup.schema.json', import.meta.url));

const { Optional } = Type;

const Reference = (example: string) =>
  Words('By its name, as this file has it or else the deployment; or by its id', example);
const References = (what: string, example: string) =>
  Type.Array(Reference(example), { maxItems: 1_000, description: `${what}: by name or id, each once` });

const { weekday, startAt, endAt } = Shifts.items.properties;
const weekdays = Type.Array(weekday, { minItems: 1, maxItems: 7, description: 'Days with the same hours' });
const Hours = Type.Array(Body({ weekday: Optional(weekday), weekdays: Optional(weekdays), startAt, endAt }), {
  maxItems: 50,
  description: 'Hours by `weekday` or `weekdays`, 1 (Monday) to 7 (Sunday), without overlaps',
});
const { restricted, services } = PutPartnerServices.properties;
const { price, comingPrices } = services.items.properties;
const Prices = Type.Array(Body({ service: Reference('Sofa cleaning'), price, comingPrices }), {
  maxItems: 1_000,
  description: 'Prices of its own, each service once. Those of services that are not named stay',
});
const assigned = { partner: Reference('Riyadh Homes'), service: Reference('Sofa cleaning') };
const Assignments = Type.Array(
  Body({ partner: Optional(Nullable(assigned.partner)), service: Optional(Nullable(assigned.service)) }),
  { maxItems: 1_000, description: 'For whose bookings it holds: of a partner, a service, or both' },
);

/** The fields that a file has otherwise than the interface. */
const OTHERS: TProperties = {
  category: Reference('Deep cleaning'),
  services: References('Services', 'Sofa cleaning'),
  zones: Nullable(References('Zones', 'Riyadh North')),
  homeZone: Nullable(Reference('Riyadh North')),
  confirmedOverlaps: References('Zones of equal priority that it may overlap', 'Riyadh East'),
  teams: Nullable(References('Teams', 'Team 1')),
  shifts: Hours,
  weekly: Nullable(Hours),
  restricted,
  prices: Prices,
  assignments: Assignments,
};

/** An entry: what is left out stays as it is, and a new one has what the interface requires. */
function entryOf(kind: Kind) {
  const id = Uuid('Wins over the name, so that a rename is one. Left out or unknown here: found by its name');
  const { properties } = RESOURCES[kind].create;
  const fields = fieldsOf(kind).map((name) => [name, OTHERS[name] ?? properties[fieldThere(name)[0]]]);
  return Changes(Body({ ...Object.fromEntries(fields), id }));
}

const STATE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const SetupDocument = Body({
  $schema: Optional(
    Type.String({ maxLength: 1_000, description: 'Of this schema', examples: ['./setup.schema.json'] }),
  ),
  format: Type.Literal(FORMAT),
  state: Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'Of the deployment at the export: what has changed since is not overwritten. Leave it out of a file of your own',
      examples: [STATE],
    }),
  ),
  ...Object.fromEntries(
    KINDS.map((kind) => [kind, Optional(Type.Array(entryOf(kind), { maxItems: MAX_ENTRIES }))]),
  ),
});

/** The JSON schema (2020-12) of a set-up file, in keywords of the standard. */
export function setupSchema(): string {
  const components = {};
  const { properties, ...schema } = toJsonSchema(SetupDocument, components);
  if (Object.keys(components).length > 0)
    throw new Error('a part has a title: the file would refer to nowhere');
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Set-up of a cleaning company',
    ...schema,
    properties,
  };
  return `${JSON.stringify(document, withoutIntegers, 2)}\n`;
}

/** OpenAPI's formats of integers are none of JSON Schema. */
function withoutIntegers(_name: string, value: unknown): unknown {
  const { format, ...rest } = Object(value) as JsonSchema;
  return typeof format === 'string' && /^int\d\d$/.test(format) ? rest : value;
}

if (import.meta.main) {
  writeFileSync(FILE, setupSchema());
  console.log('docs/setup.schema.json is written');
}

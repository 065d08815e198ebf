import Type, { type Static, type TOptional, type TProperties, type TSchema } from 'typebox';
import { addDays, dateOf, isCalendarDate, parseOffsetDateTime } from '../base/clock.ts';
import type { Rule } from './validation.ts';

/** Building blocks of every slice's schema.ts. A `title` makes a component of the OpenAPI document. */

/** A UUID in its usual form, of any version. */
export const Uuid = (description: string, example = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10') =>
  Type.String({ format: 'uuid', description, examples: [example] });

/** A date of the calendar, `2026-12-01`. */
export const DateText = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-12-01'] });

/** A date in a request, also in the midnight form of bookings in responses. */
export const DateInput = (description: string) =>
  Type.String({
    format: 'date',
    midnightForm: true,
    description: `${description} (or \`2026-12-01T00:00:00.000Z\`, as bookings have it)`,
    examples: ['2026-12-01'],
  });

/** A time of the day, `09:00`. */
export const TimeText = (description: string, example = '09:00') =>
  Type.String({ format: 'time', description, examples: [example] });

/** A name: 1 to `max` code points after trimming, on one line and in one writing direction. */
export const Name = (description: string, example: string, max = 200) =>
  Type.String({ ...Words(description, example, max), isLine: true });

/** The Arabic name of what has an English one, in a request or the resource itself; null: none. */
export const ArabicName = (example: string) =>
  Nullable(Name('Arabic name; null: none, the English name is shown', example));

/** A text that is not blank: 1 to `max` code points after trimming. */
export const Words = (description: string, example: string, max = 200) =>
  Type.String({ format: 'text', trimmedLength: [1, max], description, examples: [example] });

/** A text that may be empty: up to `max` code points. */
export const Text = (description: string, example: string, max = 200) =>
  Type.String({ format: 'text', maxLength: max, description, examples: [example] });

/** The value or null, as one list of types, so that its messages read like any other. */
export const Nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

/** The fields, each of which may be left out. */
export const optional = <Fields extends TProperties>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)])) as {
    [Name in keyof Fields]: TOptional<Fields[Name]>;
  };

/** Names of a team in responses. */
export const teamNames = {
  name: Text('Its name', 'Team 1'),
  nameAr: Nullable(Text('Its Arabic name; null: none', 'الفريق 1')),
};
/** Names of a zone in responses. */
export const zoneNames = {
  name: Text('Its name', 'Riyadh North'),
  nameAr: Nullable(Text('Its Arabic name; null: none', 'شمال الرياض')),
};

/** An instant, ISO 8601 with offset. */
export const Stamp = (description = 'ISO 8601 with offset', example = '2026-11-22T08:00:00+03:00') =>
  Type.String({ format: 'date-time', description, examples: [example] });

/** An instant in a request, limited to the dates from 2000 to 2100. */
export const StampOfBusiness = (description: string, example: string) =>
  Type.String({ format: 'date-time', rule: IN_YEARS, description, examples: [example] });

const IN_YEARS: Rule<string> = {
  check(text) {
    const instant = parseOffsetDateTime(text);
    return instant !== null && isCalendarDate(dateOf(instant));
  },
  message: 'must be in the years 2000 to 2100',
};

/** Rules of a query with the Riyadh dates `from` and `to`, both inclusive: in order, and `maxDays` at most. */
export const periodRules =
  (maxDays: number) =>
  ({ from, to }: { from?: string; to?: string }): string[] => {
    if (from === undefined || to === undefined) return [];
    if (to < from) return ['to must not be before from'];
    return addDays(from, maxDays) <= to ? [`to must be less than ${maxDays} days after from`] : [];
  };

/** Counts the changes of a resource: its `ETag`, and the value of `If-Match` (http/if-match.ts). */
export const Version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Changes with every change; what `If-Match` names',
  examples: [3],
});

/** The version in a body, of what the body changes. */
export const ReadVersion = {
  ...Version,
  description:
    'As it was read; heeded as `If-Match` is. Not in later responses: the change makes it the next one',
};

/** Rows of a list without pages. */
export const MAX_UNPAGED = 10_000;

export const Choice = <T extends string[]>(
  values: readonly [...T],
  description: string,
  example: T[number] | undefined = values[0],
) => Type.Enum<T>(values, { description, examples: [example] });

/** One of the values, or null. */
export const ChoiceOrNull = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T | null>({ enum: [...values, null], description, examples: [null] });

/** An object without unknown fields; `hints` explain refused ones in whole sentences, by field name. */
export const Body = <T extends Record<string, TSchema>>(
  properties: T,
  hints?: Record<string, string>,
  title?: string,
) =>
  Type.Object(properties, { additionalProperties: false, ...(hints && { hints }), ...(title && { title }) });

/** For operations without a body; their routes accept an absent one too. */
export const NoFields = Body({}, undefined, 'NoFields');

/** `page` and `limit` of section 4's conventions. */
export const PageQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      default: 1,
      description: 'Page number, starting at 1',
      examples: [1],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Rows per page', examples: [20] }),
  ),
};

/** `sortBy` and `sortOrder` of a list; the first of `orders` is the default. */
export const SortQuery = <T extends string[]>(orders: readonly [...T], usual: 'ASC' | 'DESC') => ({
  sortBy: Type.Optional(Choice(orders, `Order; ties are broken by id. Default ${orders[0]}`)),
  sortOrder: Type.Optional(Choice(['ASC', 'DESC'], `Default ${usual}`, usual)),
});

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] });

export const PageMeta = Type.Object(
  {
    page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Page number', examples: [1] }),
    limit: Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum rows per page', examples: [20] }),
    total: Count('Total number of rows', 1),
    totalPages: Count('Total number of pages', 1),
  },
  { title: 'PageMeta' },
);

/** The envelope of section 2 around one object. */
export const Success = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data });

/** All rows of a list without pages. */
export const SuccessList = <T extends TSchema>(item: T) =>
  Success(Type.Array(item, { maxItems: MAX_UNPAGED }));

/** The envelope of section 2 around a page. */
export const SuccessPage = <T extends TSchema>(item: T) =>
  Type.Object({ success: Type.Literal(true), data: Type.Array(item, { maxItems: 100 }), meta: PageMeta });

export const Removed = Type.Object(
  { id: Uuid('What was removed'), removed: Type.Literal(true) },
  { title: 'Removed' },
);

/** Ids, each once. */
export const Ids = (description: string) =>
  Type.Array(Uuid('Id'), { uniqueItems: true, maxItems: 1_000, description });

/** Query parameters of every list. */
export const ListQuery = {
  search: Type.Optional(Text('Part of the name, case-insensitive', 'clean')),
  isActive: Type.Optional(Choice(['true', 'false'], 'Filter by active or inactive')),
  ...PageQuery,
};

/** A body with the same fields, none of them required. */
export const Changes = <T extends Record<string, TSchema>>(body: Type.TObject<T>) =>
  Type.Partial(body, { additionalProperties: false });

export const IdParams = Type.Object({ id: Uuid('The resource') });

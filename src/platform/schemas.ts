import Type, { type Static, type TSchema } from 'typebox';

/** The building blocks that every slice's schema.ts uses. A `title` makes a component of the OpenAPI document. */

export const Uuid = (description: string, example = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10') =>
  Type.String({ format: 'uuid', description, examples: [example] });

export const DateText = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-12-01'] });

export const TimeText = (description: string, example = '09:00') =>
  Type.String({ format: 'time', description, examples: [example] });

/** A name or other text that must say something: 1 to `max` code points after trimming. */
export const Name = (description: string, example: string, max = 200) =>
  Type.String({ format: 'text', trimmedLength: [1, max], description, examples: [example] });

/** A text that may be empty: up to `max` code points. */
export const Text = (description: string, example: string, max = 200) =>
  Type.String({ format: 'text', maxLength: max, description, examples: [example] });

/** An instant, ISO 8601 with offset. */
export const Stamp = (description = 'ISO 8601 with offset', example = '2026-11-22T08:00:00+03:00') =>
  Type.String({ format: 'date-time', description, examples: [example] });

/** The value or null, as one type list: a fault of it then reads like any other. */
export const Nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

/** How many a list without pages holds at most: far more than anybody sets up. */
export const MOST_UNPAGED = 10_000;

export const Choice = <T extends string[]>(
  values: readonly [...T],
  description: string,
  example: T[number] | undefined = values[0],
) => Type.Enum<T>(values, { description, examples: [example] });

/** An object that refuses what it does not know; `hints` say why, by field name, in whole sentences. */
export const Body = <T extends Record<string, TSchema>>(
  properties: T,
  hints?: Record<string, string>,
  title?: string,
) =>
  Type.Object(properties, { additionalProperties: false, ...(hints && { hints }), ...(title && { title }) });

/** Of operations that take nothing; their routes let it be absent, too. */
export const NoFields = Body({}, undefined, 'NoFields');

/** `page` and `limit` of section 4's conventions. */
export const PageQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      default: 1,
      description: 'Page, from 1',
      examples: [1],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Rows on a page', examples: [20] }),
  ),
};

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] });

export const PageMeta = Type.Object(
  {
    page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'This page', examples: [1] }),
    limit: Type.Integer({ minimum: 1, maximum: 100, description: 'Rows on a page at most', examples: [20] }),
    total: Count('Rows on all pages', 1),
    totalPages: Count('How many pages there are', 1),
  },
  { title: 'PageMeta' },
);

export const Success = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data });

/** All rows of a list without pages. */
export const SuccessList = <T extends TSchema>(item: T) =>
  Success(Type.Array(item, { maxItems: MOST_UNPAGED }));

export const SuccessPage = <T extends TSchema>(item: T) =>
  Type.Object({ success: Type.Literal(true), data: Type.Array(item, { maxItems: 100 }), meta: PageMeta });

export const Removed = Type.Object(
  { id: Uuid('What was removed'), removed: Type.Literal(true) },
  { title: 'Removed' },
);

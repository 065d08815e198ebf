import Type, { type TSchema } from 'typebox';

/** The building blocks that every slice's schema.ts uses. */

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

export const Choice = <T extends string[]>(values: readonly [...T], description: string) =>
  Type.Enum<T>(values, { description, examples: [values[0]] });

/** An object that refuses what it does not know; `hints` say why, by field name, in whole sentences. */
export const Body = <T extends Record<string, TSchema>>(properties: T, hints?: Record<string, string>) =>
  Type.Object(properties, { additionalProperties: false, ...(hints && { hints }) });

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

export const PageMeta = Type.Object({
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [20] }),
  total: Type.Integer({ description: 'Rows on all pages', examples: [1] }),
  totalPages: Type.Integer({ examples: [1] }),
});

export const Success = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data });

export const SuccessPage = <T extends TSchema>(item: T) =>
  Type.Object({ success: Type.Literal(true), data: Type.Array(item), meta: PageMeta });

export const Removed = Type.Object({ id: Uuid('What was removed'), removed: Type.Literal(true) });

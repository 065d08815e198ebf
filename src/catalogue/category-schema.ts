import Type, { type Static } from 'typebox';
import { Body, Changes, ListQuery, Name, Nullable, SortQuery, Text, Uuid } from '../http/schemas.ts';
import { CATEGORY_ORDERS } from './category-rules.ts';
import { Flag, Order, stamps } from './shared-schema.ts';

/** Bodies and responses of /operator/categories. */

const { Optional } = Type;

const categoryTexts = {
  nameEn: Name('English name', 'Deep cleaning'),
  nameAr: Name('Arabic name', 'تنظيف عميق'),
};
export const CreateCategory = Body({
  code: Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'text',
      trimmedLength: [1, 100],
      isLine: true,
      description: 'Unique code, or null',
      examples: ['deep-cleaning'],
    }),
  ),
  ...categoryTexts,
  descriptionEn: Optional(Text('English description', 'Every corner, top to bottom', 2_000)),
  descriptionAr: Optional(Text('Arabic description', 'كل زاوية من الأعلى إلى الأسفل', 2_000)),
  sortOrder: Optional(Order('Sort order, ascending; default 0', 0)),
  isActive: Optional(Flag('An inactive category hides its services; default true')),
});
export type CreateCategory = Static<typeof CreateCategory>;
export const UpdateCategory = Changes(CreateCategory);
export type UpdateCategory = Static<typeof UpdateCategory>;

export const Category = Type.Object(
  {
    id: Uuid('Category'),
    code: Nullable(Text('Unique code, or null', 'deep-cleaning', 100)),
    ...categoryTexts,
    descriptionEn: Text('English description', 'Every corner, top to bottom', 2_000),
    descriptionAr: Text('Arabic description', 'كل زاوية من الأعلى إلى الأسفل', 2_000),
    sortOrder: Order('Sort order, ascending', 0),
    isActive: Flag('An inactive category hides its services'),
    ...stamps,
  },
  { title: 'Category' },
);
export const CategoriesQuery = Type.Object({ ...ListQuery, ...SortQuery(CATEGORY_ORDERS, 'ASC') });
export type CategoriesQuery = Static<typeof CategoriesQuery>;

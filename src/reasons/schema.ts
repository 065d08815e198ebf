import Type, { type Static } from 'typebox';
import { Body, Changes, ListQuery, Name, optional, SortQuery, Stamp, Uuid } from '../http/schemas.ts';
import { REASON_ORDERS } from './rules.ts';

const names = {
  nameEn: Name('English name', 'Customer changed their mind'),
  nameAr: Name('Arabic name', 'غيّر العميل رأيه'),
};

/** Cancellation reason of section 2. */
export const CustomerReason = Type.Object(
  { id: Uuid('Reason; used as `reasonId`'), ...names },
  { title: 'CancellationReason' },
);

// ---------------------------------------------------------------------------
// The operator's interface

const settings = {
  isActive: Type.Boolean({ description: 'An inactive reason cannot be used', examples: [true] }),
  isCustomerFacing: Type.Boolean({
    description: 'Whether partners see it; otherwise only the operator can use it',
    examples: [true],
  }),
  sortOrder: Type.Integer({
    minimum: -1_000_000,
    maximum: 1_000_000,
    description: 'Sort order, ascending',
    examples: [10],
  }),
};

export const CreateReason = Body({
  ...names,
  ...optional(settings),
});
export type CreateReason = Static<typeof CreateReason>;
export const UpdateReason = Changes(CreateReason);
export type UpdateReason = Static<typeof UpdateReason>;

export const Reason = Type.Object(
  {
    id: Uuid('Reason'),
    ...names,
    ...settings,
    createdAt: Stamp(),
    updatedAt: Stamp(),
  },
  { title: 'CancellationReason' },
);
export const ReasonsQuery = Type.Object({ ...ListQuery, ...SortQuery(REASON_ORDERS, 'ASC') });
export type ReasonsQuery = Static<typeof ReasonsQuery>;

import Type, { type Static } from 'typebox';
import { isMoney, MAX_MONEY } from '../base/money.ts';
import {
  Body,
  Changes,
  ListQuery,
  Name,
  Nullable,
  SortQuery,
  Stamp,
  Text,
  Uuid,
  Version,
} from '../http/schemas.ts';

const POLICY_ORDERS = ['nameEn', 'nameAr', 'createdAt'] as const;

/** Bodies and responses of /operator/policies, and policies as partners see them. */

const { Optional } = Type;

const integer = (maximum: number, description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum, description, examples: [example] });

const Percent = (description: string, example: number) => integer(100, description, example);

/** SAR with at most two decimals. */
export const Sar = (description: string, example: number) =>
  Type.Number({
    minimum: 0,
    maximum: MAX_MONEY,
    rule: { check: isMoney, message: 'must be a number with at most 2 decimal places' },
    description,
    examples: [example],
  });

const stepFields = {
  hoursBefore: Type.Integer({
    minimum: 1,
    maximum: 2_160,
    description: 'The fee is due when fewer hours than these are left before the start',
    examples: [12],
  }),
  percent: Optional(Percent('Part of the price, rounded half up; or `amount`', 25)),
  amount: Optional(Sar('SAR; or `percent`', 30)),
};

const MAX_STEPS = 10;
const steps = (item: Type.TObject<typeof stepFields>, description: string) =>
  Type.Array(item, { maxItems: MAX_STEPS, description });
const STEPS = 'The step nearest to the start holds; none: no fee';

const names = { nameEn: Name('English name', 'Standard'), nameAr: Name('Arabic name', 'قياسية') };
const terms = {
  graceMinutes: integer(10_080, 'Minutes after the booking in which nothing costs anything', 10),
  afterStartPercent: Percent(
    'Part of the price once the work has begun, or the start has passed and the crew is there. The clock alone begins no work',
    100,
  ),
  noShowPercent: Percent('Part of the price when the customer is the cause that a visit was not done', 100),
  maxReschedules: Nullable(
    integer(100, 'Times that a partner may reschedule a booking; null: any number', 2),
  ),
};

const assignment = Body({
  partnerId: Optional(Nullable(Uuid('Its bookings; null: those of every partner'))),
  serviceId: Optional(Nullable(Uuid('Its bookings; null: those of every service'))),
});

const bodyFields = {
  ...names,
  ...terms,
  cancel: steps(Body(stepFields), `Fees of cancelling. ${STEPS}`),
  reschedule: steps(Body(stepFields), `Fees of rescheduling. ${STEPS}`),
  assignments: Type.Array(assignment, {
    maxItems: 1_000,
    description:
      'For whose bookings it holds from now on: of a partner, a service, or both. Both wins over a partner, a partner over a service',
  }),
};

export const CreatePolicy = Body({
  ...names,
  graceMinutes: Optional(terms.graceMinutes),
  cancel: Optional(bodyFields.cancel),
  reschedule: Optional(bodyFields.reschedule),
  afterStartPercent: Optional(terms.afterStartPercent),
  noShowPercent: Optional(terms.noShowPercent),
  maxReschedules: Optional(terms.maxReschedules),
  assignments: Optional(bodyFields.assignments),
});
export type CreatePolicy = Static<typeof CreatePolicy>;

export const UpdatePolicy = Changes(CreatePolicy);
export type UpdatePolicy = Static<typeof UpdatePolicy>;

const FeeStep = Type.Object(stepFields, { title: 'FeeStep' });
const PolicyText = (language: string, example: string) => Text(`The terms in ${language}`, example, 4_000);
const texts = {
  textEn: PolicyText('English', 'Cancelling: from 12 h before the start 25% of the price.'),
  textAr: PolicyText('Arabic', 'الإلغاء: ابتداءً من 12 ساعة قبل الموعد 25% من السعر.'),
};
const shownSteps = {
  cancel: steps(FeeStep, `Fees of cancelling. ${STEPS}`),
  reschedule: steps(FeeStep, `Fees of rescheduling. ${STEPS}`),
};

export const Policy = Type.Object(
  {
    id: Uuid('Policy'),
    versionId: Uuid('This version; `policyId` of bookings that are made under it'),
    version: Version,
    ...names,
    ...terms,
    ...shownSteps,
    assignments: Type.Array(
      Type.Object({
        partnerId: Nullable(Uuid('Partner; null: every one')),
        serviceId: Nullable(Uuid('Service; null: every one')),
      }),
      { maxItems: 1_000, description: 'For whose bookings it holds' },
    ),
    ...texts,
    createdBy: Text('Actor that made this version', 'operator:first-token'),
    createdByName: Nullable(Text('Name that its token has now; null: it has none', 'Dispatch desk')),
    createdAt: Stamp('When this version was made'),
  },
  { title: 'Policy' },
);
const { isActive: _, ...listQuery } = ListQuery;
export const PoliciesQuery = Type.Object({ ...listQuery, ...SortQuery(POLICY_ORDERS, 'ASC') });
export type PoliciesQuery = Static<typeof PoliciesQuery>;

/** A policy as partners see it. */
export const ShownPolicy = Type.Object(
  { id: Uuid('The version of the policy; it never changes'), ...texts, ...terms, ...shownSteps },
  { title: 'ChangePolicy' },
);

/** The same in a quote. */
export const QuotedPolicy = Type.Object(
  { ...ShownPolicy.properties, steps: steps(FeeStep, `Fees of the quoted change. ${STEPS}`) },
  { title: 'QuotedPolicy' },
);

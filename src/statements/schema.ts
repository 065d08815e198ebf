import Type, { type Static } from 'typebox';
import { Month } from '../bookings/schema.ts';
import {
  Body,
  Choice,
  DateText,
  Name,
  Nullable,
  PageQuery,
  SortQuery,
  Stamp,
  Text,
  Uuid,
  Words,
} from '../http/schemas.ts';
import type { Rule } from '../http/validation.ts';
import { LINE_KINDS } from './owed.ts';
import { VAT_CATEGORIES } from './vat.ts';

/** Queries, bodies and responses of statements. */

const { Optional } = Type;

const digits = (pattern: string, length: number, description: string, example: string) =>
  Type.String({ minLength: length, maxLength: length, pattern, description, examples: [example] });

const Address = Type.Object(
  {
    buildingNumber: digits('^[0-9]{4}$', 4, 'Four digits', '7461'),
    street: Name('Street', 'King Fahd Road'),
    district: Name('District', 'Al Olaya'),
    city: Name('City', 'Riyadh'),
    postalCode: digits('^[0-9]{5}$', 5, 'Five digits', '12333'),
    additionalNumber: Optional(Nullable(digits('^[0-9]{4}$', 4, 'Four digits; null: none', '3122'))),
  },
  { additionalProperties: false, description: 'National address', title: 'NationalAddress' },
);

const partyFields = {
  legalNameEn: Name('Legal name in English', 'Riyadh Homes Company'),
  legalNameAr: Name('Legal name in Arabic', 'شركة بيوت الرياض'),
  vatNumber: Nullable(
    digits(
      '^3[0-9]{13}3$',
      15,
      'VAT number: 15 digits, the first and the last 3; null: not registered',
      '300000000000003',
    ),
  ),
  registrationNumber: Nullable(
    digits(
      '^[0-9]{10}$',
      10,
      'Commercial registration or unified number, ten digits; null: none',
      '7001234567',
    ),
  ),
  address: Address,
};

export const Party = Type.Object(partyFields, { additionalProperties: false, title: 'Party' });
export type Party = Static<typeof Party>;

const HUNDREDTHS: Rule<number> = {
  check: (percent) => Number(percent.toFixed(2)) === percent,
  message: 'must be a number with at most 2 decimal places',
};
const Percent = Type.Number({
  minimum: 0,
  maximum: 100,
  rule: HUNDREDTHS,
  description: 'Percent',
  examples: [15],
});
const Category = Choice(
  [...VAT_CATEGORIES],
  'S: the standard rate of the date; Z: zero-rated; E: exempt; O: outside of VAT',
);

const settingsFields = {
  seller: Party,
  vatRates: Type.Array(
    Type.Object(
      { from: DateText('The first service date'), percent: Percent },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 50, description: 'The standard rate, which prices include, by service date' },
  ),
  vatCategories: Type.Object({ VISIT: Category, FEE: Category }, { additionalProperties: false }),
};

export const SaveSettings = Body(settingsFields);
export type SaveSettings = Static<typeof SaveSettings>;
export const Settings = Type.Object(
  {
    ...settingsFields,
    seller: Type.Union([Party, Type.Null()], {
      description: 'null: not given yet, and nothing can be issued',
    }),
  },
  { title: 'StatementSettings' },
);

const accountFields = {
  buyer: Party,
  openedOn: DateText('Service dates before it are on no statement; fixed once one is issued'),
};
export const SaveAccount = Body(accountFields);
export type SaveAccount = Static<typeof SaveAccount>;
export const Account = Type.Object(
  { partnerId: Uuid('Partner'), ...accountFields },
  { title: 'StatementAccount' },
);

const month = { month: Month('Riyadh month of the service dates') };

export const CreateDraft = Body({ partnerId: Uuid('Partner'), ...month });

const STATUSES = ['DRAFT', 'ISSUED'] as const;
const ORDERS = ['month', 'number'] as const;

export const StatementsQuery = Type.Object({
  partnerId: Optional(Uuid('Filter by partner')),
  status: Optional(Choice([...STATUSES], 'Filter by status')),
  month: Optional(Month('Filter by month')),
  ...SortQuery(ORDERS, 'DESC'),
  ...PageQuery,
});
export type StatementsQuery = Static<typeof StatementsQuery>;
export const OwnStatementsQuery = Type.Object({ ...PageQuery });
export const StatementParams = Type.Object({ statementId: Uuid('Statement') });
export const LinesQuery = Type.Object({ ...PageQuery });

/** SAR with two decimals, which may be negative. */
const Sar = (description: string, example: number) =>
  Type.Number({ minimum: -9_999_999_999_999, maximum: 9_999_999_999_999, description, examples: [example] });

const Totals = Type.Object(
  {
    lines: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Number of lines',
      examples: [2],
    }),
    net: Sar('Owed without VAT, SAR', 260.87),
    vat: Sar('VAT in it, SAR', 39.13),
    gross: Sar('Owed by the partner, SAR', 300),
    taxes: Type.Array(
      Type.Object({
        category: Category,
        percent: Percent,
        net: Sar('SAR', 260.87),
        vat: Sar('SAR', 39.13),
        gross: Sar('SAR', 300),
      }),
      { maxItems: 100, description: 'The same by category and rate' },
    ),
    collected: Sar(
      "Came from the partner's customers by payment links, SAR: for information, not in `gross`",
      0,
    ),
    givenBack: Sar('Of that given back, SAR, not positive', 0),
    kept: Sar('Of that kept, SAR', 0),
  },
  { title: 'StatementTotals' },
);

const Number_ = Nullable(
  Type.String({
    minLength: 14,
    maxLength: 20,
    pattern: '^ST-[0-9]{4}-[0-9]{6,}$',
    description: 'Ascending, and never used twice; null: a draft',
    examples: ['ST-2026-000123'],
  }),
);

const statementFields = {
  id: Uuid('Statement'),
  number: Number_,
  ...month,
  totals: Totals,
  issuedAt: Nullable(Stamp('When it was issued; null: a draft')),
  seller: Type.Union([Party, Type.Null()], { description: 'As it was then; null: a draft' }),
  buyer: Type.Union([Party, Type.Null()], { description: 'As it was then; null: a draft' }),
  paid: Type.Union(
    [
      Type.Object({ reference: Text('Of the payment', 'SARIE 2026-12-11'), paidOn: DateText('Riyadh date') }),
      Type.Null(),
    ],
    { description: 'What the operator has marked; null: not paid yet' },
  ),
};

export const OwnStatement = Type.Object(statementFields, { title: 'Statement' });
export const Statement = Type.Object(
  {
    ...statementFields,
    partnerId: Uuid('Partner'),
    partnerName: Text('Its name now', 'Riyadh Homes'),
    status: Choice([...STATUSES], 'DRAFT: can be made anew; ISSUED: never changes'),
    createdAt: Stamp('When the draft was made last'),
    createdBy: Text('Who made it', 'operator:first-token'),
    issuedBy: Nullable(Text('Who issued it; null: a draft', 'operator:first-token')),
  },
  { title: 'Statement' },
);

const lineFields = {
  line: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Its place, from 1', examples: [1] }),
  bookingId: Uuid('Booking'),
  trackingReference: Text('Its name', 'SA-0042'),
  externalReference: Nullable(Text("The partner's reference then; null: none", 'ORDER-2026-000123')),
  serviceId: Uuid('Service'),
  serviceNameEn: Text('As it was sold', 'Standard cleaning'),
  serviceNameAr: Nullable(Text('As it was sold; null: none', 'تنظيف عادي')),
  serviceDate: DateText('Riyadh date of the visit'),
  kind: Choice(
    [...LINE_KINDS],
    'VISIT; FEE: of ending the booking, with its moves; WAIVER: given back of these; COLLECTED and GIVEN_BACK: money of the customer',
  ),
  net: Sar('SAR', 130.43),
  vat: Sar('SAR', 19.57),
  gross: Sar('SAR; a correction may be negative', 150),
  vatCategory: Type.Unsafe<(typeof VAT_CATEGORIES)[number] | null>({
    enum: [...VAT_CATEGORIES, null],
    description: "null: the customer's money, no supply to the partner",
    examples: ['S'],
  }),
  vatPercent: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Percent; null as the category',
    examples: [15],
  }),
  corrects: Nullable(
    Text('Number of the last statement that told of the booking; null: none', 'ST-2026-000118'),
  ),
};
export const Line = Type.Object(lineFields, { title: 'StatementLine' });
export const BookingLine = Type.Object(
  { ...lineFields, statementId: Uuid('Statement'), number: Text('Its number', 'ST-2026-000123'), ...month },
  { title: 'BookingStatementLine' },
);

export const FILE_FORMATS = ['csv', 'json', 'html'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const PageHeaders = {
  'Content-Security-Policy': {
    schema: Type.String({
      description: 'Allows its own style sheet alone',
      pattern: '^default-src ',
      maxLength: 1_000,
      examples: ["default-src 'none'"],
    }),
    required: true as const,
    statuses: [200],
  },
};

/** The body of a file that is no JSON. */
export const FileOf = (format: FileFormat) =>
  Type.String({
    description: 'As it was made when the statement was issued',
    // An optional byte order mark; up to the length of a string in Node.
    pattern: format === 'csv' ? '^\\uFEFF?[A-Za-z]' : '^<!doctype html>',
    maxLength: 536_870_888,
    examples: [format === 'csv' ? 'line,bookingId\r\n' : '<!doctype html>'],
  });

export const Invoices = Type.Object(
  {
    statement: Type.Object({ ...statementFields, currency: Text('Of all amounts', 'SAR') }),
    documents: Type.Array(
      Type.Unsafe<unknown>({
        type: 'object',
        additionalProperties: true,
        description: 'An invoice (typeCode 388) or a credit note (381), as docs/statements.md has it',
        examples: [{ number: 'ST-2026-000123', typeCode: '388' }],
      }),
      { maxItems: 1_000, description: 'An invoice, and a credit note for each statement that is corrected' },
    ),
  },
  { title: 'Invoices' },
);

export const MarkPaid = Body({
  reference: Nullable(Words('Of the payment; null: not paid after all', 'SARIE 2026-12-11')),
  paidOn: Optional(DateText('Riyadh date; today, if left out')),
});

const Difference = Type.Object({
  bookingId: Uuid('Booking'),
  trackingReference: Text('Its name', 'SA-0042'),
  told: Sar('By issued statements, SAR', 150),
  owed: Sar('Now, SAR', 0),
  isNext: Type.Boolean({
    description:
      'It has changed since, and is on the next statement; false: statements and bookings do not add up',
    examples: [true],
  }),
});
export const Check = Type.Object(
  {
    partners: Type.Array(
      Type.Object({
        partnerId: Uuid('Partner'),
        partnerName: Text('Its name', 'Riyadh Homes'),
        statements: Sar('Sum of all lines of its issued statements, SAR', 300),
        owed: Sar('Sum of all that is owed, and was collected and not given back, SAR', 450),
        later: Sar('Of that, of months that are not issued yet, SAR', 150),
        differences: Type.Array(Difference, {
          maxItems: 100,
          description: 'Bookings of issued months that were told otherwise; the first hundred',
        }),
        differing: Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          description: 'Their number',
          examples: [0],
        }),
      }),
      { maxItems: 10_000, description: 'Partners that get statements' },
    ),
    gaps: Type.Array(
      Type.Object({
        from: Text('The first number that is missing', 'ST-2026-000124'),
        to: Text('The last one', 'ST-2026-000223'),
        restored: Type.Boolean({
          description: 'Left out after a restore or a failover, when numbers may have been lost',
          examples: [true],
        }),
      }),
      { maxItems: 10_000, description: 'Numbers that no statement has' },
    ),
    isSound: Type.Boolean({
      description: 'Whether everything adds up, but for what is on the next statement',
      examples: [true],
    }),
  },
  { title: 'StatementCheck' },
);

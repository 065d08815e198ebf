import Type from 'typebox';
import { Choice, Nullable, Stamp, Text, Uuid } from '../http/schemas.ts';
import { PERMISSIONS } from '../partners/key-rules.ts';

const Whole = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] });

const Texts = (description: string, example: string, max: number) =>
  Type.Array(Type.String({ format: 'text', maxLength: 253 }), {
    maxItems: max,
    description,
    examples: [[example]],
  });

export const Partner = Type.Object(
  {
    id: Uuid('Partner'),
    name: Text('Its name; the utmSource of its contacts', 'Riyadh Homes'),
    status: Choice(['ACTIVE', 'SUSPENDED'], 'The keys of a suspended partner do not work'),
    paymentResponsibility: Choice(['PARTNER', 'PLATFORM'], 'Who collects the money for new bookings'),
    rateLimitPerMinute: Nullable(Whole('Requests per key in any 60 seconds; null: no limit', 600)),
    allowedDomains: Texts('Domains that requests may come from; empty: any', 'example.sa', 200),
    sandboxDomains: Texts(
      'Allowed domains refused while SANDBOX_DOMAIN_CHECK is on',
      'sandbox.example.sa',
      200,
    ),
    allowedWebhookDomains: Texts('Domains that webhooks may go to', 'hooks.example.sa', 200),
    requireHttpsWebhooks: Type.Boolean({ description: 'Refuse webhook URLs without TLS', examples: [true] }),
    language: Choice(['en', 'ar'], 'Language of the service names in its responses'),
    createdAt: Stamp(),
    updatedAt: Stamp(),
  },
  { title: 'Partner' },
);

export const Key = Type.Object(
  {
    id: Uuid('Key'),
    partnerId: Uuid('Its partner'),
    name: Text('Purpose of the key', 'Production server'),
    permissions: Type.Array(Choice([...PERMISSIONS], 'A permission'), {
      maxItems: PERMISSIONS.length,
      description: 'What the key may be used for (section 5)',
      examples: [['partner_bookings_create', 'partner_bookings_read']],
    }),
    ipAllowlist: Texts('Addresses and CIDRs that may use the key; empty: any', '203.0.113.7', 500),
    expiresAt: Nullable(Stamp('null: never')),
    status: Choice(['ACTIVE', 'REVOKED'], 'A revoked key stays revoked'),
    lastUsedAt: Nullable(Stamp('Updated every few seconds; null: never used')),
    prefix: Text('First characters of the key', 'pbs_test_7Kd2', 20),
    last4: Text('Last 4 characters of the key', 'x9Qa', 4),
    previousExpiresAt: Nullable(Stamp('When the previous secret stops working; null: it no longer works')),
    createdAt: Stamp(),
    updatedAt: Stamp(),
  },
  { title: 'Key' },
);

export const Account = Type.Object(
  {
    partner: Type.Union([Partner, Type.Null()], {
      description: 'The settings of the partner; null: the session is limited',
    }),
    keys: Type.Array(Key, {
      maxItems: 100,
      description: 'The keys of the partner, newest first; in a session that a key opened that key alone',
    }),
  },
  { title: 'PortalAccount' },
);

export const PortalService = Type.Object(
  {
    id: Uuid('Service'),
    nameEn: Text('Its English name', 'Regular cleaning'),
    nameAr: Nullable(Text('Its Arabic name; null: the English one is used', 'تنظيف عادي')),
    categoryEn: Text('English name of its category', 'Cleaning'),
    categoryAr: Text('Arabic name of its category', 'تنظيف'),
    durationMinutes: Whole('Minutes', 120),
    minimumNoticeMinutes: Whole('Minutes before a start from which on it cannot be booked', 120),
    bookingHorizonDays: Whole('Days ahead for which it can be booked', 60),
    price: Type.Number({ minimum: 0, maximum: 1e10, description: 'SAR', examples: [150] }),
    isOwnPrice: Type.Boolean({
      description: 'Whether the price was agreed with the partner, and is not the usual one',
      examples: [false],
    }),
  },
  { title: 'PortalService' },
);

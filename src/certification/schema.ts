import Type from 'typebox';
import { Body, Choice, Nullable, Stamp, Text, Uuid } from '../http/schemas.ts';
import { POINT_IDS, POINT_STATES } from './rules.ts';

export const StartCertification = Body({
  subscriptionId: Uuid(
    'Webhook subscription of the integration, for the events that a certification provokes',
  ),
});

const Ids = (description: string, example: string) =>
  Type.Array(Text('ID', example), { maxItems: 2_000, description, examples: [[example]] });

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 100, description, examples: [example] });

const CertificationPoint = Type.Object(
  {
    id: Choice([...POINT_IDS], 'Point'),
    isRecommended: Type.Boolean({
      description: 'It counts neither for the score nor for the end',
      examples: [false],
    }),
    title: Text('What your integration does', 'Repeats a creation safely'),
    state: Choice([...POINT_STATES], 'How it stands', 'passed'),
    found: Text('What was seen of it', '409, and then the booking was read.', 500),
    does: Text('What the service does for it', 'Loses a delivery.', 500),
    waitsFor: Text('What it waits for', 'GET /partners/events returns the event to you.', 500),
    requestIds: Ids('`X-Request-Id` of the requests that show it', '0b8f5f0e-6d0b-4c63-9d5b-0d1c0f4f2a11'),
    deliveryIds: Ids('Deliveries that show it', '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'),
  },
  { title: 'CertificationPoint' },
);

export const CertificationView = Type.Object(
  {
    id: Uuid('Certification'),
    subscriptionId: Uuid('Webhook subscription'),
    status: Choice(
      ['RUNNING', 'FINISHED'],
      '`FINISHED`: every point that counts is decided, or a day is over',
    ),
    startedAt: Stamp('When it was started'),
    finishedAt: Nullable(Stamp('When it was finished; null: it is under way')),
    score: Type.Object(
      {
        passed: Count('Points that are passed', 9),
        of: Count('Points that apply to your account', 10),
        percent: Count('The share of these, rounded down', 90),
      },
      { title: 'CertificationScore' },
    ),
    points: Type.Array(CertificationPoint, { maxItems: POINT_IDS.length }),
    pageUrl: Type.String({
      format: 'uri',
      maxLength: 500,
      description: 'The same as a page to print. Whoever has the address can read it',
      examples: ['https://sandbox.example.sa/certifications/4hT9vQ2m'],
    }),
  },
  { title: 'Certification' },
);

export const CertificationsQuery = Type.Object({
  language: Type.Optional(Type.Enum(['en', 'ar'], { description: 'Of the texts', default: 'en' })),
});

export const Certifications = Type.Array(CertificationView, { maxItems: 10 });

export const CertificationParams = Type.Object({ id: Uuid('Certification') });

export const PageQuery = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 20 })) });

export const TokenParams = Type.Object({ token: Type.String({ maxLength: 200 }) });

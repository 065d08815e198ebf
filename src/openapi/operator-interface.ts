import { CONTACT, DEPLOYMENT, LICENSE, OF_PAGES, tooManyFailures } from './both-interfaces.ts';
import type { Interface } from './document.ts';
import { OperatorErrorDetails } from './error-details.ts';
import { ERROR_EXAMPLES } from './refusals.ts';

const OPERATOR_TEXT = `What the operator of the service configures and watches: partners and their keys, the catalogue,
teams, bookings of all partners.

A role contains those before it: \`viewer\` reads, \`dispatcher\` does field work and bookings, \`admin\` everything.
Lists are paginated. What is in use cannot be removed (409 \`CONFLICT\`); deactivate it instead. Every change made here
is in the audit log. An unknown path is 401 without a token and 404 with one.`;

export const operatorInterface: Interface = {
  prefix: '/operator',
  head: {
    info: {
      title: 'Partner Booking Service: operator',
      version: '1.0.0',
      summary: "The operator's interface of the service",
      description: OPERATOR_TEXT,
      license: LICENSE,
      contact: CONTACT,
    },
    servers: [{ url: '/operator', description: DEPLOYMENT, 'x-internal': true }],
    security: [{ OperatorToken: [] }],
    tags: [
      { name: 'API keys', description: "Partners' keys" },
      { name: 'Appointments', description: 'Appointments of all partners' },
      { name: 'Audit', description: "Audit log of operators' changes" },
      { name: 'Availability', description: 'Available teams, and why others are not available' },
      { name: 'Bookings', description: 'Bookings of all partners' },
      { name: 'Cancellation reasons', description: 'Reasons for cancelling bookings' },
      { name: 'Catalogue', description: 'Categories, services and zones' },
      { name: 'Changes', description: 'What changes, as it changes' },
      { name: 'Contacts', description: "Partners' customers and their addresses" },
      { name: 'Crews', description: 'Links of crews, and the steps that they reported' },
      { name: 'Operator tokens', description: 'Who may use this interface' },
      { name: 'Partners', description: 'Partner accounts and what they may book' },
      { name: 'Payments', description: 'Payments by link of all partners, and their refunds' },
      { name: 'Policies', description: 'What changes of bookings cost their partners' },
      { name: 'Portal', description: "Links to the portal of partners' developers" },
      { name: 'Pricing', description: 'Pricing tiers' },
      { name: 'Privacy', description: "Customers' requests for a copy, a correction or their erasure" },
      { name: 'Requests', description: 'What partners asked in the last days, and what they were answered' },
      { name: 'Sandbox', description: 'The clock of a sandbox; absent in production' },
      { name: 'Teams', description: 'Teams, their shifts and time off' },
      { name: 'Webhooks', description: 'Subscriptions and deliveries of all partners' },
    ],
  },
  securitySchemes: {
    OperatorToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description:
        'An operator token. Pages of this origin may send the cookie of a session instead (`openSession`)',
    },
  },
  ...OF_PAGES,
  access: ({ role = '', isSignIn }) => ({
    sentence: isSignIn ? 'Needs no token.' : `Needs the role \`${role}\`.`,
    extension: { 'x-role': role },
  }),
  errorDetails: OperatorErrorDetails,
  examples: {
    ...ERROR_EXAMPLES,
    UNAUTHORIZED: {
      when: 'The operator token is missing, unknown or revoked',
      message: 'The operator token is missing or not valid',
      details: {
        check: 'token',
        reason: 'missing',
        hints: ['send the token in the header Authorization: Bearer <token>'],
      },
    },
    FORBIDDEN: {
      when: 'The role of the token is not sufficient',
      message: 'This operation needs the role admin',
      details: { check: 'role', role: 'admin', tokenRole: 'viewer' },
    },
    RATE_LIMIT_EXCEEDED: tooManyFailures('token'),
  },
};

import type { FastifyContextConfig } from 'fastify';
import { CONTACT, DEPLOYMENT, LICENSE, OF_PAGES, tooManyFailures } from './both-interfaces.ts';
import type { Interface } from './document.ts';
import { PartnerErrorDetails } from './error-details.ts';
import { ERROR_EXAMPLES } from './refusals.ts';

const PORTAL_TEXT = `What the pages of the portal ask: a partner's keys and limits, its requests and why they were refused,
its bookings, webhooks and deliveries. Programs use the partner interface instead; this one may change with the pages.

A session is opened by a link of the operator or by an API key, lasts 8 hours, and may do what the key may do.`;

const NEEDS: Record<NonNullable<FastifyContextConfig['session']>, string> = {
  none: 'Needs no session.',
  any: 'Needs a session, which may be limited.',
  read: 'Needs a session.',
  change: 'Needs a session that may change something.',
};

export const portalInterface: Interface = {
  prefix: '/portal/api',
  head: {
    info: {
      title: 'Partner Booking Service: portal',
      version: '1.0.0',
      summary: "The interface behind the pages of partners' developers",
      description: PORTAL_TEXT,
      license: LICENSE,
      contact: CONTACT,
    },
    servers: [{ url: '/portal/api', description: DEPLOYMENT, 'x-internal': true }],
    security: [{ PortalSession: [] }],
    tags: [
      { name: 'Account', description: 'What the operator has set up for the partner' },
      { name: 'Bookings', description: 'Bookings and their events' },
      { name: 'Contacts', description: 'What is stored about customers' },
      { name: 'Requests', description: 'What was asked, and why it was refused' },
      { name: 'Sandbox', description: 'The simulator of a sandbox; absent in production' },
      { name: 'Session', description: 'Signing in and out' },
      { name: 'Webhooks', description: 'Subscriptions, deliveries and their attempts' },
    ],
  },
  securitySchemes: {
    PortalSession: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: 'The token of a session',
    },
  },
  ...OF_PAGES,
  access: ({ session = 'change', permission = '' }) => ({
    sentence: [NEEDS[session], permission !== '' && `Needs the permission \`${permission}\`.`]
      .filter(Boolean)
      .join(' '),
    extension: { 'x-session': session, 'x-permission': permission },
  }),
  errorDetails: PartnerErrorDetails,
  examples: {
    ...ERROR_EXAMPLES,
    UNAUTHORIZED: {
      when: 'The session is missing or has ended, or what is signed in with is not valid',
      message: 'The session is missing or has ended',
      details: { check: 'session', reason: 'missing' },
    },
    FORBIDDEN: {
      when: 'The session is limited, may only read, or its key lacks the permission',
      message: 'This session may only read: its link was made so',
      details: { check: 'read-only' },
    },
    RATE_LIMIT_EXCEEDED: tooManyFailures('session'),
  },
};

import type { FastifyContextConfig } from 'fastify';
import { SESSION_COOKIE } from '../crew/rules.ts';
import { CONTACT, DEPLOYMENT, LICENSE, OF_PAGES, tooManyFailures } from './both-interfaces.ts';
import type { Interface } from './document.ts';
import { CrewErrorDetails } from './error-details.ts';
import { ERROR_EXAMPLES } from './refusals.ts';

const CREW_TEXT = `What the crew's page asks: the visits of a team today and tomorrow, and the steps that it reports. This
interface may change with the page.

A session is opened by a link of the operator, belongs to a team, and ends with the link. Only pages of this origin may
use it.`;

const NEEDS: Record<NonNullable<FastifyContextConfig['crew']> | 'live', string> = {
  none: 'Needs no session.',
  ended: 'Needs a session; also for 12 hours after the end of its link.',
  live: 'Needs a session.',
};

export const crewInterface: Interface = {
  prefix: '/crew/api',
  head: {
    info: {
      title: 'Partner Booking Service: crew',
      version: '1.0.0',
      summary: "The interface behind the crew's page",
      description: CREW_TEXT,
      license: LICENSE,
      contact: CONTACT,
    },
    servers: [{ url: '/crew/api', description: DEPLOYMENT, 'x-internal': true }],
    security: [{ CrewSession: [] }],
    tags: [
      { name: 'Session', description: 'Signing in and out' },
      { name: 'Visits', description: "The team's visits and their steps" },
    ],
  },
  securitySchemes: {
    CrewSession: {
      type: 'apiKey',
      in: 'cookie',
      name: SESSION_COOKIE,
      description: 'The cookie of a session',
    },
  },
  ...OF_PAGES,
  access: ({ crew }) => ({ sentence: NEEDS[crew ?? 'live'], extension: {} }),
  errorDetails: CrewErrorDetails,
  examples: {
    ...ERROR_EXAMPLES,
    UNAUTHORIZED: {
      when: 'The session is missing or has ended, or the link or its PIN is not valid',
      message: 'The session is missing or has ended',
      details: { check: 'session', reason: 'missing' },
    },
    FORBIDDEN: {
      when: 'A page of another origin sent the request',
      message: 'Another site sent this request',
      details: { check: 'origin' },
    },
    RATE_LIMIT_EXCEEDED: tooManyFailures('session'),
  },
};

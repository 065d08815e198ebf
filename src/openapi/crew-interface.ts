import type { FastifyContextConfig } from 'fastify';
import { SESSION_COOKIE } from '../crew/rules.ts';
import { headOf, OF_PAGES, textOf, tooManyFailures } from './both-interfaces.ts';
import type { Interface } from './document.ts';
import { CrewErrorDetails } from './error-details.ts';
import { ERROR_EXAMPLES } from './refusals.ts';
import tags from './tags.json' with { type: 'json' };

const NEEDS: Record<NonNullable<FastifyContextConfig['crew']> | 'live', string> = {
  none: 'Needs no session.',
  ended: 'Needs a session; also for 12 hours after the end of its link.',
  live: 'Needs a session.',
};

export const crewInterface: Interface = {
  prefix: '/crew/api',
  head: {
    ...headOf('crew', {
      path: '/crew/api',
      summary: "The interface behind the crew's page",
      description: textOf('crew'),
    }),
    security: [{ CrewSession: [] }],
    tags: tags.crew,
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

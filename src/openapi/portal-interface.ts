import type { FastifyContextConfig } from 'fastify';
import { headOf, OF_PAGES, textOf, tooManyFailures } from './both-interfaces.ts';
import type { Interface } from './document.ts';
import { PartnerErrorDetails } from './error-details.ts';
import { ERROR_EXAMPLES } from './refusals.ts';
import tags from './tags.json' with { type: 'json' };

const NEEDS: Record<NonNullable<FastifyContextConfig['session']>, string> = {
  none: 'Needs no session.',
  any: 'Needs a session, which may be limited.',
  read: 'Needs a session.',
  change: 'Needs a session that may change something.',
};

export const portalInterface: Interface = {
  prefix: '/portal/api',
  head: {
    ...headOf('portal', {
      path: '/portal/api',
      summary: "The interface behind the pages of partners' developers",
      description: textOf('portal'),
    }),
    security: [{ PortalSession: [] }],
    tags: tags.portal,
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

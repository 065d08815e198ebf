import { headOf, OF_PAGES, textOf, tooManyFailures } from './both-interfaces.ts';
import type { Interface } from './document.ts';
import { OperatorErrorDetails } from './error-details.ts';
import { ERROR_EXAMPLES } from './refusals.ts';
import tags from './tags.json' with { type: 'json' };

export const operatorInterface: Interface = {
  prefix: '/operator',
  head: {
    ...headOf('operator', {
      path: '/operator',
      summary: "The operator's interface of the service",
      description: textOf('operator'),
    }),
    security: [{ OperatorToken: [] }],
    tags: tags.operator,
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

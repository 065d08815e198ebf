import Type from 'typebox';
import { Body, Choice, Nullable, PageQuery, Stamp, Text, Uuid } from '../http/schemas.ts';
import { ROLES } from './roles.ts';

const { Optional } = Type;

export const OpenSession = Body({
  token: Optional(
    Text(
      'An operator token. Not in later responses: a secret',
      'pbs_operator_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbK',
      200,
    ),
  ),
  link: Optional(
    Text(
      'The secret of a sign-in link. Not in later responses: a secret',
      'pbs_signin_9dLhJ5uWzRoP6iTQ8xDbK4fN0c3XkqYy2m7SgB1eVtA',
      200,
    ),
  ),
});

/** Exactly one of the two. */
export function openSessionFaults({ token, link }: { token?: string; link?: string }): string[] {
  return (token === undefined) === (link === undefined) ? ['either token or link must be sent'] : [];
}

export const OpenedSession = Type.Object(
  { id: Uuid('Session'), expiresAt: Stamp('When the session ends, in real time') },
  { title: 'OpenedSession' },
);

/** Headers of responses that set the cookie of a session, or remove it. */
const SetCookie = (statuses: number[]) => ({
  'Set-Cookie': {
    schema: Type.String({
      pattern: '^pbs_console=[ -~]*$',
      maxLength: 300,
      description: "The cookie of the session, for the operator's interface only; no script can read it",
      examples: [
        'pbs_console=pbs_console_pJ52N_cIRvIu7FR1jSSbY5e4LpuN0LWZ11DgvdoQ4Jo; Path=/operator; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
      ],
    }),
    statuses,
  },
});
export const CookieOfSignIn = SetCookie([201]);
export const CookieOfSignOut = SetCookie([200]);

export const SessionsQuery = Type.Object({ ...PageQuery });
export const Session = Type.Object(
  {
    id: Uuid('Session'),
    tokenId: Nullable(Uuid('The token of the person; null: the first one, OPERATOR_TOKEN')),
    name: Nullable(Text('Name of the token; null: the first one', 'Dispatch desk')),
    role: Choice([...ROLES], 'What it may do'),
    browser: Nullable(Text('The browser; null: not recognised', 'Firefox', 50)),
    system: Nullable(Text('What the browser runs on; null: not recognised', 'Windows', 50)),
    isCurrent: Type.Boolean({ description: 'Whether this request used it', examples: [true] }),
    createdAt: Stamp('When it was opened, in real time'),
    lastSeenAt: Stamp('Updated every few seconds, in real time'),
    expiresAt: Stamp('When it ends, in real time'),
  },
  { title: 'Session' },
);

export const SignInLink = Type.Object(
  {
    url: Type.String({
      format: 'uri-reference',
      maxLength: 2_048,
      description:
        'The link, to be resolved against the address of the console; only shown in this response. What is behind # is sent to no server',
      examples: ['/console#link=pbs_signin_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbK'],
    }),
    expiresAt: Stamp('Until when it may be used, in real time'),
  },
  { title: 'SignInLink' },
);

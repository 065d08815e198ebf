import Type, { type Static } from 'typebox';
import { Body, Choice, Nullable, PageQuery, Stamp, Text, Uuid } from '../http/schemas.ts';
import { ROLES } from './roles.ts';
import { isEasyPin } from './session-rules.ts';

const { Optional } = Type;

const Pin = (use: string) => {
  const description = `${use}. Not in later responses: a secret`;
  return Type.String({ pattern: '^[0-9]{6}$', maxLength: 6, description, examples: ['407193'] });
};

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
  pin: Optional(Pin('With a link what the person chooses, else that of the enrolled browser')),
  newPin: Optional(Pin('With pin: replaces it')),
});

export type OpenSession = Static<typeof OpenSession>;

/** Exactly one of the ways, and a chosen PIN that is not guessed first. */
export function openSessionFaults({ token, link, pin, newPin }: OpenSession): string[] {
  const isOneWay = token === undefined ? pin !== undefined : (link ?? pin ?? newPin) === undefined;
  if (!isOneWay || (link !== undefined && newPin !== undefined))
    return ['one of token, link with pin, pin, and pin with newPin must be sent'];
  const [name, chosen] = link === undefined ? ['newPin', newPin] : ['pin', pin];
  return isEasyPin(chosen ?? '') ? [`${name} must not be easy to guess, as 111111 and 123456 are`] : [];
}

const expiresAt = Stamp('When it ends unless it is used before, in real time');
export const OpenedSession = Type.Object({ id: Uuid('Session'), expiresAt }, { title: 'OpenedSession' });

/** Headers of responses that set the cookie of a session, or remove it. */
const SetCookie = (statuses: number[]) => ({
  'Set-Cookie': {
    schema: Type.String({
      pattern: '^pbs_console=[ -~]*$',
      maxLength: 600,
      description:
        'Cookie for the interface of the operator; no script can read it. A link sets a second one',
      examples: [
        'pbs_console=pbs_console_pJ52N_cIRvIu7FR1jSSbY5e4LpuN0LWZ11DgvdoQ4Jo; Path=/operator; Max-Age=50400; HttpOnly; SameSite=Strict; Secure',
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
    expiresAt,
  },
  { title: 'Session' },
);

const addsBrowser = {
  description:
    'Her other browsers stay. Default false: they end. Not in later responses: it is about those of before',
  examples: [true],
};
export const CreateSignInLink = Body({ addsBrowser: Optional(Type.Boolean(addsBrowser)) });

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

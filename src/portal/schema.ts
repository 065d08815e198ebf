import Type, { type Static } from 'typebox';
import { TIME_ZONE } from '../base/clock.ts';
import { Body, Choice, ChoiceOrNull, Nullable, PageQuery, Stamp, Text, Uuid } from '../http/schemas.ts';
import { PERMISSIONS } from '../partners/key-rules.ts';
import { LIMITS, LINK_SECONDS, LINK_STATUSES } from './rules.ts';

const { Optional } = Type;

// ---------------------------------------------------------------------------
// Links, in the operator's interface

const readOnly = Type.Boolean({
  description: 'Whether the session that the link opens may change nothing',
  default: false,
  examples: [false],
});

export const CreateLink = Body({
  expiresInSeconds: Optional(
    Type.Integer({
      minimum: LINK_SECONDS.min,
      maximum: LINK_SECONDS.max,
      default: LINK_SECONDS.usual,
      description: 'Seconds for which the link may be used',
      examples: [86_400],
    }),
  ),
  readOnly: Optional(readOnly),
});
export type CreateLink = Static<typeof CreateLink>;

const linkFields = {
  id: Uuid('Link'),
  partnerId: Uuid('Partner'),
  status: Choice([...LINK_STATUSES], 'USED: it has opened its session'),
  readOnly,
  createdBy: Text('Who made it, as in the audit log', 'operator:first-token'),
  expiresAt: Stamp('Until when it may be used'),
  usedAt: Nullable(Stamp('When it was signed in with; null: not yet')),
  revokedAt: Nullable(Stamp('null: it was not revoked')),
  createdAt: Stamp(),
};
export const Link = Type.Object(linkFields, { title: 'PortalLink' });
export const LinkWithUrl = Type.Object(
  {
    ...linkFields,
    url: Type.String({
      format: 'uri',
      maxLength: 2_048,
      description: 'The link; only shown in this response. What is behind # is sent to no server',
      examples: ['https://booking.example/portal#link=pbs_link_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbK'],
    }),
  },
  { title: 'PortalLinkWithUrl' },
);
export const LinksQuery = Type.Object({ ...PageQuery });
export const Links = Type.Object(linkFields, { title: 'PortalLink' });
export const PartnerParams = Type.Object({ id: Uuid('Partner') });
export const LinkParams = Type.Object({ id: Uuid('Link') });

// ---------------------------------------------------------------------------
// Sessions

const EXAMPLE_TOKEN = 'pbs_portal_9dLhJ5uWzRoP6iTQ8xDbK4fN0c3XkqYy2m7SgB1eVtA';

export const SignIn = Body({
  link: Optional(
    Text(
      'Token of a link. Not in later responses: a secret',
      'pbs_link_4fN0c3XkqYy2m7SgB1eVtA9dLhJ5uWzRoP6iTQ8xDbK',
      200,
    ),
  ),
  key: Optional(Text('An API key. Not in later responses: a secret', 'pbs_live_7Kd2QW…', 200)),
});

/** Exactly one of the two. */
export function signInFaults({ link, key }: { link?: string; key?: string }): string[] {
  return (link === undefined) === (key === undefined) ? ['either link or key must be sent'] : [];
}

export const Session = Type.Object(
  {
    token: Text('Sent as `Authorization: Bearer <token>`; only shown in this response', EXAMPLE_TOKEN),
    expiresAt: Stamp('When the session ends'),
  },
  { title: 'PortalSession' },
);
export const SignedOut = Type.Object({ signedOut: Type.Literal(true) }, { title: 'PortalSignedOut' });

export const Me = Type.Object(
  {
    partnerId: Uuid('Partner'),
    partnerName: Text('Its name', 'Home Deals'),
    keyId: Nullable(Uuid('The key that was typed in; null: a link opened the session')),
    keyName: Nullable(Text('Its name', 'Production servers')),
    readOnly,
    permissions: Type.Array(Choice([...PERMISSIONS], 'A permission'), {
      maxItems: PERMISSIONS.length,
      description: 'What the session may do',
    }),
    limit: ChoiceOrNull(
      LIMITS,
      'Why the session only shows the key and what was refused to it; null: it is not limited',
    ),
    address: Text('Where the request came from, as the service sees it', '203.0.113.7', 100),
    expiresAt: Stamp('When the session ends'),
    deployment: Choice(['sandbox', 'production'], 'Kind of deployment'),
    apiUrl: Type.String({
      format: 'uri',
      maxLength: 2_048,
      description: 'Base address of the partner interface',
      examples: ['https://booking.example/v1'],
    }),
    now: Stamp("The service's time; a sandbox's may be ahead of real time"),
    timeZone: Text('Time zone of all dates and times of day', TIME_ZONE, 50),
  },
  { title: 'PortalMe' },
);

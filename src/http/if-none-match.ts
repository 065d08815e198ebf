import { createHash } from 'node:crypto';
import type { onSendHookHandler } from 'fastify';
import Type from 'typebox';

/** Conditional reads: a response that the client already has is 304 without a body (RFC 9110). */

export const IfNoneMatchHeader = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      maxLength: 4_000,
      pattern: '^[^\\u0000]*$',
      description: 'The `ETag` of an earlier response: 304 without a body when this one would be the same',
      examples: ['"4yzUUcXFiNHB8kbWYvpSWg"'],
    }),
  ),
});

export const BodyEtag = {
  ETag: {
    schema: Type.String({
      maxLength: 24,
      pattern: '^"[\\w-]{22}"$',
      description: 'A hash of the body, for `If-None-Match`',
      examples: ['"4yzUUcXFiNHB8kbWYvpSWg"'],
    }),
    statuses: [200, 304],
  },
};

/** For `response[304]` of a route. */
export const NotModified = Type.Null({
  description: 'The response that If-None-Match names is still current',
});

/** A strong tag of the content: equal if and only if the content is. */
export const tagOf = (content: string | Buffer, variant = ''): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}${variant}"`;

/** Whether `If-None-Match` contains this tag. A weak comparison (RFC 9110): proxies may mark it `W/`. */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')));
}

/** `Cache-Control` beside a tag: one reader may keep the response, and asks each time whether it is current. */
export const REVALIDATED = 'private, no-cache';

/** `onSend` of a route: gives successes the tag of their body, and makes them 304 when the client has it. */
export const conditional: onSendHookHandler = (request, reply, payload, done) => {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
  const etag = tagOf(payload);
  reply.headers({ etag, 'cache-control': REVALIDATED });
  if (!namesTag(request.headers['if-none-match'], etag)) return done(null, payload);
  reply.code(304).removeHeader('content-type');
  done(null, null);
};

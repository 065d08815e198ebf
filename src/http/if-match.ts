import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { conflict } from '../base/errors.ts';

/**
 * Optimistic concurrency: a response carries the version of its resource as `ETag`, and a change that names it in
 * `If-Match` is refused with 409 when the resource has changed since (docs/decisions/change-counters.md).
 */

/** The versions that a request wants to change; null: whichever there is. */
export type WantedVersions = readonly number[] | null;

/** A list of tags as responses have them, or `*`. */
const FORM = /^\s*(?:\*|(?:W\/)?"\d{1,10}"(?:\s*,\s*(?:W\/)?"\d{1,10}")*)\s*$/;

/** In the document only; `ifMatchRules` checks the form. */
export const IfMatchHeader = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 1_000,
      pattern: FORM.source,
      description:
        'The `ETag` of the state that you have seen, or `version` in quotation marks. When it has changed since: 409 ' +
        '`CONFLICT`, with the present state in `details.current`. Left out or `*`: any state is changed',
      examples: ['"3"'],
    }),
  ),
});

export const EtagHeader = {
  ETag: {
    schema: Type.String({
      maxLength: 20,
      pattern: '^"\\d+"$',
      description: '`version` of the resource in quotation marks, for `If-Match`',
      examples: ['"3"'],
    }),
    statuses: [200],
  },
};

/** Of what a creation answers. */
export const EtagOfNew = { ETag: { ...EtagHeader.ETag, statuses: [201] } };

/** What is wrong with the request's If-Match, for `config.rules` of a route. */
export function ifMatchRules(_body: unknown, { headers }: FastifyRequest): string[] {
  const given = headers['if-match'];
  if (given === undefined || FORM.test(given)) return [];
  return ['If-Match must be an ETag that a response returned, such as "3"'];
}

/** The versions that a well-formed If-Match names. Proxies that compress make tags weak: `W/"3"` is the same. */
export function wantedVersions({ headers }: FastifyRequest): WantedVersions {
  const given = headers['if-match']?.trim();
  if (given === undefined || given === '*') return null;
  return [...given.matchAll(/"(\d+)"/g)].map(([, version]) => Number(version));
}

/** Says the version of what the response has. */
export function tagged(reply: Pick<FastifyReply, 'header'>, version: number): void {
  reply.header('etag', `"${version}"`);
}

/**
 * Throws CONFLICT with the present state, as its GET returns it, when the version is not one of those wanted. The
 * resource must be locked.
 */
export async function assertWanted(
  wanted: WantedVersions,
  version: number,
  current: () => unknown,
): Promise<void> {
  if (wanted === null || wanted.includes(version)) return;
  throw conflict('It has changed since: look at its present state and decide again', {
    reason: 'STALE',
    version,
    current: await current(),
  });
}

/** The refusal of `assertWanted`, for `errors` of a route. */
export const STALE = {
  code: 'CONFLICT' as const,
  message: 'It has changed since: look at its present state and decide again',
  details: { reason: 'STALE', version: 4, current: { version: 4 } },
};

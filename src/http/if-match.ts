import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { conflict } from '../base/errors.ts';

/**
 * Optimistic concurrency: responses carry the version of their resource as `ETag`, and a change with another version in
 * `If-Match` is refused with 409 (docs/decisions/change-counters.md).
 */

/** The accepted versions; null: any. */
export type WantedVersions = readonly number[] | null;

/** A list of tags of responses, or `*`. */
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

/** Header of a creation's response. */
export const EtagOfNew = { ETag: { ...EtagHeader.ETag, statuses: [201] } };

/** Messages about the request's If-Match, for `config.rules` of a route. */
export function ifMatchRules(_body: unknown, { headers }: FastifyRequest): string[] {
  const given = headers['if-match'];
  if (given === undefined || FORM.test(given)) return [];
  return ['If-Match must be an ETag that a response returned, such as "3"'];
}

/** The versions in a valid If-Match. Proxies that compress make tags weak: `W/"3"` is equivalent. */
export function wantedVersions({ headers }: FastifyRequest): WantedVersions {
  const given = headers['if-match']?.trim();
  if (given === undefined || given === '*') return null;
  return [...given.matchAll(/"(\d+)"/g)].map(([, version]) => Number(version));
}

/** Sets the version of the response's resource. */
export function tagged(reply: Pick<FastifyReply, 'header'>, version: number): void {
  reply.header('etag', `"${version}"`);
}

/**
 * Throws CONFLICT with the current state, as its GET returns it, unless the version is accepted. The resource must be
 * locked.
 */
export async function assertWanted(
  wanted: WantedVersions,
  version: number,
  current: () => unknown,
): Promise<void> {
  if (wanted === null || wanted.includes(version)) return;
  throw conflict('STALE', 'It has changed since: look at its present state and decide again', {
    version,
    current: await current(),
  });
}

/** The error of `assertWanted`, for `errors` of a route. */
export const STALE = {
  code: 'CONFLICT' as const,
  message: 'It has changed since: look at its present state and decide again',
  details: { reason: 'STALE', version: 4, current: { version: 4 } },
};

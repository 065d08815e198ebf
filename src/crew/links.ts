import { type Clock, type Instant, realTime } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { newToken } from '../base/tokens.ts';
import type { Actor } from '../db/audit.ts';
import { auditOf } from '../db/audited-rows.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { type PageQueryValues, paging } from '../http/envelope.ts';
import { viewBy } from '../http/fields.ts';
import { findTeam } from '../teams/queries.ts';
import { loadSchedules } from '../teams/schedule-queries.ts';
import { isForTeam } from '../teams/schedule-rules.ts';
import { type CreateCrewLink, CrewLink } from './operator-schema.ts';
import { insertLink, listLinkRows, lockLink, revokeLinkRow } from './queries.ts';
import { endOfDayLink, linkStatus, pinHash, TOKENS } from './rules.ts';
import type { CrewLinkRow } from './table.ts';

/** A link in the operator's interface and the audit log, without its token and the hashes. Times are real. */
export const crewLinkView = (row: CrewLinkRow, realNow: Instant) =>
  viewBy(CrewLink, row, { status: linkStatus(row, realNow) });

const recordAt = (clock: Clock) =>
  auditOf('crew-link', (row: CrewLinkRow) => crewLinkView(row, realTime(clock)));

/** Makes a link for a team's crew; `token` cannot be read again. Throws RESOURCE_NOT_FOUND (team). */
export async function createCrewLink(
  tx: Tx,
  clock: Clock,
  actor: Actor,
  { teamId, lasts = 'DAY', pin }: CreateCrewLink & { teamId: string },
): Promise<{ row: CrewLinkRow; token: string }> {
  const [now, realNow] = [clock.now(), realTime(clock)];
  const team = await orNotFound(findTeam(tx, teamId), 'Team');
  const schedules = (await loadSchedules(tx)).filter((schedule) => isForTeam(schedule, team));
  const { token, hash } = newToken(TOKENS.link);
  const row = await insertLink(tx, realNow, {
    teamId: team.id,
    hash,
    pinHash: pin === undefined ? null : pinHash(token, pin),
    createdBy: actor,
    expiresAt: lasts === 'DAY' ? realNow + endOfDayLink({ shifts: team.shifts, schedules }, now) - now : null,
  });
  await recordAt(clock)(tx, clock.now(), { actor, after: row });
  return { row, token };
}

/** A page of the team's links, newest first. Throws RESOURCE_NOT_FOUND (team). */
export async function listCrewLinks(
  db: Queryable,
  teamId: string,
  query: PageQueryValues,
): Promise<Page<CrewLinkRow>> {
  const team = await orNotFound(findTeam(db, teamId), 'Team');
  return listLinkRows(db, team.id, paging(query));
}

/**
 * Ends a link and the sessions of its telephones; idempotent. Throws RESOURCE_NOT_FOUND, and INVALID_TRANSITION when it
 * has expired.
 */
export async function revokeCrewLink(tx: Tx, clock: Clock, actor: Actor, id: string): Promise<CrewLinkRow> {
  const realNow = realTime(clock);
  const before = await orNotFound(lockLink(tx, id), 'Crew link');
  const status = linkStatus(before, realNow);
  if (status === 'REVOKED') return before;
  if (status === 'EXPIRED')
    throw new ApiError('INVALID_TRANSITION', 'The link has expired: it opens nothing any more');
  const after = await revokeLinkRow(tx, realNow, before.id);
  await recordAt(clock)(tx, clock.now(), { actor, before, after, verb: 'revoke' });
  return after;
}

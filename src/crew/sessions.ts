import { timingSafeEqual } from 'node:crypto';
import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newToken, sha256 } from '../base/tokens.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { browserOf } from '../http/browsers.ts';
import { countPinTry, findLink, findSession, forgetPinTries, insertSession } from './queries.ts';
import { crewActor, endOfLink, linkStatus, MAX_BACK, pinHash, TOKENS } from './rules.ts';

/** A telephone of a team, signed in by a link. */
export type Crew = {
  sessionId: string;
  linkId: string;
  teamId: string;
  teamName: string;
  /** The other one when there is none. */
  teamNameAr: string;
  actor: Actor;
  /** null: when the link is revoked. */
  expiresAt: Instant | null;
  /** Until when steps count, in real time, as the link has ended; null: it has not. */
  countsUntil: Instant | null;
};

type LinkOfTeam = { team_id: string; team_name: string; team_name_ar: string; expires_at: Instant | null };

const crewOf = ({ team_id, team_name, team_name_ar, expires_at }: LinkOfTeam) => ({
  teamId: team_id,
  teamName: team_name,
  teamNameAr: team_name_ar,
  actor: crewActor(team_id),
  expiresAt: expires_at,
});

/** The telephone with the secret; null: there is none, or its link ended longer ago than steps are taken. */
export async function findCrew(db: Queryable, realNow: Instant, secret: string): Promise<Crew | null> {
  const row = await findSession(db, sha256(secret));
  if (row === null) return null;
  const ended = endOfLink(row, realNow);
  if (ended !== null && ended.at < realNow - MAX_BACK) return null;
  return { ...crewOf(row), sessionId: row.id, linkId: row.link_id, countsUntil: ended?.counts ?? null };
}

const MESSAGES = {
  'not-valid': 'The link has ended, or is not one of this service',
  'other-team': 'The link is of another team than the telephone shows',
  'pin-missing': 'The link asks for a PIN',
  'pin-wrong': 'The PIN is wrong',
  locked: 'The link is locked: too many wrong PINs were entered',
} as const;
export type SignInRefusal = keyof typeof MESSAGES;

const refused = (reason: SignInRefusal): ApiError =>
  new ApiError('UNAUTHORIZED', MESSAGES[reason], {
    check: 'link',
    reason,
    ...((reason === 'not-valid' || reason === 'locked') && { hints: ['ask the office for a new link'] }),
  });

/**
 * Signs a telephone in with a link, which several may use. A telephone that the link has signed in already keeps its
 * session: `secret` is null then. Throws UNAUTHORIZED; wrong PINs are counted, also those of other processes.
 */
export async function signInCrew(
  db: Db,
  realNow: Instant,
  { link: token, pin, teamId }: { link: string; pin?: string; teamId?: string },
  browser: { userAgent: string; secret: string | null },
): Promise<{ crew: ReturnType<typeof crewOf>; secret: string | null }> {
  const link = await findLink(db, sha256(token));
  const status = link === null ? null : linkStatus(link, realNow);
  if (link === null || status === 'EXPIRED' || status === 'REVOKED') throw refused('not-valid');
  if (teamId !== undefined && teamId !== link.team_id) throw refused('other-team');
  const known = browser.secret === null ? null : await findCrew(db, realNow, browser.secret);
  if (known?.linkId === link.id) return { crew: crewOf(link), secret: null };
  if (status === 'LOCKED') throw refused('locked');
  if (link.pin_hash !== null) {
    if (pin === undefined) throw refused('pin-missing');
    if (!(await countPinTry(db, link.id))) throw refused('locked');
    if (!timingSafeEqual(pinHash(token, pin), link.pin_hash)) throw refused('pin-wrong');
    await forgetPinTries(db, link.id);
  }
  const { token: secret, hash } = newToken(TOKENS.session);
  await insertSession(db, realNow, { linkId: link.id, hash, ...browserOf(browser.userAgent) });
  return { crew: crewOf(link), secret };
}

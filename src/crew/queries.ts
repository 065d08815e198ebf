import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { touchStatement } from '../db/last-times.ts';
import type { Page, Window } from '../db/pages.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';
import { columnsOf, firstOf, firstOrThrow, pageOf, rowsOf, tablesOf } from '../db/tables.ts';
import { MAX_PIN_FAILURES } from './rules.ts';
import { type CrewLinkRow, type CrewLinkTable, type CrewSessionTable, LINK_COLUMNS } from './table.ts';

/** Links and sessions of crews. */

const tables = tablesOf<{
  crew_links: CrewLinkTable;
  crew_sessions: CrewSessionTable;
  teams: { id: string; name: string; name_ar: string | null };
}>();

// ---------------------------------------------------------------------------
// Links

const links = tables
  .selectFrom('crew_links as l')
  .select(LINK_COLUMNS.map((column) => `l.${column}` as const))
  .select((row) => [
    sql<boolean>`l.pin_hash is not null`.as('has_pin'),
    row
      .selectFrom('crew_sessions as s')
      .whereRef('s.link_id', '=', 'l.id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .$asScalar()
      .$notNull()
      .as('telephones'),
    row
      .selectFrom('crew_sessions as s')
      .whereRef('s.link_id', '=', 'l.id')
      .select(sql<Instant | null>`max(s.last_seen_at)`.as('at'))
      .$asScalar()
      .as('last_seen_at'),
  ]);

export type NewCrewLink = {
  teamId: string;
  hash: Buffer;
  pinHash: Buffer | null;
  createdBy: string;
  expiresAt: Instant | null;
};

/** The new link; only the hashes of its token and its PIN are stored. */
export async function insertLink(tx: Tx, realNow: Instant, link: NewCrewLink): Promise<CrewLinkRow> {
  const expiresAt = link.expiresAt === null ? null : toUtcIso(link.expiresAt);
  const values = { ...columnsOf({ ...link, expiresAt }), created_at: toUtcIso(realNow) };
  const { id } = await firstOrThrow(tx, tables.insertInto('crew_links').values(values).returning('id'));
  return firstOrThrow(tx, links.where('l.id', '=', id));
}

/** The team's links, newest first. */
export function listLinkRows(db: Queryable, teamId: string, page: Window): Promise<Page<CrewLinkRow>> {
  const query = links.where('l.team_id', '=', teamId).orderBy('l.created_at', 'desc').orderBy('l.id', 'desc');
  return pageOf(db, query, page);
}

/** Locks the link until the end of the transaction; null: there is none. */
export async function lockLink(tx: Tx, id: string): Promise<CrewLinkRow | null> {
  await rowsOf(tx, tables.selectFrom('crew_links').select('id').where('id', '=', id).forUpdate());
  return firstOf(tx, links.where('l.id', '=', id));
}

/** Ends the link, and with it the sessions of its telephones. */
export async function revokeLinkRow(tx: Tx, realNow: Instant, id: string): Promise<CrewLinkRow> {
  await rowsOf(
    tx,
    tables
      .updateTable('crew_links')
      .set({ revoked_at: toUtcIso(realNow) })
      .where('id', '=', id),
  );
  return firstOrThrow(tx, links.where('l.id', '=', id));
}

export const DELETE_ENDED_CREW_LINKS = hotStatement({
  name: 'delete-ended-crew-links',
  takes: { before: pg.timestamptz },
  returns: {},
  text: `
    delete from crew_links where id in (
      select l.id from crew_links l
      where least(l.expires_at, l.revoked_at) < :before
        and not exists (select from crew_steps s where s.link_id = l.id)
      limit 1000
    )`,
});

/** Deletes links that ended before this real time, once their steps are gone; sessions go with them. */
export async function deleteEndedLinks(db: Queryable, before: Instant): Promise<void> {
  await rows(db, DELETE_ENDED_CREW_LINKS, { before });
}

const withTeam = tables
  .selectFrom('crew_links as l')
  .innerJoin('teams as t', 't.id', 'l.team_id')
  .select(['t.name as team_name', sql<string>`coalesce(t.name_ar, t.name)`.as('team_name_ar')]);

/** The link of the token, also one that has ended; null: there is none. */
export function findLink(db: Queryable, hash: Buffer) {
  const query = withTeam
    .select(['l.id', 'l.team_id', 'l.expires_at', 'l.revoked_at', 'l.pin_failures'])
    .select('l.pin_hash')
    .where('l.hash', '=', hash);
  return firstOf(db, query);
}

/**
 * Counts a try of the PIN as wrong before it is compared, so that tries in several processes at once are no more than
 * the limit; false: the limit is reached.
 */
export async function countPinTry(db: Queryable, linkId: string): Promise<boolean> {
  const query = tables
    .updateTable('crew_links')
    .set({ pin_failures: sql<number>`pin_failures + 1` })
    .where('id', '=', linkId)
    .where('pin_failures', '<', MAX_PIN_FAILURES)
    .returning('id');
  return (await firstOf(db, query)) !== null;
}

/** Takes the counted tries back after a right PIN. */
export async function forgetPinTries(db: Queryable, linkId: string): Promise<void> {
  await rowsOf(db, tables.updateTable('crew_links').set({ pin_failures: 0 }).where('id', '=', linkId));
}

// ---------------------------------------------------------------------------
// Sessions

export type NewCrewSession = {
  linkId: string;
  hash: Buffer;
  browser: string | null;
  system: string | null;
};

/** Inserts a session. */
export async function insertSession(db: Queryable, realNow: Instant, session: NewCrewSession): Promise<void> {
  const at = toUtcIso(realNow);
  const values = { ...columnsOf(session), created_at: at, last_seen_at: at };
  await rowsOf(db, tables.insertInto('crew_sessions').values(values));
}

/** The session of the hash with its link and team, also one whose link has ended; null: there is none. */
export function findSession(db: Queryable, hash: Buffer) {
  const query = withTeam
    .innerJoin('crew_sessions as s', 's.link_id', 'l.id')
    .select(['s.id', 'l.id as link_id', 'l.team_id', 'l.expires_at', 'l.revoked_at'])
    .where('s.hash', '=', hash);
  return firstOf(db, query);
}

/** Ends the session of one telephone. */
export async function deleteSession(db: Queryable, id: string): Promise<void> {
  await rowsOf(db, tables.deleteFrom('crew_sessions').where('id', '=', id));
}

export const TOUCH_CREW_SESSIONS = touchStatement('touch-crew-sessions', 'crew_sessions', 'last_seen_at');

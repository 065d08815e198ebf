import type { Queryable } from '../db/connection.ts';
import { findBeside } from './audit-queries.ts';
import { search } from './search.ts';

/** Matches of each kind whose entries are found. */
const MAX_MATCHES = 200;

/**
 * The ids of what the search finds by the text, and of what belongs to it in the audit log; none of a text of the log
 * itself, such as `booking:<id>`. `hidesPhones`: for one who sees phones masked (searchTermsOf).
 */
export async function idsMeantBy(db: Queryable, text = '', hidesPhones: boolean): Promise<string[]> {
  if (text === '' || text.includes(':')) return [];
  const groups = await search(db, { q: text, limit: MAX_MATCHES }, hidesPhones);
  const idsOf = (found: typeof groups) =>
    found.flatMap(({ items }) => items.flatMap(({ id, appointmentId }) => [id, appointmentId ?? []].flat()));
  const contactIds = idsOf(groups.filter(({ kind }) => kind === 'customer'));
  return [...idsOf(groups), ...(await findBeside(db, text, contactIds))];
}

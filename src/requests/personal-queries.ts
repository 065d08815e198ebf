import { personalOf } from '../db/columns.ts';
import type { Tx } from '../db/connection.ts';
import type { ErasedPerson, PersonalTable } from '../db/personal.ts';
import { isAbout, type LoggedTexts } from './logged-texts.ts';
import { REQUEST_LOG } from './table.ts';

/** Rows of the log that are read at once. */
const BATCH = 1_000;

/**
 * Removes paths and bodies of requests about the customer from the log of a sandbox, which alone has them: a production
 * may have millions of requests of a partner, and none with a body.
 */
async function eraseLogged(
  tx: Tx,
  { contact, addresses, bookings, keepsBodies }: ErasedPerson,
): Promise<void> {
  if (!keepsBodies) return;
  const { id, partner_id, name } = contact;
  const person = { ids: new Set([id, ...addresses, ...bookings.map((booking) => booking.id)]), name };
  for (let last = '0', isMore = true; isMore; ) {
    const batch = await tx.rows<LoggedTexts & { id: string }>({
      text: `
        select id::text, status, path, bodies from request_log
        where partner_id = $1 and id > $2::bigint and (bodies is not null or path is not null)
        order by id limit ${BATCH}`,
      values: [partner_id, last],
    });
    await tx.rows({
      text: `
        update request_log set ${EMPTY} where partner_id = $1 and id = any ($2::bigint[])`,
      values: [partner_id, batch.filter((row) => isAbout(row, person)).map((row) => row.id)],
    });
    last = batch.at(-1)?.id ?? last;
    isMore = batch.length === BATCH;
  }
}

const EMPTY = personalOf(REQUEST_LOG)
  .map(([name]) => `${name} = ${REQUEST_LOG[name].type === '_text' ? `'{}'` : 'null'}`)
  .join(', ');

export const PERSONAL_REQUESTS: PersonalTable = {
  table: 'request_log',
  columns: REQUEST_LOG,
  what: 'requests; paths and bodies in a sandbox only, phones and places masked, names not',
  until: '`REQUEST_LOG_DAYS`',
  erase: eraseLogged,
};

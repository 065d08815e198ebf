import pg from 'pg';

/**
 * Loaded before a measured program (`--import`): counts what it sends to the database, and tells its parent when asked.
 * Statements leave out the brackets of a transaction; round trips have them, because each is waited for.
 */
export type QueryCount = { statements: number; roundTrips: number };

const BRACKET = /^(?:begin|commit|rollback)\b/i;
const count: QueryCount = { statements: 0, roundTrips: 0 };

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [first] = given as [string | { text: string }];
  count.roundTrips++;
  if (!BRACKET.test(typeof first === 'string' ? first : first.text)) count.statements++;
  return Reflect.apply(query, this, given);
} as typeof query;

process.on('message', (message) => {
  if (message === 'count-queries') process.send!(count);
});
// Listening must not keep alive a program that has nothing left to do.
process.channel?.unref();

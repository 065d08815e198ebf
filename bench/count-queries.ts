import pg from 'pg';

/**
 * Imported into a measured program (`--import`): counts its statements, and reports them to its parent on request.
 * `statements` omits begin and commit; `roundTrips` includes them, because each is waited for.
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
// The channel must not keep the program alive.
process.channel?.unref();

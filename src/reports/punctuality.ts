import { addDays, type Instant, startOfDate } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { PUNCTUAL_MINUTES } from '../dispatch/attention-rules.ts';
import { listNamed } from '../dispatch/name-queries.ts';
import { type BeginningsRow, countBeginnings } from './punctuality-queries.ts';
import type { PunctualityQuery } from './punctuality-schema.ts';

type Counts = Pick<BeginningsRow, 'visits' | 'punctual' | 'late' | 'not_begun'>;

/**
 * Visits from one Riyadh date to another, both included, that began within the minutes of their start, by team, zone and
 * partner. Those whose minutes are not over yet do not count.
 */
export async function readPunctuality(
  db: Queryable,
  now: Instant,
  { from, to, minutes = PUNCTUAL_MINUTES }: PunctualityQuery,
) {
  const period = { from: startOfDate(from), until: startOfDate(addDays(to, 1)), minutes, now };
  const found = await countBeginnings(db, period);
  const named = await listNamed(db);
  const by = (column: 'team_id' | 'zone_id' | 'partner_id') => {
    const groups = Map.groupBy(found, (row) => row[column]);
    return named
      .filter(({ id }) => groups.has(id))
      .map(({ id, name, name_ar: nameAr }) => ({ id, name, nameAr, ...shown(sumOf(groups.get(id)!)) }));
  };
  return {
    from,
    to,
    minutes,
    ...shown(sumOf(found)),
    teams: by('team_id'),
    zones: by('zone_id'),
    partners: by('partner_id').map(({ nameAr: _, ...partner }) => partner),
  };
}

function sumOf(rows: readonly Counts[]): Counts {
  const sum: Counts = { visits: 0, punctual: 0, late: 0, not_begun: 0 };
  for (const { visits, punctual, late, not_begun } of rows) {
    sum.visits += visits;
    sum.punctual += punctual;
    sum.late += late;
    sum.not_begun += not_begun;
  }
  return sum;
}

/** With the share to four decimals; null: no visits. */
function shown({ visits, punctual, late, not_begun }: Counts) {
  const share = visits === 0 ? null : Math.round((punctual / visits) * 10_000) / 10_000;
  return { visits, punctual, late, notBegun: not_begun, share };
}

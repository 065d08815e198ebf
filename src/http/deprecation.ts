import { addDays, type CalendarDate, isCalendarDate, startOfDate, toHttpDate } from '../base/clock.ts';

/** One line in a route's schema: `deprecated: { since: '2026-12-01', sunset: '2027-03-01' }`. */
export type Deprecation = {
  /** The Riyadh date of the deprecation; may be in the future. */
  since: CalendarDate;
  /** The earliest Riyadh date of the removal. */
  sunset: CalendarDate;
  /** Documentation of the replacement: an absolute URL. */
  link?: string;
};

declare module 'fastify' {
  interface FastifySchema {
    deprecated?: Deprecation;
  }
}

/** Days between the announcement and a breaking change (section 9). */
const NOTICE_DAYS = 90;

/**
 * Headers of every response of a deprecated route: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and, with a link,
 * `Link`. Throws RangeError for an invalid date or URL, or too short a notice: the service then does not start.
 */
export function deprecationHeaders(route: string, { since, sunset, link }: Deprecation): [string, string][] {
  for (const date of [since, sunset]) {
    if (!isCalendarDate(date))
      throw new RangeError(`${route} is deprecated with "${date}", which is no date`);
  }
  if (sunset < addDays(since, NOTICE_DAYS)) {
    throw new RangeError(`${route} would go less than ${NOTICE_DAYS} days after its deprecation (${since})`);
  }
  const headers: [string, string][] = [
    ['deprecation', `@${startOfDate(since) / 1000}`],
    ['sunset', toHttpDate(startOfDate(sunset))],
  ];
  if (link === undefined) return headers;
  if (!URL.canParse(link)) throw new RangeError(`${route} is deprecated with "${link}", which is no URL`);
  return [...headers, ['link', `<${new URL(link).href}>; rel="deprecation"; type="text/html"`]];
}

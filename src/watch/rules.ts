import { DAY, type Instant, MINUTE, SECOND } from '../base/clock.ts';
import type texts from './texts.json';

/** The facts that somebody is told of at night, decided from figures and time alone. */

type Fact = {
  /** The rule of deploy/monitoring/alerts.yml that it stands for, with the same numbers. */
  alert: string;
  /** Seconds that it holds before anybody is told. */
  after: number;
  /** A sample of a selector is above its limit. */
  above?: Record<string, number>;
  /** A sample of the selector is zero. */
  zero?: string;
  /** Of the calls within so many seconds more were bad (by this label) than that, and than that share of all. */
  calls?: readonly [all: string, bad: string, seconds: number, moreThan: number, share: number];
};

export type FactId = Exclude<keyof typeof texts.facts, 'TEST'>;

const [GATEWAY, MESSAGES] = ['payment_gateway_calls_total', 'messages_sent_total'];
const BOOKINGS = 'http_requests_total{method="POST", route="/v1/partners/bookings"}';
const [FAILED, REFUSED] = ['outcome=~"failed|key_refused"', 'outcome="key_refused"'];
const unsent = (step: string) => ({ [`payment_links_unsent_seconds{step="${step}"}`]: 45 });
const reports = (kind: string, maxAge: number) => ({
  [`backup_failed{kind="${kind}"}`]: 0,
  [`backup_age_seconds{kind="${kind}"}`]: maxAge,
});

/** PROCESS_DOWN has no figures: a process does not answer. */
export const FACTS: Record<FactId, Fact> = {
  PROCESS_DOWN: { alert: 'PartnerBookingDown', after: 60 },
  DATABASE_AWAY: { alert: 'DatabaseUnavailable', after: 30, zero: 'database_up' },
  BOOKINGS_FAIL: { alert: 'BookingsFail', after: 15, calls: [BOOKINGS, 'status=~"5.."', 60, 2, 0.1] },
  LINKS_NOT_MADE: { alert: 'PaymentLinksNotMade', after: 30, above: unsent('make') },
  LINKS_NOT_SENT: { alert: 'PaymentLinksNotSent', after: 30, above: unsent('send') },
  GATEWAY_FAILS: { alert: 'PaymentGatewayFails', after: 15, calls: [GATEWAY, FAILED, 60, 2, 0.5] },
  GATEWAY_KEY_REFUSED: { alert: 'ProviderKeyRefused', after: 0, calls: [GATEWAY, REFUSED, 120, 0, 0] },
  MESSAGES_FAIL: { alert: 'MessagesNotAccepted', after: 15, calls: [MESSAGES, FAILED, 60, 2, 0.5] },
  MESSAGES_KEY_REFUSED: { alert: 'ProviderKeyRefused', after: 0, calls: [MESSAGES, REFUSED, 120, 0, 0] },
  REFUNDS_REFUSED: {
    alert: 'RefundsNeedTheOperator',
    after: 60,
    above: { 'payment_refunds{status="FAILED"}': 0 },
  },
  WEBHOOKS_LATE: { alert: 'WebhooksLate', after: 120, above: { webhook_oldest_due_seconds: 60 } },
  JOB_OVERDUE: { alert: 'JobOverdue', after: 0, above: { jobs_overdue_seconds: 600 } },
  ARCHIVING_FAILS: { alert: 'ArchivingFails', after: 300, above: { 'database_archive{what="failing"}': 0 } },
  BACKUP_FAILED: { alert: 'BackupsFail', after: 60, above: reports('backup', 30 * 3600) },
  ARCHIVE_HAS_HOLE: { alert: 'ArchiveHasHole', after: 0, above: reports('archive', 3600) },
};

/** The texts of `/metrics` at a time, by address; null: that process did not answer. */
export type Sample = { at: Instant; processes: ReadonlyMap<string, string | null> };

/** Samples are not exactly as far apart as they should be; for how long one is of use. */
const SLACK = 7 * SECOND;
export const KEPT = 2 * MINUTE + SLACK;

/** The values of a selector as PromQL has it. Label values of ours have no braces and quotes. */
export function valuesOf(figures: string, selector: string): number[] {
  const wanted = [...selector.matchAll(/(\w+)=~?("[^"]*")/g)].map(
    ([, label, of]) => `(?=[^}\n]*[{,]${label}="(?:${of!.slice(1, -1)})")`,
  );
  const name = /^\w+/.exec(selector)![0];
  const sample = new RegExp(`^${name}(?=[{ ])${wanted.join('')}(?:\\{[^}\n]*\\})? (\\S+)`, 'gm');
  return [...figures.matchAll(sample)].map(([, value]) => Number(value));
}

/** By how much a counter of all processes has grown; one that is smaller than before began anew. */
function growth(samples: readonly Sample[], selector: string): number {
  return [...samples.at(-1)!.processes.keys()].reduce((total, process) => {
    const sums = samples
      .flatMap(({ processes }) => processes.get(process) ?? [])
      .map((figures) => valuesOf(figures, selector).reduce((sum, value) => sum + value, 0));
    return sums.reduce((grown, sum, i) => {
      const before = sums[i - 1] ?? sum;
      return grown + (sum < before ? sum : sum - before);
    }, total);
  }, 0);
}

/** Whether the fact holds by the last of the samples; null: nothing says so or not, as when no call was good. */
function holds({ above = {}, zero, calls }: Fact, samples: readonly Sample[]): boolean | null {
  const { at, processes } = samples.at(-1)!;
  if (calls !== undefined) {
    const [all, bad, seconds, moreThan, share] = calls;
    const used = samples.filter((sample) => sample.at >= at - seconds * SECOND - SLACK);
    const [total, failed] = [growth(used, all), growth(used, `${all} ${bad}`)];
    const isSo = failed > moreThan && failed > share * total;
    return isSo || failed < total ? isSo : null;
  }
  const answers = [...processes.values()].filter((figures) => figures !== null);
  const valuesIn = (selector: string): number[] => answers.flatMap((figures) => valuesOf(figures, selector));
  const said = [
    ...Object.entries(above).flatMap(([selector, limit]) => valuesIn(selector).map((value) => value > limit)),
    ...(zero === undefined ? [] : valuesIn(zero).map((value) => value === 0)),
  ];
  return said.length === 0 ? null : said.includes(true);
}

/** A fact from its beginning to its end. */
export type Episode = {
  fact: FactId;
  /** Its address; null: of the whole deployment. */
  process: string | null;
  /** Of the process, as in ROLES, by its last figures. */
  roles: string;
  since: Instant;
  /** When it had held for long enough to be told; null: not yet. */
  openedAt: Instant | null;
  /** Since when it does not hold any more; null: it does. */
  fineSince: Instant | null;
  endedAt: Instant | null;
  /** What each channel has taken. */
  told: Readonly<Record<string, 'BEGUN' | 'OVER'>>;
};

/** It is over when it has not held for so long: what comes and goes is told once. */
const FINE = 2 * MINUTE;

/** The episodes after one more sample, the last of them: those that begin, go on and end. */
export function follow(episodes: readonly Episode[], samples: readonly Sample[]): Episode[] {
  const { at: now, processes } = samples.at(-1)!;
  const going = (fact: FactId, process: string | null, isSo: boolean | null): Episode[] => {
    const known = episodes.find(
      (one) => one.fact === fact && one.process === process && one.endedAt === null,
    );
    const figures = samples
      .findLast((sample) => sample.processes.get(process ?? ''))
      ?.processes.get(process!);
    const signs = { api: /^attention\{/m, worker: /^jobs_overdue_seconds\{/m };
    const roles = Object.entries(signs).flatMap(([role, sign]) => (sign.test(figures ?? '') ? role : []));
    const begun = { fact, process, roles: roles.join(','), since: now };
    return goOn(known ?? { ...begun, openedAt: null, fineSince: null, endedAt: null, told: {} }, isSo, now);
  };
  return [
    ...episodes.filter(({ endedAt }) => endedAt !== null && now - endedAt < DAY),
    ...[...processes].flatMap(([process, figures]) => going('PROCESS_DOWN', process, figures === null)),
    ...Object.entries(FACTS).flatMap(([fact, rule]) => going(fact as FactId, null, holds(rule, samples))),
  ];
}

/** None when it passed before anybody was to be told. */
function goOn(episode: Episode, isSo: boolean | null, now: Instant): Episode[] {
  if (episode.openedAt === null) {
    if (isSo !== true) return [];
    const isLong = now - episode.since >= FACTS[episode.fact].after * SECOND;
    return [{ ...episode, openedAt: isLong ? now : null }];
  }
  const fineSince = isSo === true ? null : (episode.fineSince ?? (isSo === false ? now : null));
  const isOver = fineSince !== null && now - fineSince >= FINE;
  return [{ ...episode, fineSince, endedAt: isOver ? fineSince : null }];
}

/** What the channel is to be told next; null: nothing, as of what was over before it took the beginning. */
export function untold({ openedAt, endedAt, told }: Episode, channel: string): 'BEGUN' | 'OVER' | null {
  if (told[channel] === undefined) return openedAt !== null && endedAt === null ? 'BEGUN' : null;
  return told[channel] === 'BEGUN' && endedAt !== null ? 'OVER' : null;
}

import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { type Clock, dateOf, type Instant, MINUTE, realTime, timeOf, toRiyadhIso } from '../base/clock.ts';
import { maskedPhone } from '../contacts/rules.ts';
import { type NotifierSettings, openNotifier } from '../payments/gateways.ts';
import { postSigned } from '../payments/providers/webhook.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Episode } from './rules.ts';
import texts from './texts.json' with { type: 'json' };

/** Numbers in E.164, and an address for programs. */
export type AlertSettings = { phones: readonly string[]; webhook: { url: string; secret: string } | null };

/** Milliseconds in which a channel takes an alert, or it is told again after the next reading. */
const TAKEN_WITHIN = 9_000;

type State = 'BEGUN' | 'OVER' | 'TEST';
type News = Pick<Episode, 'process' | 'roles' | 'since' | 'endedAt'> & { fact: Episode['fact'] | 'TEST' };
type Alert = News & { id: string; state: State; text: string };

/** Somebody who is told; `to` is for readers: a masked number, a host. `tell` throws NotifierError. */
export type Channel = {
  name: string;
  kind: 'SMS' | 'WEBHOOK';
  to: string;
  tell(alert: Alert): Promise<void>;
};

/** The configured channels, each number on its own. */
export function openChannels(
  { alerts, payments }: { alerts: AlertSettings; payments: { notifier: NotifierSettings } },
  clock: Clock,
  logger: Logger,
): Channel[] {
  const { phones, webhook } = alerts;
  const settings = Object.assign({ timeout: TAKEN_WITHIN }, payments.notifier);
  const notifier = openNotifier(settings, { clock, logger });
  const numbers = (notifier.name === 'none' ? [] : phones).map((to): Channel => {
    const message = { to, language: 'both', kind: 'ALERT', url: null } as const;
    const tell = ({ id, text }: Alert): Promise<void> => notifier.send({ ...message, id, text });
    return { name: `SMS ${to}`, kind: 'SMS', to: maskedPhone(to), tell };
  });
  if (webhook === null) return numbers;
  const target = { ...webhook, timeout: TAKEN_WITHIN, variable: 'ALERT_WEBHOOK_URL' };
  const tell = ({ since, endedAt, ...rest }: Alert): Promise<void> => {
    const times = { since: toRiyadhIso(since), endedAt: endedAt && toRiyadhIso(endedAt) };
    return postSigned(target, canonicalJson({ ...rest, ...times }), realTime(clock));
  };
  return [...numbers, { name: 'WEBHOOK', kind: 'WEBHOOK', to: new URL(webhook.url).host, tell }];
}

/**
 * The alert with which a channel is told of something: the same, with the same id, however often. Its text is an SMS of
 * three segments at most, in which each line has letters of one direction: the deployment's host and the time, the news in
 * Arabic and in English, the process.
 */
export function alertOf(news: News, state: State, at: Instant, to: { host: string; channel: string }): Alert {
  const { fact, process, roles, since, endedAt } = news;
  const [, month, day] = dateOf(at).split('-');
  const minutes = Math.max(1, Math.round(((endedAt ?? since) - since) / MINUTE));
  const lines = (['ar', 'en'] as const).map((language) =>
    texts.forms[state][language]
      .replace('{what}', texts.facts[fact][language])
      .replace('{since}', timeOf(since).slice(0, 5))
      .replace('{minutes}', String(minutes)),
  );
  const where = process === null ? [] : [`${roles} ${new URL(process).host}`.trim()];
  const text = [`${to.host} ${day}/${month} ${timeOf(at)}`, ...lines, ...where].join('\n');
  const named = `${fact} ${process} ${since} ${state} ${to.channel}`;
  return { ...news, state, text, id: createHash('sha256').update(named).digest('hex').slice(0, 32) };
}

import { timeOf } from '../base/clock.ts';
import { plainLine } from '../base/text.ts';
import type { MessageKind } from '../partners/account-rules.ts';
import { arabicDate, cut, englishDate } from '../payments/messages.ts';
import type { DueMessage } from './message-queries.ts';

type Texts = Record<MessageKind | 'NEW_TIME', (when: string) => string>;

const ARABIC: Texts = {
  BOOKED: (when) => `تم حجز موعدك ${when}`,
  NEW_TIME: (when) => `تغيّر موعدك إلى ${when}`,
  DAY_BEFORE: (when) => `تذكير بموعدك ${when}`,
  ON_THE_WAY: () => 'الفريق في الطريق إليك',
  DONE: () => 'اكتمل العمل. شكرًا لك',
};
const ENGLISH: Texts = {
  BOOKED: (when) => `Your visit is booked: ${when}`,
  NEW_TIME: (when) => `Your visit has moved to ${when}`,
  DAY_BEFORE: (when) => `Reminder of your visit: ${when}`,
  ON_THE_WAY: () => 'The team is on the way',
  DONE: () => 'The work is done. Thank you',
};

/** UTF-16 units of the partner's name: with the longest of each line it is four segments of SMS. */
const MAX_NAME = 32;

/**
 * The SMS: the partner, Arabic before English, as with payment links (a customer's language is not known), the reference,
 * the page. Each on a line of its own, so that texts of both directions are never mixed.
 */
export function messageText(message: DueMessage, url: string | null): string {
  const { kind, is_new_time, service_date, visit_starts_at, appointment_name, partner_name } = message;
  const said = kind === 'BOOKED' && is_new_time ? 'NEW_TIME' : kind;
  const time = timeOf(visit_starts_at).slice(0, 5);
  return [
    cut(plainLine(partner_name), MAX_NAME),
    ARABIC[said](`${arabicDate(service_date)} الساعة ${time}`),
    ENGLISH[said](`${englishDate(service_date)} ${time}`),
    appointment_name,
    ...(url === null ? [] : [url]),
  ].join('\n');
}

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ROUTES } from '../sdk/src/contract.ts';
import type { OperationName } from '../sdk/src/model.ts';
import { DONE_CODES, REPEATABLE, type RefusedWhenDone } from '../sdk/src/retries.ts';
import { ERROR_STATUS } from '../src/base/errors.ts';

/**
 * Writes the table of docs/retries.md and its Arabic twin from the table that both SDKs retry by; test/retries-doc.test.ts
 * compares them.
 */
const BEGIN = '<!-- Printed by `npm run generate` from sdk/src/retries.ts. -->';
const END = '<!-- Until here. -->';

type Routes = typeof ROUTES;
type Read = { [Name in OperationName]: Routes[Name]['method'] extends 'GET' ? Name : never }[OperationName];

/** A text in English, and in Arabic. */
type Told = readonly [en: string, ar: string];

const SAME: Told = ['the outcome is the same', 'النتيجة واحدة'];

/**
 * Why a repetition is harmless; else how to find out whether the first was done. Of every operation that changes
 * something.
 */
export const AFTERWARDS: Record<Exclude<OperationName, Read>, Told> = {
  'contacts.findOrCreate': ['it finds what the first one created', 'يجد ما أنشأه الطلب الأول'],
  'contacts.update': SAME,
  'contacts.updateAddress': SAME,
  'contacts.erase': ['it returns the first erasure', 'يعيد نتيجة المحو الأول'],
  'holds.create': [
    'the same slot is the same hold. At coordinates without a reference the second is another one: look at the list of holds first',
    'الموعد نفسه حجز مؤقت واحد. وبإحداثيات من دون مرجع يكون الثاني حجزًا مؤقتًا آخر: راجع قائمة الحجوزات المؤقتة أولًا',
  ],
  'holds.extend': [
    'with `seconds` read the hold first: a later `expiresAt` means that it is done',
    'ومع `seconds` اقرأ الحجز المؤقت أولًا: إن تأخر `expiresAt` فقد تم التمديد',
  ],
  'holds.release': SAME,
  'bookings.create': [
    'unchanged: at most one of the two books ([below](#booking-with-a-reference)). Without either, look for the contact in ' +
      'the list of bookings before you send it again; better, always use a reference',
    'دون تغيير: ينشئ أحد الطلبين حجزًا على الأكثر ([أدناه](#booking-with-a-reference)). ومن دونهما ابحث عن العميل في قائمة ' +
      'الحجوزات قبل أن تعيد إرساله، والأفضل أن تستخدم مرجعًا دائمًا',
  ],
  'bookings.update': SAME,
  'bookings.cancel': SAME,
  'bookings.confirmPayment': [
    '`details.paymentStatus` is then `PAID`',
    'وتكون قيمة `details.paymentStatus` حينها `PAID`',
  ],
  'pricing.calculate': ['it changes nothing', 'لا يغيّر شيئًا'],
  'series.create': [
    'with `details.sameRequest` the first made it, and `details.seriesId` is its id. Without a reference look for the contact in ' +
      'the list of series before you send it again',
    'فإن كان معها `details.sameRequest` فقد أنشأها الطلب الأول ومعرّفها `details.seriesId`. ومن دون مرجع ابحث عن العميل في قائمة ' +
      'السلاسل قبل أن تعيد إرساله',
  ],
  'series.update': [
    'it moves what is left, and `changes` have only that; `dates` show all visits',
    'ينقل ما بقي ويذكره وحده في `changes`، أما `dates` ففيها الزيارات كلها',
  ],
  'series.place': SAME,
  'series.skip': SAME,
  'series.pause': SAME,
  'series.end': SAME,
  'webhooks.subscriptions.create': [
    'list the subscriptions first: two with the same URL are two deliveries of each event. If it is there, rotate its ' +
      'secret: nobody has it',
    'راجع قائمة الاشتراكات أولًا: اشتراكان بالعنوان نفسه يعنيان إرسال كل حدث مرتين. وإن وجدته فيها فبدّل سره، إذ لا يعرفه أحد',
  ],
  'webhooks.subscriptions.update': SAME,
  'webhooks.subscriptions.remove': SAME,
  'webhooks.subscriptions.rotateSecret': ['only the newest secret counts', 'العبرة بأحدث سر'],
  'webhooks.subscriptions.test': [
    'look whether your receiver has got a `webhook.test`; nothing else comes of it',
    'تحقّق هل وصل `webhook.test` إلى مستقبِلك؛ ولا أثر له غير ذلك',
  ],
  'webhooks.subscriptions.recover': [
    'list the deliveries that are `FAILED`: those that were retried are no longer there. A second request retries and counts ' +
      'what is left',
    'راجع قائمة عمليات الإرسال التي حالتها `FAILED`: ما أُعيدت محاولته لم يعد فيها. والطلب الثاني يعيد محاولة ما بقي ويعدّه وحده',
  ],
  'webhooks.deliveries.retry': [
    'read the delivery: it is done when it is no longer `FAILED`, or its `attemptCount` has grown',
    'اقرأ عملية الإرسال: تمت إعادة المحاولة إن لم تعد حالتها `FAILED` أو زاد `attemptCount`',
  ],
  'webhooks.deliveries.replay': [
    'list the deliveries with the `eventId`: it is done when there is one with a higher `replay`',
    'راجع قائمة عمليات الإرسال بقيمة `eventId`: تم ذلك إن كان فيها ما قيمة `replay` فيه أعلى',
  ],
  'sandbox.bookings.advance': [
    'without it read the booking: the status of its appointment says whether it is done',
    'ومن دونها اقرأ الحجز: حالة موعده تدل على ما تم',
  ],
  'sandbox.bookings.startRun': [
    'list the runs of the booking: it is done when the newest has your script',
    'راجع قائمة تشغيلات الحجز: تم ذلك إن كان أحدثها بالسيناريو الذي أرسلته',
  ],
  'sandbox.bookings.stopRun': ['a run that has ended stays as it is', 'التشغيل الذي انتهى يبقى كما هو'],
  'sandbox.webhooks.setFault': ['`count` is set, not added', 'تُضبط قيمة `count` ولا تُضاف'],
  'sandbox.webhooks.clearFaults': SAME,
  'sandbox.certifications.start': ['the second ends the first', 'الثانية تنهي الأولى'],
};

const WORDS = {
  en: {
    file: 'docs/retries.md',
    head: ['Request', 'Send it again?', 'After a lost response'],
    yes: 'yes',
    no: 'no',
    with: 'with',
    or: ' or ',
    read: 'it only reads',
    done: (refusals: string) => `${refusals} means that it is done`,
    join: '; ',
  },
  ar: {
    file: 'docs/retries.ar.md',
    head: ['الطلب', 'هل تعيد إرساله؟', 'بعد ضياع الاستجابة'],
    yes: 'نعم',
    no: 'لا',
    with: 'مع',
    or: ' أو ',
    read: 'يقرأ فقط',
    done: (refusals: string) => `${refusals} تعني أنه قد تم`,
    join: '؛ ',
  },
} as const;

export type Language = keyof typeof WORDS;

function rowOf(language: Language, name: OperationName): string {
  const words = WORDS[language];
  const { method, path } = ROUTES[name];
  const [verdict, fields] = REPEATABLE[name].split('with ');
  const again =
    fields === undefined
      ? words[verdict as 'yes' | 'no']
      : `${words.with} ${fields
          .split(' or ')
          .map((field) => `\`${field}\``)
          .join(words.or)}`;
  const told = (AFTERWARDS as Partial<Record<OperationName, Told>>)[name];
  const text = told === undefined ? words.read : told[language === 'en' ? 0 : 1];
  const codes = name === 'bookings.create' ? [] : (DONE_CODES[name as RefusedWhenDone] ?? []);
  const done = codes.map((code) => `${ERROR_STATUS[code]} \`${code}\``).join(words.or);
  const parts = done === '' ? [text] : [words.done(done), text];
  return `| \`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}\` | ${again} | ${parts.join(words.join)} |`;
}

/** The page with its table printed anew. Throws when it has no place for it. */
export function retriesPage(page: string, language: Language): string {
  const { file, head } = WORDS[language];
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for its table`);
  const rows = (Object.keys(REPEATABLE) as OperationName[]).map((name) => rowOf(language, name));
  const table = [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows].join('\n');
  return `${page.slice(0, begin)}${BEGIN}\n\n${table}\n\n${page.slice(end)}`;
}

/** The pages by language. */
export const PAGES = Object.fromEntries(
  Object.entries(WORDS).map(([language, { file }]) => [
    language,
    fileURLToPath(new URL(`../${file}`, import.meta.url)),
  ]),
) as Record<Language, string>;

if (import.meta.main) {
  for (const [language, path] of Object.entries(PAGES))
    writeFileSync(path, retriesPage(readFileSync(path, 'utf8'), language as Language));
  console.log('the tables of docs/retries.md and docs/retries.ar.md are written');
}

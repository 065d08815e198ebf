import type { Language } from '../http/bilingual-pages.ts';
import type { PointId, PointState } from './rules.ts';

/** Texts of certifications in Arabic, and of their page in both languages. */

/** The sentences of findings with their Arabic; names in braces are placeholders. */
const FOUND = {
  'A booking was created without an externalReference.': 'أُنشئ حجز بلا externalReference.',
  'No booking has been created yet.': 'لم يُنشأ أي حجز بعد.',
  'A booking was created with an externalReference.': 'أُنشئ حجز بقيمة externalReference.',
  'No reference has come a second time yet.': 'لم يتكرر أي مرجع بعد.',
  'The same answer came twice.': 'جاءت الاستجابة نفسها مرتين.',
  '409, and then the booking was read.': '409، ثم قُرئ الحجز.',
  'After 409 the booking was not read.': 'بعد 409 لم يُقرأ الحجز.',
  '409 was answered; the booking has not been read since.': 'كانت الاستجابة 409، ولم يُقرأ الحجز بعدها.',
  'No creation has been refused with 422 yet.': 'لم يُرفض أي إنشاء بالحالة 422 بعد.',
  'A time that is not free was asked for again and again.': 'طُلب وقت غير متاح مرارًا.',
  'One of the alternatives was booked.': 'حُجز أحد البدائل.',
  'Timeslots were asked for again, and one was booked.': 'طُلبت المواعيد المتاحة من جديد، وحُجز أحدها.',
  'After 422 no other time was booked.': 'بعد 422 لم يُحجز أي وقت آخر.',
  '422 was answered; no other time has been booked since.': 'كانت الاستجابة 422، ولم يُحجز وقت آخر بعدها.',
  'Your account has no limit of requests.': 'ليس لحسابك حد للطلبات.',
  'No request has been refused with 429 yet.': 'لم يُرفض أي طلب بالحالة 429 بعد.',
  'Requests came within the {seconds} seconds of Retry-After.':
    'جاءت طلبات خلال مدة Retry-After وهي {seconds} ثانية.',
  '429 was answered; no request has come since.': 'كانت الاستجابة 429، ولم يأتِ أي طلب بعدها.',
  'The next request came after {seconds} seconds or more.': 'جاء الطلب التالي بعد {seconds} ثانية أو أكثر.',
  'It has not been its turn yet.': 'لم يحن دوره بعد.',
  'It is under way.': 'جارٍ.',
  'A delivery was not answered 2xx.': 'لم تُقابَل عملية إرسال باستجابة 2xx.',
  'The deliveries have not all been answered 2xx yet.': 'لم تُقابَل كل عمليات الإرسال باستجابة 2xx بعد.',
  'The webhook was accepted, and the state read.': 'قُبل الإشعار، وقُرئت الحالة.',
  'The webhook was accepted, and the state not read.': 'قُبل الإشعار، ولم تُقرأ الحالة.',
  'The webhook was accepted; the state has not been read since.': 'قُبل الإشعار، ولم تُقرأ الحالة بعده.',
  'The delivery was not answered.': 'لم تأتِ أي استجابة لعملية الإرسال.',
  'It is on its way.': 'في الطريق.',
  'Both were answered 2xx.': 'كانت الاستجابة لكليهما 2xx.',
  'They were answered {first} and {second}.': 'كانت الاستجابتان {first} و{second}.',
  'The forged one was accepted with {status}.': 'قُبل المزوّر بالحالة {status}.',
  'The forged one was answered {status}, not 4xx.': 'كانت الاستجابة للمزوّر {status} لا 4xx.',
  'The forged one was refused with {status}.': 'رُفض المزوّر بالحالة {status}.',
  'The genuine one was refused, too.': 'رُفض الأصيل أيضًا.',
  'The genuine one has not been accepted yet.': 'لم يُقبل الأصيل بعد.',
  'It is being lost.': 'يجري فقدانه.',
  'The feed returned the event.': 'أعاد سجل الأحداث الحدث.',
  'The event was never read from the feed.': 'لم يُقرأ الحدث من سجل الأحداث قط.',
  'The event has not been read from the feed yet.': 'لم يُقرأ الحدث من سجل الأحداث بعد.',
  'No timeslot has been held.': 'لم يُحجز أي موعد مؤقتًا.',
  'The timeslot is held.': 'الموعد محجوز مؤقتًا.',
  'The hold expired: it was neither booked nor released.': 'انتهت مدة الحجز المؤقت: لم يُستخدم ولم يُفرج عنه.',
  'The hold was booked or released.': 'استُخدم الحجز المؤقت أو أُفرج عنه.',
  'Neither updatedSince nor the feed has been used yet.': 'لم يُستخدم updatedSince ولا سجل الأحداث بعد.',
  'Changes were read by updatedSince or from the feed.':
    'قُرئت التغييرات بواسطة updatedSince أو من سجل الأحداث.',
  'No quote has been asked for yet.': 'لم يُطلب أي عرض رسوم بعد.',
  'The fee was asked for.': 'طُلب عرض الرسوم.',
  '409 FEE_CHANGED, and then the fee was asked for or agreed to.':
    '409 FEE_CHANGED، ثم طُلب عرض الرسوم أو أُعيد التغيير.',
  'After 409 FEE_CHANGED neither a quote nor the change followed.':
    'بعد 409 FEE_CHANGED لم يُطلب عرض الرسوم ولم يُعَد التغيير.',
  '409 FEE_CHANGED was answered; nothing has followed yet.':
    'كانت الاستجابة 409 FEE_CHANGED، ولم يتبعها شيء بعد.',
  'No visit has had an outcome.': 'لم تتعذر أي زيارة بسبب معروف.',
  'The outcome was read.': 'قُرئ سبب التعذر.',
  'The outcome was not read.': 'لم يُقرأ سبب التعذر.',
  'A visit could not be done; the outcome has not been read since.':
    'تعذرت زيارة، ولم يُقرأ سبب التعذر بعدها.',
} as const satisfies Record<string, string>;
export type Found = keyof typeof FOUND;

/** In the place of a status when there was no response. */
export const NO_RESPONSE = 'not at all';

/** Replaces the placeholders of a sentence. */
export function fillPlaceholders(sentence: string, gaps: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (gap, name: string) => String(gaps[name] ?? gap));
}

const PATTERNS = Object.entries(FOUND).map(([english, arabic]) => {
  const pattern = english.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
  return { pattern: new RegExp(`^${pattern}$`), arabic };
});

/** The sentence in Arabic; an unknown one unchanged. */
export function foundInArabic(found: string): string {
  for (const { pattern, arabic } of PATTERNS) {
    const match = pattern.exec(found);
    if (match === null) continue;
    const gaps = Object.entries(match.groups ?? {}).map(([name, value]) => [
      name,
      value === NO_RESPONSE ? 'بلا استجابة' : value,
    ]);
    return fillPlaceholders(arabic, Object.fromEntries(gaps));
  }
  return found;
}

export const POINTS_IN_ARABIC: Record<PointId, { title: string; does: string; waitsFor: string }> = {
  reference: {
    title: 'ينشئ الحجوزات بقيمة externalReference',
    does: 'لا شيء. أنشئ حجزًا كما يفعل نظامك.',
    waitsFor: 'حجز، ولأول حجز يُنشأ قيمة externalReference.',
  },
  repeat: {
    title: 'يكرر الإنشاء بأمان',
    does: 'لا شيء. دع نظامك يرسل الإنشاء نفسه مرة أخرى، كما بعد استجابة ضاعت.',
    waitsFor:
      'قيمة externalReference نفسها مرة أخرى (409 DUPLICATE_EXTERNAL_REFERENCE)، ثم قراءة الحجز الذي يحملها.',
  },
  'slot-taken': {
    title: 'يختار وقتًا آخر عند فوات المطلوب',
    does: 'لا شيء. اطلب وقتًا لا يُعرض، من 03:10 إلى 05:10 مثلًا.',
    waitsFor:
      '422 BOOKING_CREATION_FAILED، ثم حجز أحد ما في details.alternatives، أو طلب المواعيد المتاحة من جديد ثم حجز.',
  },
  'rate-limit': {
    title: 'ينتظر عند استنفاد الحد',
    does: 'لا شيء. أرسل في الدقيقة طلبات أكثر مما يسمح به حدك.',
    waitsFor: '429 RATE_LIMIT_EXCEEDED، ثم لا طلب آخر من المفتاح خلال Retry-After ثانية، ثم طلب واحد.',
  },
  reschedule: {
    title: 'يتابع حجزًا نقله المشغّل',
    does: 'ينقل أحد حجوزاتك إلى وقت آخر.',
    waitsFor: 'استجابة 2xx للإشعار، ثم قراءة الحجز أو القائمة أو سجل الأحداث.',
  },
  duplicate: {
    title: 'يقبل إشعارًا يصل مرتين',
    does: 'يرسل إشعارًا واحدًا مرتين.',
    waitsFor: 'استجابة 2xx لكليهما. أما أنك لا تعمل به إلا مرة واحدة، فعليك التحقق منه.',
  },
  'bad-signature': {
    title: 'يرفض إشعارًا مزوّرًا',
    does: 'يرسل إشعارًا موقّعًا بسر آخر، ثم الأصيل.',
    waitsFor: 'استجابة 4xx للمزوّر، و2xx للأصيل.',
  },
  'old-event': {
    title: 'لا يضلله حدث متأخر',
    does: 'يرسل حدثين لحجز واحد بترتيب معكوس.',
    waitsFor: 'استجابة 2xx لكليهما، ثم قراءة الحجز أو القائمة أو سجل الأحداث بعد الثاني.',
  },
  'lost-event': {
    title: 'يجد حدثًا ضائعًا في سجل الأحداث',
    does: 'يفقد عملية إرسال.',
    waitsFor: 'أن تعيد إليك GET /partners/events الحدث.',
  },
  cancel: {
    title: 'يتابع حجزًا ألغاه المشغّل',
    does: 'يلغي أحد حجوزاتك.',
    waitsFor: 'استجابة 2xx للإشعارات، ثم قراءة الحجز أو القائمة أو سجل الأحداث بعدها.',
  },
  holds: {
    title: 'يستخدم ما يحجزه مؤقتًا أو يُفرج عنه (موصى به)',
    does: 'لا شيء. إن كان نظامك يحجز المواعيد مؤقتًا، فاحجز موعدًا ثم استخدمه أو أفرج عنه.',
    waitsFor: 'أن يُستخدم أول حجز مؤقت أو يُفرج عنه أو يُستبدل قبل انتهاء مدته.',
  },
  reconcile: {
    title: 'يطابق حجوزاته (موصى به)',
    does: 'لا شيء. دع نظامك يقارن حجوزاته بحجوزات الخدمة.',
    waitsFor: 'طلب قائمة الحجوزات بالوسيط updatedSince، أو قراءة سجل الأحداث.',
  },
  fees: {
    title: 'يعرف تكلفة التغيير (موصى به)',
    does: 'لا شيء. اطلب عرض رسوم الحجز قبل إلغائه أو تغيير موعده، وأرسل الرسم في maxFee.',
    waitsFor: 'عرض رسوم؛ وبعد 409 FEE_CHANGED عرض آخر، أو التغيير مرة أخرى.',
  },
  outcome: {
    title: 'يتابع زيارة تعذرت (موصى به)',
    does: 'لا شيء. شغّل أحد السيناريوهين no-show وrevisit على حجز.',
    waitsFor: 'قراءة الحجز أو القائمة أو سجل الأحداث بعد أول حدث فيه outcome.',
  },
};

type PageTexts = {
  title: string;
  service: string;
  started: string;
  finished: string;
  underWay: string;
  score: string;
  soFar: string;
  does: string;
  waitsFor: string;
  requests: string;
  deliveries: string;
  other: string;
  states: Record<PointState, string>;
};

/** `other`: the label of the link to the other language. */
export const PAGE_TEXTS: Record<Language, PageTexts> = {
  en: {
    title: 'Certification of {partner}',
    service: 'Partner Booking Service, sandbox',
    started: 'Started',
    finished: 'Finished',
    underWay: 'under way: this page shows how it stands',
    score: '{passed} of {of} points',
    soFar: 'so far',
    does: 'The service:',
    waitsFor: 'It waits for:',
    requests: 'Requests:',
    deliveries: 'Deliveries:',
    other: 'العربية',
    states: {
      passed: '✓ passed',
      failed: '✗ failed',
      waiting: '… waiting',
      'not-applicable': '– does not apply',
    },
  },
  ar: {
    title: 'اعتماد {partner}',
    service: 'خدمة حجوزات الشركاء، البيئة التجريبية',
    started: 'البداية',
    finished: 'النهاية',
    underWay: 'جارٍ: تعرض هذه الصفحة ما وصل إليه',
    score: 'النقاط: {passed} من {of}',
    soFar: 'حتى الآن',
    does: 'الخدمة:',
    waitsFor: 'تنتظر:',
    requests: 'الطلبات:',
    deliveries: 'عمليات الإرسال:',
    other: 'English',
    states: {
      passed: '✓ ناجح',
      failed: '✗ راسب',
      waiting: '… في الانتظار',
      'not-applicable': '– لا ينطبق',
    },
  },
};

import type { Text } from '../language.ts';

/** Texts of what a sandbox plays. */
export const SANDBOX_TEXTS = {
  'sim.title': { en: 'Simulator', ar: 'المحاكي' },
  'sim.about': {
    en: 'In a sandbox nobody comes: move the appointment on here. Events and webhooks are real. More in the guide to the sandbox.',
    ar: 'لا أحد يأتي في البيئة التجريبية: حرّك الموعد من هنا. الأحداث والإشعارات حقيقية. والمزيد في دليل البيئة التجريبية.',
  },
  'sim.advance': { en: 'Next status', ar: 'الحالة التالية' },
  'sim.script': { en: 'Script', ar: 'السيناريو' },
  'sim.every': { en: 'Seconds between steps', ar: 'الثواني بين الخطوات' },
  'sim.start': { en: 'Play', ar: 'شغّل' },
  'sim.started': { en: 'The script plays.', ar: 'يعمل السيناريو.' },
  'sim.steps': { en: 'steps: {done} of {total}', ar: 'الخطوات: {done} من {total}' },
  'script.complete': { en: 'The team does the work', ar: 'ينجز الفريق العمل' },
  'script.cannot-complete': { en: 'The team cannot do it', ar: 'يتعذر على الفريق العمل' },
  'script.operator-moves': { en: 'The operator moves it', ar: 'ينقله المشغّل' },
  'script.operator-cancels': { en: 'The operator cancels it', ar: 'يلغيه المشغّل' },
  'script.customer-pays': { en: 'The customer pays', ar: 'يدفع العميل' },
  'script.payment-fails': { en: 'The payment fails', ar: 'يفشل الدفع' },
  'fault.title': { en: 'Faults of the next deliveries', ar: 'أخطاء عمليات الإرسال التالية' },
  'fault.about': {
    en: 'Has deliveries go wrong on purpose, so that you see whether your receiver copes.',
    ar: 'يُفسد عمليات الإرسال عمدًا لترى هل يتعامل مستقبِلك معها.',
  },
  'fault.kind': { en: 'Fault', ar: 'الخطأ' },
  'fault.count': { en: 'How many deliveries', ar: 'عدد عمليات الإرسال' },
  'fault.set': { en: 'Set', ar: 'اضبط' },
  'fault.isSet': { en: 'The next deliveries get it.', ar: 'تنالها عمليات الإرسال التالية.' },
  'fault.clear': { en: 'Clear what is left', ar: 'امسح ما بقي' },
  'fault.none': { en: 'No fault is set.', ar: 'لا خطأ مضبوط.' },
  'fault.lose': { en: 'Lost', ar: 'ضياع' },
  'fault.delay': { en: 'Delayed', ar: 'تأخير' },
  'fault.duplicate': { en: 'Sent twice', ar: 'إرسال مرتين' },
  'fault.reorder': { en: 'In another order', ar: 'ترتيب مختلف' },
  'fault.bad-signature': { en: 'Badly signed first', ar: 'توقيع خاطئ أولًا' },
} as const satisfies Record<string, Text>;

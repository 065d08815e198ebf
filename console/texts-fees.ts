/** Texts of fees, and of decisions about visits that could not be done. They are part of `TEXTS`. */
export const FEE_TEXTS = {
  'decide.close': { en: 'Close the booking…', ar: 'إغلاق الحجز…' },
  'decide.closeText': {
    en: 'The booking ends. What the customer caused costs the no-show of the policy; other reasons cost nothing.',
    ar: 'ينتهي الحجز. ما تسبب فيه العميل يُحسب عليه رسم عدم الحضور في السياسة، وبقية الأسباب بلا رسم.',
  },
  'decide.fee': {
    en: 'By the reason known now: fee {fee}, refund {refund}',
    ar: 'بحسب السبب المعروف الآن: الرسم {fee} والمبلغ المعاد {refund}',
  },
  'decide.closeSubmit': { en: 'Close the booking', ar: 'إغلاق الحجز' },
  'decide.closed': { en: 'The booking is closed.', ar: 'أُغلق الحجز.' },
  'decide.revisit': { en: 'Plan another visit…', ar: 'تحديد زيارة أخرى…' },
  'decide.revisitText': {
    en: 'The same booking at another time, at no cost. {partner} is told of the new time.',
    ar: 'الحجز نفسه في وقت آخر وبلا رسم. يُبلَّغ {partner} بالوقت الجديد.',
  },
  'decide.revisitSubmit': { en: 'Plan the visit', ar: 'تحديد الزيارة' },
  'decide.revisited': { en: 'Another visit is planned.', ar: 'حُددت زيارة أخرى.' },
  'decide.date': { en: 'Date', ar: 'التاريخ' },
  'decide.startAt': { en: 'Start', ar: 'البداية' },
  'decide.endAt': { en: 'End', ar: 'النهاية' },
  'decide.outcome': { en: 'Why it could not be done', ar: 'سبب تعذّر التنفيذ' },
  'decide.unknown': { en: 'Not known', ar: 'غير معروف' },
  'outcome.CUSTOMER_ABSENT': { en: 'Nobody was there', ar: 'لم يكن أحد في الموقع' },
  'outcome.NO_ACCESS': { en: 'No access', ar: 'تعذّر الدخول' },
  'outcome.REFUSED': { en: 'The customer refused', ar: 'رفض العميل' },
  'outcome.UNSAFE': { en: 'Not safe', ar: 'المكان غير آمن' },
  'outcome.CREW': { en: 'The team could not', ar: 'لم يتمكن الفريق' },
  'outcome.WEATHER': { en: 'The weather', ar: 'الطقس' },
  'fee.own.cancel': {
    en: 'Cancelled by you, the booking costs no fee; fees of earlier changes are waived too.',
    ar: 'إلغاؤك للحجز بلا رسم، وتسقط معه رسوم التغييرات السابقة.',
  },
  'fee.own.reschedule': {
    en: 'Moved by you, the booking costs no fee.',
    ar: 'نقلك للموعد بلا رسم.',
  },
  'fee.theirs.cancel': {
    en: 'Cancelled by the partner now: fee {fee}, earlier fees {earlier}, refund {refund}',
    ar: 'لو ألغاه الشريك الآن: الرسم {fee} والرسوم السابقة {earlier} والمبلغ المعاد {refund}',
  },
  'fee.theirs.reschedule': {
    en: 'Rescheduled by the partner now: fee {fee}',
    ar: 'لو غيّر الشريك موعده الآن: الرسم {fee}',
  },
  'fee.until': { en: ', until {time}', ar: '، حتى {time}' },
  'fee.label': { en: 'Fees', ar: 'الرسوم' },
  'fee.cancel': { en: 'Cancelling: {amount}', ar: 'الإلغاء: {amount}' },
  'fee.reschedule': { en: 'Rescheduling: {amount}', ar: 'تغيير الموعد: {amount}' },
} as const;

import type { Title } from '../calls.ts';
import type { Operation } from './api.ts';

/** Titles of failures by operation of the portal. */
export const TITLES: Partial<Record<Operation, Title>> = {
  updateSeries: { en: "Couldn't change the series", ar: 'تعذّر تعديل الزيارات الدورية' },
  placeSeriesVisit: { en: "Couldn't book the visit", ar: 'تعذّر حجز الزيارة' },
  skipSeriesVisit: { en: "Couldn't skip the visit", ar: 'تعذّر تخطّي الزيارة' },
  pauseSeries: { en: "Couldn't pause the series", ar: 'تعذّر إيقاف الزيارات الدورية مؤقتًا' },
  endSeries: { en: "Couldn't end the series", ar: 'تعذّر إنهاء الزيارات الدورية' },
  createSeries: { en: "Couldn't make the series", ar: 'تعذّر إنشاء الزيارات الدورية' },
  replayDelivery: { en: "Couldn't send the webhook once more", ar: 'تعذّر إرسال الإشعار مرة أخرى' },
  retryDelivery: { en: "Couldn't send the webhook again", ar: 'تعذّرت إعادة إرسال الإشعار' },
  recoverSubscription: {
    en: "Couldn't send the failed ones again",
    ar: 'تعذّرت إعادة إرسال الإشعارات',
  },
  testSubscription: { en: "Couldn't send the test", ar: 'تعذّر إرسال الاختبار' },
  signIn: { en: "Couldn't sign in", ar: 'تعذّر تسجيل الدخول' },
  signOut: { en: "Couldn't sign out", ar: 'تعذّر تسجيل الخروج' },
  advanceBooking: { en: "Couldn't move the booking on", ar: 'تعذّر نقل الحجز إلى حالته التالية' },
  updateContact: { en: "Couldn't save the name", ar: 'تعذّر حفظ الاسم' },
  updateAddress: { en: "Couldn't save the address", ar: 'تعذّر حفظ العنوان' },
  eraseContact: { en: "Couldn't erase the customer", ar: 'تعذّر محو بيانات العميل' },
  startRun: { en: "Couldn't play the script", ar: 'تعذّر تشغيل السيناريو' },
  stopRun: { en: "Couldn't stop the run", ar: 'تعذّر إيقاف التشغيل' },
  startCertification: { en: "Couldn't start the certification", ar: 'تعذّر بدء الاعتماد' },
  setFault: { en: "Couldn't set the fault", ar: 'تعذّر ضبط الخطأ' },
  clearFaults: { en: "Couldn't clear the faults", ar: 'تعذّرت إزالة الأخطاء' },
};

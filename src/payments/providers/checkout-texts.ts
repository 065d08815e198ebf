import type { Language } from '../../http/bilingual-pages.ts';
import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';

/** The texts of the sandbox gateway's checkout in both languages. */
export type CheckoutState = 'open' | 'paid' | 'failed' | 'expired' | 'canceled' | 'unknown';

type Texts = {
  direction: 'rtl' | 'ltr';
  sandbox: string;
  currency: string;
  labels: Record<'partner' | 'reference' | 'service' | 'date' | 'time' | 'amount', string>;
  range(from: Html, to: Html): Html;
  nextDay: string;
  validUntil(date: Html, time: Html): Html;
  choose: string;
  pay(amount: Html): Html;
  payHint: string;
  decline: string;
  declineHint: string;
  fail: string;
  failHint: string;
  declined: { title: string; text: string };
  titles: Record<CheckoutState, string>;
  closed: Record<Exclude<CheckoutState, 'open'>, string>;
};

export const TEXTS: Record<Language, Texts> = {
  ar: {
    direction: 'rtl',
    sandbox: 'صفحة دفع تجريبية: لا تُستخدم فيها أموال حقيقية.',
    currency: 'ر.س',
    labels: {
      partner: 'الحجز عن طريق',
      reference: 'رقم الحجز',
      service: 'الخدمة',
      date: 'التاريخ',
      time: 'الوقت',
      amount: 'المبلغ',
    },
    range: (from, to) => html`من ${from} إلى ${to}`,
    nextDay: 'اليوم التالي',
    validUntil: (date, time) => html`الرابط صالح حتى ${date}، الساعة ${time} بتوقيت الرياض.`,
    choose: 'اختر نتيجة الدفع التجريبي',
    pay: (amount) => html`ادفع ${amount}`,
    payHint: 'يقبل البنك الدفع.',
    decline: 'رفض المحاولة',
    declineHint: 'يبقى الرابط صالحًا ويمكن المحاولة مجددًا.',
    fail: 'فشل نهائي',
    failHint: 'يفشل الحجز ويُغلق الرابط.',
    declined: {
      title: 'رُفض الدفع',
      text: 'رُفضت المحاولة الأخيرة. لم يُدفع أي مبلغ، ويمكنك المحاولة مرة أخرى.',
    },
    titles: {
      open: 'ادفع قيمة حجزك',
      paid: 'تم الدفع',
      failed: 'فشل الدفع',
      expired: 'انتهت صلاحية الرابط',
      canceled: 'أُلغي الحجز',
      unknown: 'رابط الدفع غير موجود',
    },
    closed: {
      paid: 'شكرًا لك. استُخدم هذا الرابط، ولا يلزم دفع أي مبلغ آخر.',
      failed: 'فشل الدفع نهائيًا ولم يُحتفظ بالموعد. للحجز من جديد، تواصل مع الجهة التي حجزت من خلالها.',
      expired:
        'لم يُدفع المبلغ في الوقت المحدد ولم يُحتفظ بالموعد. للحجز من جديد، تواصل مع الجهة التي حجزت من خلالها.',
      canceled: 'أُلغي هذا الحجز، ولا يمكن الدفع بهذا الرابط.',
      unknown: 'تأكد من فتح الرابط كاملًا كما ورد في الرسالة.',
    },
  },
  en: {
    direction: 'ltr',
    sandbox: 'Test page of a sandbox: no real money is used.',
    currency: 'SAR',
    labels: {
      partner: 'Booked with',
      reference: 'Booking',
      service: 'Service',
      date: 'Date',
      time: 'Time',
      amount: 'Amount',
    },
    range: (from, to) => html`${from} to ${to}`,
    nextDay: 'next day',
    validUntil: (date, time) => html`The link is valid until ${date}, ${time} (Riyadh time).`,
    choose: 'Choose the outcome of this test payment',
    pay: (amount) => html`Pay ${amount}`,
    payHint: 'The bank accepts the payment.',
    decline: 'Decline this try',
    declineHint: 'The link stays open for another try.',
    fail: 'Fail for good',
    failHint: 'The booking fails and the link closes.',
    declined: {
      title: 'Payment declined',
      text: 'The last try was declined. Nothing was paid, and you can try again.',
    },
    titles: {
      open: 'Pay for your booking',
      paid: 'Paid',
      failed: 'Payment failed',
      expired: 'This link has expired',
      canceled: 'Booking canceled',
      unknown: 'Payment link not found',
    },
    closed: {
      paid: 'Thank you. This link has been used and there is nothing more to pay.',
      failed:
        'The payment failed for good and the appointment is not kept. For a new booking, contact the company you booked with.',
      expired:
        'It was not paid in time and the appointment is not kept. For a new booking, contact the company you booked with.',
      canceled: 'This booking was canceled and can no longer be paid with this link.',
      unknown: 'Open the whole link, exactly as it stands in the message.',
    },
  },
};

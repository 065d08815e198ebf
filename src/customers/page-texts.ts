import type { Language } from '../http/bilingual-pages.ts';
import { type Html, html } from '../http/html.ts';
import type { VisitState } from './rules.ts';

type Texts = {
  /** Headings. */
  states: Record<VisitState, string>;
  /** Below the heading. */
  sentences: Partial<Record<VisitState, (partner: Html) => Html>>;
  /** Since when, `HH:MM`. */
  since: Partial<Record<VisitState, (time: Html) => Html>>;
  moved(date: Html, time: Html): Html;
  labels: Record<'service' | 'date' | 'time' | 'team' | 'reference', string>;
  range(from: Html, to: Html): Html;
  nextDay: string;
  riyadh: string;
  pay: string;
  contact(partner: Html): Html;
  call(number: Html): Html;
  reload: string;
  offline: string;
  unknown: { title: string; text: string };
};

export const TEXTS: Record<Language, Texts> = {
  en: {
    states: {
      waiting: 'Waiting for your payment',
      booked: 'Your visit is booked',
      confirmed: 'Your visit is confirmed',
      onTheWay: 'The team is on the way',
      arrived: 'The team has arrived',
      underWay: 'The work is under way',
      done: 'The work is done',
      notDone: 'The visit could not be completed',
      over: 'The time of this visit has passed',
      visitCanceled: 'This visit will not take place',
      canceled: 'This booking was cancelled',
      failed: 'This booking did not go through',
    },
    sentences: {
      waiting: () => html`Your visit is reserved. It is booked as soon as you have paid.`,
      booked: () => html`The team comes at the time below.`,
      confirmed: () => html`The team comes at the time below.`,
      done: () => html`Thank you.`,
      notDone: (partner) => html`Please contact ${partner}.`,
      over: (partner) => html`If nobody came, please contact ${partner}.`,
      visitCanceled: (partner) => html`Please contact ${partner} about another time.`,
      canceled: () => html`Nobody will come.`,
      failed: (partner) => html`Nobody will come. Please contact ${partner} if you still want a visit.`,
    },
    since: {
      onTheWay: (time) => html`On the way since ${time}`,
      arrived: (time) => html`Arrived at ${time}`,
      underWay: (time) => html`Begun at ${time}`,
    },
    moved: (date, time) => html`The time has changed: at first it was ${date}, ${time}.`,
    labels: {
      service: 'Service',
      date: 'Date',
      time: 'Time',
      team: 'Team',
      reference: 'Reference',
    },
    range: (from, to) => html`${from} to ${to}`,
    nextDay: 'next day',
    riyadh: 'Riyadh time',
    pay: 'Pay now',
    contact: (partner) => html`Contact ${partner}`,
    call: (number) => html`Call ${number}`,
    reload: 'Reload the page to see what has changed.',
    offline: 'No connection: this may have changed.',
    unknown: {
      title: 'This page is not available',
      text: 'The address may be incomplete, or the visit is over. Ask the company that you booked with.',
    },
  },
  ar: {
    states: {
      waiting: 'بانتظار الدفع',
      booked: 'تم حجز موعدك',
      confirmed: 'تم تأكيد موعدك',
      onTheWay: 'الفريق في الطريق إليك',
      arrived: 'وصل الفريق',
      underWay: 'العمل جارٍ الآن',
      done: 'اكتمل العمل',
      notDone: 'تعذّر إتمام الزيارة',
      over: 'انقضى وقت هذه الزيارة',
      visitCanceled: 'لن تتم هذه الزيارة',
      canceled: 'أُلغي هذا الحجز',
      failed: 'لم يكتمل هذا الحجز',
    },
    sentences: {
      waiting: () => html`موعدك محجوز مؤقتًا، ويُعتمد فور إتمام الدفع.`,
      booked: () => html`يصل الفريق في الموعد أدناه.`,
      confirmed: () => html`يصل الفريق في الموعد أدناه.`,
      done: () => html`شكرًا لك.`,
      notDone: (partner) => html`يُرجى التواصل مع ${partner}.`,
      over: (partner) => html`إذا لم يصل أحد، فيُرجى التواصل مع ${partner}.`,
      visitCanceled: (partner) => html`يُرجى التواصل مع ${partner} لتحديد موعد آخر.`,
      canceled: () => html`لن يأتي أحد في هذا الموعد.`,
      failed: (partner) =>
        html`لن يأتي أحد في هذا الموعد. إذا كنت لا تزال ترغب في الزيارة، فتواصل مع ${partner}.`,
    },
    since: {
      onTheWay: (time) => html`في الطريق منذ الساعة ${time}`,
      arrived: (time) => html`وصل الساعة ${time}`,
      underWay: (time) => html`بدأ العمل الساعة ${time}`,
    },
    moved: (date, time) => html`تغيّر الموعد، وكان في الأصل ${date}، الساعة ${time}.`,
    labels: {
      service: 'الخدمة',
      date: 'التاريخ',
      time: 'الوقت',
      team: 'الفريق',
      reference: 'رقم الحجز',
    },
    range: (from, to) => html`من ${from} إلى ${to}`,
    nextDay: 'اليوم التالي',
    riyadh: 'بتوقيت الرياض',
    pay: 'ادفع الآن',
    contact: (partner) => html`التواصل مع ${partner}`,
    call: (number) => html`اتصل على ${number}`,
    reload: 'أعد تحميل الصفحة لعرض آخر المستجدات.',
    offline: 'لا يوجد اتصال: قد تكون البيانات تغيّرت.',
    unknown: {
      title: 'هذه الصفحة غير متاحة',
      text: 'قد يكون الرابط ناقصًا، أو أن الزيارة انتهت. تواصل مع الجهة التي حجزت عن طريقها.',
    },
  },
};

/** Texts of services, their zones and the catalogue. */
export const SERVICE_TEXTS = {
  'service.facts': { en: 'Facts', ar: 'البيانات' },
  'service.log': { en: 'Changes', ar: 'التغييرات' },
  'service.minutes': { en: '{minutes} min', ar: '{minutes} د' },
  'service.duration': { en: 'Duration', ar: 'المدة' },
  'service.notice': { en: 'Notice', ar: 'مهلة الإشعار' },
  'service.removeTitle': { en: 'Remove {name}?', ar: 'حذف {name}؟' },
  'service.removeText': {
    en: 'This cannot be undone. What is in use cannot be removed: deactivate it instead.',
    ar: 'لا يمكن التراجع عن ذلك. ولا يمكن حذف المستخدَم: عطّله بدلًا من ذلك.',
  },
  'service.zones': { en: 'Where it is offered', ar: 'أين تُقدَّم' },
  'service.zonesEdit': { en: 'Choose zones', ar: 'اختيار المناطق' },
  'service.zonesNone': {
    en: 'It is offered in no zone, so nobody can book it. Choose its zones.',
    ar: 'لا تُقدَّم في أي منطقة، فلا يمكن حجزها. اختر مناطقها.',
  },
  'service.noZones': {
    en: 'There are no zones yet. Draw them first.',
    ar: 'لا توجد مناطق بعد. ارسمها أولًا.',
  },
  'service.grid': { en: 'Timeslots start every', ar: 'تبدأ الأوقات كل' },
  'tiers.about': {
    en: "Tiers are for estimates of other durations. A booking is charged the partner's price of the service, whatever the tiers.",
    ar: 'الشرائح لتقدير أسعار المدد الأخرى. يُحسب الحجز بسعر الخدمة لدى الشريك أيًّا كانت الشرائح.',
  },
  'tiers.example': { en: 'Of SAR 100.00', ar: 'من 100 ر.س' },
} as const;

/** Texts of customers' phones and of the erasure of their data. They are part of `TEXTS`. */
export const ERASURE_TEXTS = {
  'phone.show': { en: 'Show', ar: 'إظهار' },
  'phone.showOf': { en: 'Show {phone}', ar: 'إظهار {phone}' },
  'erase.act': { en: 'Erase', ar: 'محو البيانات' },
  'erase.title': { en: 'Erase what is stored about this customer', ar: 'محو بيانات هذا العميل' },
  'erase.about': {
    en: 'Name, phone, addresses, notes and instructions are removed for good. Dates, amounts and references of the bookings stay. This cannot be undone.',
    ar: 'يُحذف الاسم والهاتف والعناوين والملاحظات والتعليمات نهائيًا. وتبقى تواريخ الحجوزات ومبالغها ومراجعها. لا يمكن التراجع عن ذلك.',
  },
  'erase.reasonHint': {
    en: 'It is kept. Do not name the customer.',
    ar: 'يُحفظ السبب، فلا تذكر اسم العميل أو رقمه.',
  },
  'erase.submit': { en: 'Erase for good', ar: 'محو نهائي' },
  'erase.done': { en: 'Erased', ar: 'تم محو البيانات' },
  'erase.open': { en: 'Open bookings', ar: 'الحجوزات القائمة' },
  'erase.erased': { en: 'Erased customer', ar: 'عميل مُحيت بياناته' },
  'erase.erasedOn': { en: 'Erased on {date}', ar: 'مُحيت البيانات في {date}' },
} as const;

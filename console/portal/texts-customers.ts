/** Texts of the partner's customers in the portal. They are part of `PORTAL_TEXTS`. */
export const CUSTOMERS_TEXTS = {
  'nav.customers': { en: 'Customers', ar: 'العملاء' },
  'customers.about': {
    en: 'What is stored about a customer: find her by phone, or open a booking.',
    ar: 'ما هو محفوظ عن العميل: ابحث برقم الهاتف، أو افتح حجزًا.',
  },
  'customers.none': { en: 'No customer has this phone.', ar: 'لا عميل بهذا الرقم.' },
  'customers.enter': { en: 'Enter the whole phone number.', ar: 'أدخل رقم الهاتف كاملًا.' },
  'customers.stored': { en: 'What is stored', ar: 'ما هو محفوظ' },
} as const;

/** Texts of addresses. They are part of `TEXTS`. */
export const ADDRESS_TEXTS = {
  'address.unit': { en: 'Unit {unit}', ar: 'وحدة {unit}' },
  'address.floor': { en: 'floor {floor}', ar: 'الطابق {floor}' },
  'address.building': { en: 'building {number}', ar: 'مبنى {number}' },
  'address.directions': { en: 'Directions', ar: 'وصف الطريق' },
  'address.buildingField': { en: 'Building number', ar: 'رقم المبنى' },
  'address.unitField': { en: 'Unit', ar: 'رقم الوحدة' },
  'address.unitHint': { en: 'Flat, villa or office', ar: 'شقة أو فيلا أو مكتب' },
  'address.floorField': { en: 'Floor', ar: 'الطابق' },
  'address.postalCode': { en: 'Postal code', ar: 'الرمز البريدي' },
  'address.shortAddress': { en: 'Short address', ar: 'العنوان المختصر' },
  'address.shortHint': { en: 'National Address, such as RRRD2929', ar: 'العنوان الوطني، مثل RRRD2929' },
  'address.correct': { en: 'Correct the address', ar: 'تصحيح العنوان' },
  'address.correctName': { en: 'Correct the name', ar: 'تصحيح الاسم' },
  'address.copy': { en: 'Copy of the data', ar: 'نسخة من البيانات' },
  'address.instructions': { en: 'How to get in', ar: 'كيفية الدخول' },
  'address.instructionsHint': {
    en: 'Only the crew sees it, on the day of the visit',
    ar: 'يراه الفريق وحده يوم الزيارة',
  },
  'correct.title': { en: 'Correct the booking', ar: 'تصحيح الحجز' },
  'correct.about': {
    en: 'Price, fees, time and team stay.',
    ar: 'يبقى السعر والرسوم والوقت والفريق كما هي.',
  },
  'correct.keeps': {
    en: 'What is stored is not shown; left empty it stays',
    ar: 'المحفوظ لا يُعرض، ويبقى إذا تُرك الحقل فارغًا',
  },
  'correct.forget': { en: 'Delete what is stored of both', ar: 'حذف المحفوظ منهما' },
  'correct.place': { en: 'Correct door or place', ar: 'تصحيح الباب أو المكان' },
  'correct.noPlace': {
    en: 'address.latitude: no coordinates are found in the location',
    ar: 'address.latitude: لا توجد إحداثيات في الموقع',
  },
  'address.accessCode': { en: 'Access code', ar: 'رمز الباب' },
} as const;

/** Texts of the day on paper. */
export const SHEET_TEXTS = {
  'sheets.title': { en: 'Day sheets', ar: 'كشوف اليوم' },
  'sheets.printDay': { en: 'Print day sheets', ar: 'طباعة كشوف اليوم' },
  'sheets.print': { en: 'Print', ar: 'طباعة' },
  'sheets.empty': { en: 'No visits start on this day.', ar: 'لا تبدأ أي زيارة في هذا اليوم.' },
  'sheets.count': { en: 'Visits: {count}', ar: 'الزيارات: {count}' },
  'sheets.map': { en: 'Map', ar: 'الخريطة' },
  'sheets.notes': { en: 'Special notes', ar: 'ملاحظات خاصة' },
  'sheets.unassigned': { en: 'The team is not confirmed yet', ar: 'لم يُؤكَّد الفريق بعد' },
} as const;

/** Texts of the board as a list, on a telephone. They are part of `TEXTS`. */
export const LIST_TEXTS = {
  'list.off': { en: 'Does not work on this day', ar: 'لا يعمل في هذا اليوم' },
  'list.allDay': { en: 'All day', ar: 'طوال اليوم' },
  'list.noVisits': { en: 'No visits', ar: 'لا زيارات' },
  'list.noHits': { en: 'Nothing found on this day', ar: 'لا نتائج في هذا اليوم' },
} as const;

/** Texts of the running day: Today and the board. They are part of `TEXTS`. */
export const DAY_TEXTS = {
  'day.minutes': { en: '{minutes} min', ar: '{minutes} د' },
  'day.hours': { en: '{hours} h {minutes} min', ar: '{hours} س {minutes} د' },
  'day.late': { en: 'Not begun, {time} late', ar: 'لم يبدأ، متأخر {time}' },
  'day.over': { en: '{time} over', ar: 'تجاوز نهايته بـ {time}' },
} as const;

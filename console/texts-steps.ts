/** Texts of the steps of a visit, of moving it, and of teams that are away. They are part of `TEXTS`. */
export const STEP_TEXTS = {
  // Buttons that lead to the next status
  'step.scheduled': { en: 'Assign', ar: 'إسناد' },
  'step.confirmed': { en: 'Confirm', ar: 'تأكيد' },
  'step.inTheWay': { en: 'On the way', ar: 'في الطريق' },
  'step.inTheLocation': { en: 'Arrived', ar: 'وصل الفريق' },
  'step.inProgress': { en: 'Start work', ar: 'بدء العمل' },
  'step.finished': { en: 'Finish work', ar: 'إنهاء العمل' },
  'step.completed': { en: 'Complete', ar: 'إكمال' },
  'step.cannotComplete': { en: 'Could not be done…', ar: 'تعذّر التنفيذ…' },
  'step.others': { en: 'Other steps', ar: 'خطوات أخرى' },
  'step.held': { en: '{name}: {status}', ar: '{name}: {status}' },
  'step.heldMany': { en: 'Visits: {count}. {status}', ar: 'الزيارات: {count}. {status}' },
  'step.undone': { en: '{name} stays: {status}', ar: 'يبقى {name}: {status}' },
  'step.undoneMany': { en: 'Undone for visits: {count}', ar: 'تم التراجع عن زيارات: {count}' },
  'step.waiting': {
    en: '{name} ({status}) is not sent yet: the service does not respond. It is tried again.',
    ar: 'لم يُرسل {name} ({status}) بعد: الخدمة لا تستجيب. تُعاد المحاولة.',
  },
  'step.giveUp': { en: 'Do not send it', ar: 'لا ترسله' },
  'step.failed': {
    en: "Couldn't set {name} to: {status}. {why}",
    ar: 'تعذّر تغيير حالة {name} إلى: {status}. {why}',
  },
  'step.changed': {
    en: 'Somebody else changed it in the meantime; it is now: {status}, {when}, {team}.',
    ar: 'غيّره شخص آخر في الأثناء، وهو الآن: {status}، {when}، {team}.',
  },
  'step.anyway': { en: 'Set it all the same', ar: 'غيّر الحالة رغم ذلك' },
  'step.toBooking': { en: 'Open the booking', ar: 'افتح الحجز' },
} as const;

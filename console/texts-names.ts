/** Texts of names, overlaps of zones and conflicts. They are part of `TEXTS`. */
export const NAME_TEXTS = {
  // Overlaps of zones with the same priority
  'zones.keepOverlap': { en: 'Keep the overlap', ar: 'أبقِ التداخل' },
  'zones.keepOverlapTitle': { en: 'Is the overlap wanted?', ar: 'هل التداخل مقصود؟' },
  'zones.keepOverlapText': {
    en: '{zone} overlaps at the same priority: {names}. The first by name covers what they have in common. It is no longer listed here.',
    ar: 'تتداخل {zone} بالأولوية نفسها مع: {names}. وتغطي الأولى بالاسم الجزء المشترك. ولن يظهر ذلك هنا بعد الآن.',
  },

  // Conflicts, by their reason
  'conflict.REFERENCE_TAKEN': {
    en: 'Another hold has this reference until it is over.',
    ar: 'المرجع مستخدم لحجز مؤقت آخر حتى ينتهي.',
  },
  'conflict.OTHER_ZONE': {
    en: 'The place is outside of the visit’s zone, for which its team was sold. Cancel the booking and book again there.',
    ar: 'المكان خارج منطقة الزيارة التي حُجز لها فريقها. ألغِ الحجز ثم احجز من جديد هناك.',
  },
  'conflict.OPEN_BOOKINGS': {
    en: 'The customer has open bookings: cancel or finish them first.',
    ar: 'للعميل حجوزات قائمة: ألغها أو أكملها أولًا.',
  },
  'conflict.POLICY_ASSIGNED': {
    en: 'Another policy is assigned to the same partner and service.',
    ar: 'سياسة أخرى مسندة إلى الشريك نفسه والخدمة نفسها.',
  },
  'conflict.NAME_TAKEN': { en: 'The name is taken already.', ar: 'الاسم مستخدم من قبل.' },
  'conflict.CODE_TAKEN': { en: 'The code is taken already.', ar: 'الرمز مستخدم من قبل.' },
  'conflict.RUN_UNDER_WAY': {
    en: 'Another run of this booking is under way.',
    ar: 'هناك تشغيل آخر جارٍ لهذا الحجز.',
  },
  'conflict.NO_CANCELLATION_REASON': {
    en: 'There is no active cancellation reason. Add one first.',
    ar: 'لا يوجد سبب إلغاء فعّال. أضف سببًا أولًا.',
  },
} as const;

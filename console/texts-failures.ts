/** Texts of failures: what did not work, why, and what is wrong with a field. They are part of `TEXTS`. */
export const FAILURE_TEXTS = {
  // Failures without an operation that names them
  'couldNot.any': { en: "Couldn't do this", ar: 'تعذّر تنفيذ الإجراء' },
  'couldNot.load': { en: "Couldn't load this", ar: 'تعذّر التحميل' },
  'couldNot.move': { en: "Couldn't move the appointment", ar: 'تعذّر نقل الموعد' },

  // Why, by code
  'failure.VALIDATION_ERROR': { en: 'Check what was entered.', ar: 'راجع ما أدخلته.' },
  'failure.tooLarge': { en: 'This is too much at once: send less.', ar: 'الكمية أكبر من المسموح: قلّلها.' },
  'failure.UNAUTHORIZED': {
    en: 'The sign-in is not valid, or has ended. Sign in again.',
    ar: 'تسجيل الدخول غير صالح أو انتهى. سجّل الدخول من جديد.',
  },
  'failure.signIn': {
    en: 'The link or key is not accepted: it is wrong, was used already, has expired or was revoked.',
    ar: 'الرابط أو المفتاح غير مقبول: فهو خاطئ أو مستخدم من قبل أو منتهي الصلاحية أو مُبطَل.',
  },
  'failure.FORBIDDEN': {
    en: 'You are not allowed to do this. Ask an administrator.',
    ar: 'لا تملك صلاحية هذا الإجراء. اطلبها من مدير.',
  },
  'failure.RESOURCE_NOT_FOUND': {
    en: 'It does not exist, or was removed in the meantime.',
    ar: 'غير موجود، أو حُذف في الأثناء.',
  },
  'failure.SERVICE_NOT_ALLOWED': {
    en: 'The partner may not book this service.',
    ar: 'لا يُسمح للشريك بحجز هذه الخدمة.',
  },
  'failure.DUPLICATE_EXTERNAL_REFERENCE': {
    en: 'Another booking of the partner has this reference already.',
    ar: 'يحمل حجز آخر للشريك هذا المرجع.',
  },
  'failure.IDEMPOTENCY_KEY_CONFLICT': {
    en: 'This was sent before with other values. Reload the page and look at what was saved.',
    ar: 'أُرسل هذا من قبل بقيم أخرى. أعد تحميل الصفحة وراجع ما حُفظ.',
  },
  'failure.IDEMPOTENCY_KEY_IN_PROGRESS': {
    en: 'This was sent already and is not finished. Wait a moment, then try again.',
    ar: 'أُرسل هذا من قبل ولم يكتمل بعد. انتظر قليلًا ثم أعد المحاولة.',
  },
  'failure.FEE_CHANGED': {
    en: 'The fee is higher now, and nothing was changed. Look at the amount again.',
    ar: 'أصبح الرسم أعلى ولم يتغيّر شيء. راجع المبلغ من جديد.',
  },
  'failure.HOLD_CONSUMED': {
    en: 'A booking has taken this hold already.',
    ar: 'تحوّل هذا الحجز المؤقت إلى حجز.',
  },
  'failure.CONFLICT': {
    en: 'The same name or code exists already, or it was changed in the meantime.',
    ar: 'الاسم أو الرمز مستخدم من قبل، أو حدث تغيير في الأثناء.',
  },
  'failure.inUse': { en: 'It is in use: deactivate it instead.', ar: 'لا يزال مستخدمًا: عطّله بدلًا من حذفه.' },
  'failure.addressExists': {
    en: 'The customer has this address already.',
    ar: 'هذا العنوان مسجّل لهذا العميل من قبل.',
  },
  'failure.tiersOverlap': {
    en: 'The minutes overlap those of another tier.',
    ar: 'تتداخل الدقائق مع شريحة أخرى.',
  },
  'failure.partnerSuspended': {
    en: 'The partner is suspended: its customers cannot be booked.',
    ar: 'الشريك موقوف: لا يمكن الحجز لعملائه.',
  },
  'failure.BOOKING_CREATION_FAILED': {
    en: 'The booking is not possible at this time. Choose another one.',
    ar: 'لا يمكن الحجز في هذا الوقت. اختر وقتًا آخر.',
  },
  'failure.BOOKING_ALREADY_CANCELLED': {
    en: 'The booking is cancelled already, or can no longer be cancelled.',
    ar: 'الحجز ملغى من قبل، أو لم يعد إلغاؤه ممكنًا.',
  },
  'failure.BOOKING_NOT_EDITABLE': {
    en: 'The booking can no longer be changed.',
    ar: 'لم يعد تعديل الحجز ممكنًا.',
  },
  'failure.BOOKING_APPOINTMENT_NOT_FOUND': {
    en: 'The booking has no appointment yet.',
    ar: 'ليس للحجز موعد بعد.',
  },
  'failure.INVALID_TRANSITION': {
    en: 'The current status does not allow this. Reload to see it.',
    ar: 'لا تسمح الحالة الحالية بذلك. أعد التحميل لتراها.',
  },
  'failure.DELIVERY_NOT_RETRYABLE': {
    en: 'This webhook cannot be sent again in its current status.',
    ar: 'لا يمكن إرسال هذا الإشعار من جديد في حالته الحالية.',
  },
  'failure.RATE_LIMIT_EXCEEDED': {
    en: 'Too many requests. Wait a moment, then try again.',
    ar: 'الطلبات كثيرة. انتظر قليلًا ثم أعد المحاولة.',
  },
  'failure.INTERNAL_ERROR': {
    en: 'The service has a problem. Try again; if it stays, send the details to support.',
    ar: 'حدث خلل في الخدمة. أعد المحاولة؛ وإن تكرّر فأرسل التفاصيل إلى الدعم.',
  },
  'failure.page': {
    en: 'This page has a problem. Reload it; if it stays, send the details to support.',
    ar: 'حدث خلل في هذه الصفحة. أعد تحميلها؛ وإن تكرّر فأرسل التفاصيل إلى الدعم.',
  },
  'failure.refused': { en: 'The service refused it.', ar: 'رفضت الخدمة ذلك.' },
  'failure.details': { en: 'Details', ar: 'التفاصيل' },

  // Further reasons
  'cannot.holdExpired': { en: 'The hold has expired', ar: 'انتهت مدة الحجز المؤقت' },
  'cannot.priceChanged': { en: 'The price has changed', ar: 'تغيّر السعر' },
  'cannot.payment': { en: 'No payment gateway is available', ar: 'لا تتوفر بوابة دفع' },
  'cannot.notAffected': { en: 'No longer affected', ar: 'لم يعد متأثرًا' },
  'cannot.zonesOverlap': {
    en: 'Zones of the same priority overlap',
    ar: 'مناطق بالأولوية نفسها تتداخل',
  },
  'cannot.other': { en: 'Another reason', ar: 'سبب آخر' },

  // Faults of fields
  'fault.empty': { en: 'Fill this in.', ar: 'هذه الخانة مطلوبة.' },
  'fault.longest': { en: 'At most {count} characters.', ar: 'الحد الأقصى للأحرف: {count}.' },
  'fault.shortest': { en: 'At least {count} characters.', ar: 'الحد الأدنى للأحرف: {count}.' },
  'fault.least': { en: 'Not less than {count}.', ar: 'لا يقل عن {count}.' },
  'fault.most': { en: 'Not more than {count}.', ar: 'لا يزيد على {count}.' },
  'fault.amount': {
    en: 'Enter an amount from 0 to {count}, with at most 2 decimals.',
    ar: 'أدخل مبلغًا من 0 إلى {count}، بمنزلتين عشريتين على الأكثر.',
  },
  'fault.decimals': { en: 'At most {count} decimals.', ar: 'المنازل العشرية {count} على الأكثر.' },
  'fault.multiple': { en: 'A multiple of {count}.', ar: 'من مضاعفات {count}.' },
  'fault.whole': { en: 'Enter a whole number.', ar: 'أدخل عددًا صحيحًا.' },
  'fault.number': { en: 'Enter a number.', ar: 'أدخل رقمًا.' },
  'fault.time': { en: 'Enter a time, such as 08:30.', ar: 'أدخل وقتًا، مثل 08:30.' },
  'fault.dateTime': { en: 'Enter a date and a time.', ar: 'أدخل تاريخًا ووقتًا.' },
  'fault.date': { en: 'Enter a date.', ar: 'أدخل تاريخًا.' },
  'fault.phone': { en: 'Enter a phone number, such as 0501234567.', ar: 'أدخل رقم هاتف، مثل 0501234567.' },
  'fault.domain': {
    en: 'Enter a domain only, such as example.sa.',
    ar: 'أدخل النطاق وحده، مثل \u2066example.sa\u2069.',
  },
  'fault.network': { en: 'Enter an IP address or a CIDR.', ar: 'أدخل عنوان IP أو نطاق CIDR.' },
  'fault.url': {
    en: 'Enter a public web address that begins with https.',
    ar: 'أدخل عنوان ويب عامًّا يبدأ بـ \u2066https\u2069.',
  },
  'fault.fewest': { en: 'At least {count} entries.', ar: 'الحد الأدنى لعدد القيم: {count}.' },
  'fault.mostEntries': { en: 'At most {count} entries.', ar: 'الحد الأقصى لعدد القيم: {count}.' },
  'fault.twice': { en: 'The same entry is there twice.', ar: 'القيمة نفسها مكررة.' },
  'fault.overlap': { en: 'They must not overlap.', ar: 'يجب ألا تتداخل.' },
  'fault.coordinates': { en: 'The coordinates are not valid.', ar: 'الإحداثيات غير صالحة.' },
  'fault.after': { en: 'The end must be after the start.', ar: 'يجب أن تكون النهاية بعد البداية.' },
  'fault.afterToday': {
    en: 'Choose a day after today. A price without a day counts at once.',
    ar: 'اختر يومًا بعد اليوم. السعر من دون يوم يسري فورًا.',
  },
  'fault.choose': { en: 'Choose one.', ar: 'اختر من القائمة.' },
  'fault.person': {
    en: 'Do not name the customer: it is kept.',
    ar: 'لا تذكر اسم العميل أو رقمه: يُحفظ النص.',
  },
  'fault.line': { en: 'Write it in one line of plain text.', ar: 'اكتبه في سطر واحد من نص عادي.' },
  'fault.gateway': {
    en: 'Without a payment gateway only the partner can collect the money.',
    ar: 'دون بوابة دفع لا يحصّل المبلغ إلا الشريك.',
  },
  'fault.unknown': {
    en: 'The service does not know one of the values. Reload the page.',
    ar: 'لا تعرف الخدمة إحدى القيم. أعد تحميل الصفحة.',
  },
  'fault.other': { en: 'This value is not accepted.', ar: 'هذه القيمة غير مقبولة.' },
  'fault.inLine': { en: 'Line {line}: {fault}', ar: 'السطر {line}: {fault}' },
} as const;

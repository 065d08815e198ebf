import type { Text } from '../language.ts';

/** Texts of refused requests: cause and remedy. */
export const REQUEST_TEXTS = {
  'requests.about': {
    en: 'What your programs asked, newest first, kept for 14 days. Open one to read why it was refused.',
    ar: 'ما طلبته برامجك، الأحدث أولًا، ويُحفظ 14 يومًا. افتح طلبًا لتقرأ سبب رفضه.',
  },
  'requests.none': {
    en: 'No request has come yet. If your program sends some, look at the base address it uses, and whether it sends a key: requests without a known key belong to nobody.',
    ar: 'لم يصل أي طلب بعد. إن كان برنامجك يرسل طلبات فراجع العنوان الأساسي وهل يرسل مفتاحًا: فما يصل بلا مفتاح معروف لا يخص أحدًا.',
  },
  'requests.empty': { en: 'No request matches. Clear the filters.', ar: 'لا طلب مطابق. امسح عوامل التصفية.' },
  'requests.older': { en: 'Older', ar: 'الأقدم' },
  'requests.newest': { en: 'Newest', ar: 'الأحدث' },
  'requests.why': { en: 'Why', ar: 'السبب' },
  'requests.key': { en: 'Key', ar: 'المفتاح' },
  'requests.id': { en: 'Request ID', ar: 'معرّف الطلب' },
  'requests.outcome': { en: 'Outcome', ar: 'النتيجة' },
  'requests.success': { en: 'Successful', ar: 'ناجح' },
  'requests.refused': { en: 'Refused', ar: 'مرفوض' },
  'requests.error': { en: 'Fault of the service', ar: 'خلل في الخدمة' },
  'requests.route': { en: 'Route', ar: 'المسار' },
  'requests.noRoute': { en: 'no such route', ar: 'لا مسار كهذا' },
  'request.title': { en: '{method} answered with {status}', ar: 'الطلب {method} أُجيب بالحالة {status}' },
  'request.why': { en: 'Why it was refused', ar: 'لماذا رُفض' },
  'request.todo': { en: 'What to do', ar: 'ما العمل' },
  'request.guide': { en: 'About this code', ar: 'عن رمز الخطأ هذا' },
  'request.path': { en: 'Path', ar: 'المسار' },
  'request.ignored': { en: 'Ignored query parameters', ar: 'معاملات استعلام متجاهَلة' },
  'request.duration': { en: 'Milliseconds', ar: 'المدة، م.ث' },
  'request.agent': { en: 'User agent', ar: 'البرنامج' },
  'request.asked': { en: 'What was asked', ar: 'ما طُلب' },
  'request.answered': { en: 'What was answered', ar: 'ما أُجيب' },
  'request.cut': { en: 'Cut at 16 KiB', ar: 'مقطوع عند 16 كيبيبايت' },
  'request.empty': { en: 'No body', ar: 'بلا محتوى' },
  'request.noBodies': {
    en: 'Bodies are kept in a sandbox only, and not of hundreds of requests in one second.',
    ar: 'يُحفظ المحتوى في البيئة التجريبية فقط، وليس لمئات الطلبات في ثانية واحدة.',
  },
  'request.booking': { en: 'Its booking', ar: 'حجزه' },
  'usage.title': { en: 'Refused in the last 24 hours', ar: 'المرفوض خلال 24 ساعة' },
  'usage.none': { en: 'Nothing was refused.', ar: 'لم يُرفض شيء.' },
  'usage.count': { en: 'Times', ar: 'المرات' },
  'usage.last': { en: 'Last', ar: 'آخر مرة' },
  'usage.peaks': { en: 'Peak in any 60 seconds, last 24 hours', ar: 'الذروة في أي 60 ثانية خلال 24 ساعة' },
  'usage.peak': { en: '{count} of {limit}, {time}', ar: '{count} من {limit}، {time}' },
  'usage.noLimit': { en: '{count}, {time}', ar: '{count}، {time}' },
  'usage.noPeaks': { en: 'No request', ar: 'لا طلبات' },

  // By the guard's check, and by code
  'cause.expired': {
    en: 'The key had expired. The service tells the caller only that it is not valid.',
    ar: 'كان المفتاح منتهي الصلاحية. والخدمة لا تخبر المتصل إلا بأنه غير صالح.',
  },
  'todo.expired': {
    en: 'Ask the operator to extend the key, or put a new one into your configuration.',
    ar: 'اطلب من المشغّل تمديد المفتاح، أو ضع مفتاحًا جديدًا في إعداداتك.',
  },
  'cause.revoked': { en: 'The key was revoked.', ar: 'كان المفتاح مُبطَلًا.' },
  'todo.revoked': {
    en: 'A revoked key never works again: ask the operator for a new one.',
    ar: 'المفتاح المُبطَل لا يعمل ثانيةً: اطلب من المشغّل مفتاحًا جديدًا.',
  },
  'cause.replaced': {
    en: 'The key was rotated, and this is its old secret.',
    ar: 'استُبدل المفتاح، وهذا سره القديم.',
  },
  'todo.replaced': {
    en: 'Put the new secret into the configuration of this program: another one has it already.',
    ar: 'ضع السر الجديد في إعدادات هذا البرنامج: فبرنامج آخر لديه الجديد.',
  },
  'cause.suspended': { en: 'The account was suspended.', ar: 'كان الحساب موقوفًا.' },
  'todo.suspended': { en: 'Only the operator can lift this.', ar: 'المشغّل وحده يرفع الإيقاف.' },
  'cause.address': {
    en: 'The request came from {address}, which is not in the list of addresses of this key.',
    ar: 'جاء الطلب من {address}، وهو ليس في قائمة عناوين هذا المفتاح.',
  },
  'todo.address': {
    en: 'Send from an address that is listed, or ask the operator to add this one. Behind a proxy or NAT it is the outgoing address that counts.',
    ar: 'أرسل من عنوان مدرج، أو اطلب من المشغّل إضافة هذا. وخلف وكيل أو NAT يُعتدّ بعنوان الخروج.',
  },
  'cause.domain': {
    en: 'The request named the domain {domain}, which is not one of your allowed domains.',
    ar: 'ذكر الطلب النطاق {domain}، وهو ليس من نطاقاتك المسموحة.',
  },
  'todo.domain': {
    en: 'It is read from Origin, Referer or x-partner-domain. Send an allowed domain, or ask the operator to allow this one.',
    ar: 'يُقرأ من Origin أو Referer أو x-partner-domain. أرسل نطاقًا مسموحًا، أو اطلب من المشغّل السماح بهذا.',
  },
  'cause.permission': {
    en: 'The key lacks the permission {permission}.',
    ar: 'تنقص المفتاح الصلاحية {permission}.',
  },
  'todo.permission': {
    en: 'Use a key that has it, or ask the operator to add it to this one.',
    ar: 'استخدم مفتاحًا يملكها، أو اطلب من المشغّل إضافتها إلى هذا.',
  },
  'cause.rate-limit': {
    en: 'The key had used up its {limit} requests in 60 seconds.',
    ar: 'استنفد المفتاح حدّه البالغ {limit} طلبًا في 60 ثانية.',
  },
  'todo.rate-limit': {
    en: 'Wait as long as the header Retry-After says, and spread requests. RateLimit-Remaining tells how many are left.',
    ar: 'انتظر بقدر ما تقول ترويسة Retry-After، ووزّع الطلبات. وتخبرك RateLimit-Remaining بما بقي.',
  },
  'cause.https': { en: 'The request did not come over TLS.', ar: 'لم يأت الطلب عبر TLS.' },
  'todo.https': { en: 'Use the https address.', ar: 'استخدم عنوان https.' },
  'todo.VALIDATION_ERROR': {
    en: 'Correct every field that is named; the same request is refused again.',
    ar: 'صحّح كل حقل مذكور؛ فالطلب نفسه يُرفض ثانيةً.',
  },
  'cause.WEBHOOK_DOMAIN_NOT_ALLOWED': {
    en: 'The host {host} is in none of your webhook domains. Allowed: {domains}',
    ar: 'المضيف {host} ليس ضمن نطاقات Webhook المسموحة لك. المسموح: {domains}',
  },
  'todo.WEBHOOK_DOMAIN_NOT_ALLOWED': {
    en: 'Use an address on an allowed domain, or ask the operator to allow this host.',
    ar: 'استخدم عنوانًا على نطاق مسموح، أو اطلب من المشغّل السماح بهذا المضيف.',
  },
  'cause.RESOURCE_NOT_FOUND': {
    en: 'There is no such {resource}, or it belongs to another partner.',
    ar: 'لا يوجد: {resource}، أو هو لشريك آخر.',
  },
  'resource.booking': { en: 'booking', ar: 'حجز بهذا المعرّف' },
  'resource.contact': { en: 'contact', ar: 'جهة اتصال بهذا المعرّف' },
  'resource.address': { en: 'address', ar: 'عنوان بهذا المعرّف' },
  'resource.service': { en: 'service', ar: 'خدمة بهذا المعرّف' },
  'resource.webhook subscription': { en: 'webhook subscription', ar: 'اشتراك Webhook بهذا المعرّف' },
  'resource.webhook delivery': { en: 'webhook delivery', ar: 'إشعار بهذا المعرّف' },
  'resource.certification': { en: 'certification', ar: 'اعتماد بهذا المعرّف' },
  'resource.run': { en: 'run', ar: 'تشغيل بهذا المعرّف' },
  'resource.route': { en: 'route', ar: 'مسار كهذا' },
  'todo.RESOURCE_NOT_FOUND': {
    en: 'Check that the ID came from an answer to this account in this deployment, or that the path is right.',
    ar: 'تحقق من أن المعرّف جاء في جواب لهذا الحساب في هذه البيئة، أو من صحة المسار.',
  },
  'todo.BOOKING_CREATION_FAILED': {
    en: 'Offer the customer the alternatives in the details, or ask for timeslots again.',
    ar: 'اعرض على العميل البدائل في التفاصيل، أو اطلب الأوقات المتاحة من جديد.',
  },
  'todo.DUPLICATE_EXTERNAL_REFERENCE': {
    en: 'The booking exists already: find it by its reference instead of booking again.',
    ar: 'الحجز موجود: ابحث عنه بمرجعه بدل الحجز من جديد.',
  },
  'todo.INTERNAL_ERROR': {
    en: 'A fault of the service. Send it again with growing pauses; tell the operator the request ID.',
    ar: 'خلل في الخدمة. أعد الإرسال بفواصل متزايدة، وأخبر المشغّل بمعرّف الطلب.',
  },
} as const satisfies Record<string, Text>;

import type { Text } from '../language.ts';
import { CUSTOMERS_TEXTS } from './texts-customers.ts';
import { REQUEST_TEXTS } from './texts-requests.ts';
import { SANDBOX_TEXTS } from './texts-sandbox.ts';

/** Texts of the portal in both languages, as in ../texts.ts. */
export const PORTAL_TEXTS = {
  ...CUSTOMERS_TEXTS,
  ...REQUEST_TEXTS,
  ...SANDBOX_TEXTS,

  'portal.name': { en: 'Developer portal', ar: 'بوابة المطوّرين' },
  'nav.overview': { en: 'Overview', ar: 'نظرة عامة' },
  'nav.requests': { en: 'Requests', ar: 'الطلبات' },
  'nav.webhooks': { en: 'Webhooks', ar: 'الإشعارات' },
  'nav.deliveries': { en: 'Deliveries', ar: 'الإشعارات المرسلة' },
  'nav.bookings': { en: 'Bookings', ar: 'الحجوزات' },
  'nav.series': { en: 'Series', ar: 'الزيارات الدورية' },
  'nav.holds': { en: 'Holds', ar: 'الحجوزات المؤقتة' },
  'nav.statements': { en: 'Statements', ar: 'كشوف الحساب' },
  'nav.guides': { en: 'Guides and reference', ar: 'الأدلة والمرجع' },
  'me.byLink': { en: 'Signed in by a link', ar: 'الدخول برابط' },
  'me.byKey': { en: 'Signed in with the key {name}', ar: 'الدخول بالمفتاح {name}' },
  'me.until': { en: 'until {time}', ar: 'حتى {time}' },

  // Signing in
  'enter.title': { en: 'Sign in to the developer portal', ar: 'الدخول إلى بوابة المطوّرين' },
  'enter.how': {
    en: 'Enter an API key of your organisation, or open the link that the operator has sent you. A key shows its own requests, a link those of all keys. A key that has expired or was revoked shows why its requests are refused.',
    ar: 'أدخل مفتاح API لجهتك، أو افتح الرابط الذي أرسله إليك المشغّل. ويعرض المفتاح طلباته وحدها، ويعرض الرابط طلبات المفاتيح كلها. والمفتاح المنتهي أو المُبطَل يعرض سبب رفض طلباته.',
  },
  'enter.kept': {
    en: 'The key is sent once to this service and is not kept. The session ends after 8 hours.',
    ar: 'يُرسل المفتاح مرة واحدة إلى هذه الخدمة ولا يُحفظ. وتنتهي الجلسة بعد 8 ساعات.',
  },
  'enter.key': { en: 'API key', ar: 'مفتاح API' },
  'enter.enter': { en: 'Sign in', ar: 'دخول' },
  'enter.ended': {
    en: 'The session has ended. Sign in again; the page stays as it is.',
    ar: 'انتهت الجلسة. سجّل الدخول من جديد؛ وتبقى الصفحة كما هي.',
  },

  // Why a session is limited
  'limit.title': { en: 'Why this key does not work', ar: 'لماذا لا يعمل هذا المفتاح' },
  'limit.PARTNER_SUSPENDED': {
    en: 'The account is suspended: every request of every key is refused with 401. Only the operator can lift this.',
    ar: 'الحساب موقوف: كل طلب بأي مفتاح يُرفض بالحالة 401. والمشغّل وحده يرفع الإيقاف.',
  },
  'limit.KEY_REVOKED': {
    en: 'This key was revoked: its requests are refused with 401, for good. Ask the operator for a new key.',
    ar: 'أُبطل هذا المفتاح: تُرفض طلباته بالحالة 401 نهائيًا. اطلب من المشغّل مفتاحًا جديدًا.',
  },
  'limit.KEY_REPLACED': {
    en: 'This key was replaced by a new one, and the time for which both worked is over. Put the new key into your configuration.',
    ar: 'استُبدل هذا المفتاح بآخر، وانتهت المهلة التي عمل فيها كلاهما. ضع المفتاح الجديد في إعداداتك.',
  },
  'limit.KEY_EXPIRED': {
    en: 'This key has expired: its requests are refused with 401. Ask the operator to extend it, or for a new key.',
    ar: 'انتهت صلاحية هذا المفتاح: تُرفض طلباته بالحالة 401. اطلب من المشغّل تمديده أو مفتاحًا جديدًا.',
  },
  'limit.ADDRESS_NOT_ALLOWED': {
    en: 'Your browser is at {address}, which is not in the list of addresses of this key.',
    ar: 'متصفحك على العنوان {address}، وهو ليس في قائمة عناوين هذا المفتاح.',
  },
  'limit.shown': {
    en: 'Until then you see this key and what was refused to it. A link from the operator shows everything.',
    ar: 'حتى ذلك الحين ترى هذا المفتاح وما رُفض له. ورابط من المشغّل يعرض كل شيء.',
  },

  // Overview
  'overview.about': {
    en: 'What the operator has set up for your organisation. To change it, ask the operator.',
    ar: 'ما أعدّه المشغّل لجهتك. لتغييره تواصل مع المشغّل.',
  },
  'overview.noKeys': {
    en: 'There is no key yet. Ask the operator for one.',
    ar: 'لا مفتاح بعد. اطلب واحدًا من المشغّل.',
  },
  'overview.limits': { en: 'Limits and domains', ar: 'الحدود والنطاقات' },
  'overview.status': { en: 'Account', ar: 'الحساب' },
  'overview.baseUrl': { en: 'Base address', ar: 'العنوان الأساسي' },
  'overview.limit': {
    en: 'Requests in any 60 seconds, for each key',
    ar: 'الطلبات في أي 60 ثانية لكل مفتاح',
  },
  'overview.anyDomain': {
    en: 'Any: requests are not checked for a domain',
    ar: 'أي نطاق: لا يُفحص نطاق الطلبات',
  },
  'overview.noHooks': {
    en: 'None: no webhook can be created. Ask the operator to allow a domain.',
    ar: 'لا يوجد: لا يمكن إنشاء إشعار. اطلب من المشغّل السماح بنطاق.',
  },
  'overview.noServices': {
    en: 'No service can be booked yet. Ask the operator to enable one.',
    ar: 'لا خدمة يمكن حجزها بعد. اطلب من المشغّل تفعيل خدمة.',
  },
  'overview.price': { en: 'Price', ar: 'السعر' },

  // Webhooks
  'hooks.about': {
    en: 'Where your events go, the endpoints that fail first. Your programs create and change subscriptions through the API.',
    ar: 'إلى أين تُرسل أحداثك، والوجهات المتعثرة أولًا. تُنشئ برامجك الاشتراكات وتعدّلها عبر الواجهة.',
  },
  'hooks.none': {
    en: 'There are no subscriptions. Create one with POST /v1/partners/webhooks/subscriptions.',
    ar: 'لا اشتراكات. أنشئ واحدًا بالطلب POST /v1/partners/webhooks/subscriptions.',
  },
  'overview.failing': {
    en: 'Endpoints that fail, with failures in a row',
    ar: 'عناوين يتعثر الإرسال إليها، مع عدد الإخفاقات المتتالية',
  },
  'overview.seeFailing': { en: 'Why, and what to do', ar: 'السبب وما العمل' },
  'hooks.failing': { en: 'Deliveries that fail, last 24 hours', ar: 'ما يتعثر إرساله خلال 24 ساعة' },
  'hooks.noneFailing': { en: 'None fails. All deliveries:', ar: 'لا شيء يتعثر. كل الإشعارات المرسلة:' },
  'hooks.see': { en: 'See them', ar: 'اعرضها' },
  'deliveries.empty': {
    en: 'No delivery matches. Clear the filters.',
    ar: 'لا إشعار مطابق. امسح عوامل التصفية.',
  },
  'deliveries.none': {
    en: 'Nothing was sent yet. Deliveries appear here when something happens to a booking and a subscription wants its event.',
    ar: 'لم يُرسل شيء بعد. تظهر هنا حين يقع حدث لحجز ويطلبه اشتراك.',
  },
  'delivery.why': { en: 'Why it failed', ar: 'سبب الإخفاق' },
  'delivery.sent': { en: 'Headers sent', ar: 'الترويسات المرسلة' },
  'delivery.body': { en: 'Body sent', ar: 'المحتوى المرسل' },
  'delivery.url': { en: 'Sent to', ar: 'أُرسل إلى' },
  'delivery.removed': { en: 'The subscription was removed', ar: 'حُذف الاشتراك' },

  // Signatures
  'sign.title': { en: 'Check the signature', ar: 'تحقق من التوقيع' },
  'sign.how': {
    en: 'The signature is HMAC-SHA256, in lower-case hex, of the header x-service-timestamp, a dot, and the body to the byte as it was received. The key is the whole secret, whsec_ included.',
    ar: 'التوقيع هو HMAC-SHA256 بالأحرف الست عشرية الصغيرة، لترويسة x-service-timestamp ثم نقطة ثم المحتوى كما استُلم بايتًا ببايت. والمفتاح هو السر كاملًا، والبادئة \u2066whsec_\u2069 جزء منه.',
  },
  'sign.local': {
    en: 'The secret is used in this browser only and is sent nowhere.',
    ar: 'يُستخدم السر في هذا المتصفح فقط ولا يُرسل إلى أي مكان.',
  },
  'sign.secret': { en: 'Secret of the subscription', ar: 'سر الاشتراك' },
  'sign.check': { en: 'Check', ar: 'تحقق' },
  'sign.matches': {
    en: 'This secret made the signature that was sent. If your receiver refuses it, look at how it reads the body: parsing and printing JSON again changes the bytes.',
    ar: 'هذا السر هو الذي وقّع ما أُرسل. إن رفضه مستقبِلك فراجع كيف يقرأ المحتوى: فتحليل JSON ثم كتابته من جديد يغيّر البايتات.',
  },
  'sign.matchesNext': {
    en: 'This is the new secret: it made x-service-signature-next. The one before it signs x-service-signature while the rotation overlaps.',
    ar: 'هذا هو السر الجديد: وقّع x-service-signature-next. والسابق يوقّع x-service-signature ما دام التدوير متداخلًا.',
  },
  'sign.differs': {
    en: 'Another secret made the signature that was sent: this one is of another subscription, or was replaced. Rotate the secret and put the new one into your receiver.',
    ar: 'سر آخر وقّع ما أُرسل: فهذا السر لاشتراك آخر أو استُبدل. دوّر السر وضع الجديد في مستقبِلك.',
  },
  'sign.expected': { en: 'With this secret', ar: 'بهذا السر' },
  'sign.wasSent': { en: 'Sent', ar: 'المرسل' },

  // Why an attempt failed, by error
  'why.STATUS_NOT_2XX': {
    en: 'Your receiver answered, but not with a status of 200 to 299. Its answer is below; 401 and 403 are mostly a failed signature check.',
    ar: 'أجاب مستقبِلك، لكن ليس بحالة من 200 إلى 299. جوابه أدناه؛ و401 و403 غالبًا لتعذّر التحقق من التوقيع.',
  },
  'why.REDIRECT': {
    en: 'Your receiver redirects, and redirects are not followed. Change the address of the subscription to where it leads:',
    ar: 'يحيل مستقبِلك إلى عنوان آخر، ولا تُتبع الإحالات. غيّر عنوان الاشتراك إلى ما تقود إليه الإحالة:',
  },
  'why.TIMEOUT': {
    en: 'Your receiver did not answer within 10 seconds. Answer first, then do the work.',
    ar: 'لم يجب مستقبِلك خلال 10 ثوانٍ. أجب أولًا ثم نفّذ العمل.',
  },
  'why.DNS_FAILED': {
    en: 'The host name of the address could not be resolved. Check the spelling and the DNS record.',
    ar: 'تعذّر إيجاد اسم المضيف. تحقق من كتابته ومن سجل DNS.',
  },
  'why.ADDRESS_NOT_PUBLIC': {
    en: 'The host name leads to a private or local address, where nothing is sent.',
    ar: 'يقود اسم المضيف إلى عنوان خاص أو محلي، ولا يُرسل إليه شيء.',
  },
  'why.CONNECTION_FAILED': {
    en: 'Nothing accepted the connection. Check that the receiver runs and that a firewall lets it through.',
    ar: 'لم يُقبل الاتصال. تحقق من أن المستقبِل يعمل وأن الجدار الناري يسمح به.',
  },
  'why.TLS_FAILED': {
    en: 'The TLS certificate was not accepted: expired, for another name, or without its intermediate certificates.',
    ar: 'لم تُقبل شهادة TLS: منتهية أو لاسم آخر أو بلا شهاداتها الوسيطة.',
  },
  'why.CONNECTION_LOST': {
    en: 'The connection ended before an answer came.',
    ar: 'انقطع الاتصال قبل وصول الجواب.',
  },
  'why.INVALID_ANSWER': { en: 'What came back is not valid HTTP.', ar: 'ما وصل ليس HTTP صالحًا.' },
  'why.DOMAIN_NOT_ALLOWED': {
    en: "Nothing was sent: the host is in none of the account's webhook domains. Ask the operator to allow it.",
    ar: 'لم يُرسل شيء: المضيف ليس ضمن نطاقات إشعارات الحساب. اطلب من المشغّل السماح به.',
  },
  'why.HTTPS_REQUIRED': {
    en: 'Nothing was sent: the account requires https. Change the address of the subscription.',
    ar: 'لم يُرسل شيء: يشترط الحساب https. غيّر عنوان الاشتراك.',
  },
  'why.SUBSCRIPTION_REMOVED': {
    en: 'The subscription was removed before it arrived.',
    ar: 'حُذف الاشتراك قبل الوصول.',
  },
  'why.NOT_SENT': {
    en: 'Nothing was sent because of a fault of the service; it is tried again.',
    ar: 'لم يُرسل شيء بسبب خلل في الخدمة؛ وسيُعاد.',
  },
  'why.SIMULATED_LOSS': {
    en: 'The simulator has lost it on purpose. The feed of events has it; send it again, or recover.',
    ar: 'أضاعه المحاكي عمدًا. هو في سجل الأحداث؛ أعد إرساله أو استعده.',
  },
  'why.SIMULATED_DUPLICATE': {
    en: 'The simulator sends it twice on purpose: your receiver must act once.',
    ar: 'يرسله المحاكي مرتين عمدًا: على مستقبِلك التصرف مرة واحدة.',
  },
  'why.SIMULATED_BAD_SIGNATURE': {
    en: 'The simulator signed this attempt with a wrong secret on purpose. A status of 2xx means that your receiver does not check signatures.',
    ar: 'وقّع المحاكي هذه المحاولة بسر خاطئ عمدًا. الحالة 2xx تعني أن مستقبِلك لا يتحقق من التواقيع.',
  },

  // Bookings
  'bookings.none': {
    en: 'There are no bookings yet. Create one with POST /v1/partners/bookings.',
    ar: 'لا حجوزات بعد. أنشئ واحدًا بالطلب POST /v1/partners/bookings.',
  },
  'bookings.reference': { en: 'Your reference', ar: 'مرجعك' },
  'booking.paymentLink': { en: 'Payment link of the customer', ar: 'رابط دفع العميل' },
  'booking.pay': { en: 'Open the page that the customer sees', ar: 'افتح الصفحة التي يراها العميل' },
  'booking.noEvents': {
    en: 'No event is kept: they are kept for 90 days.',
    ar: 'لا حدث محفوظ: تُحفظ الأحداث 90 يومًا.',
  },
  'booking.deliveries': { en: 'Deliveries of its events', ar: 'إشعارات أحداثه' },
  'booking.noDeliveries': {
    en: 'None of its events was sent: no active subscription wanted them when they happened.',
    ar: 'لم يُرسل شيء من أحداثه: لم يطلبها اشتراك فعّال حين وقعت.',
  },
  'booking.moved': { en: 'from {from} to {to}', ar: 'من {from} إلى {to}' },
  'booking.canceledBy.PARTNER': { en: 'By you', ar: 'من جهتك' },
  'booking.canceledBy.OPERATOR': { en: 'By the operator', ar: 'من المشغّل' },
  'booking.policy': { en: 'What changes cost', ar: 'رسوم التغيير' },
  'booking.refund': { en: 'Refund', ar: 'رد المبلغ' },

  // Holds
  'holds.about': {
    en: 'Timeslots that your programs hold with their price, and those whose hold ended in the last 24 hours.',
    ar: 'مواعيد تحجزها برامجك مؤقتًا مع سعرها، وما انتهى حجزه المؤقت خلال آخر 24 ساعة.',
  },
  'holds.none': {
    en: 'No hold yet. Hold a timeslot with POST /v1/partners/holds while your customer pays.',
    ar: 'لا حجوزات مؤقتة بعد. احجز موعدًا مؤقتًا بالطلب POST /v1/partners/holds بينما يدفع عميلك.',
  },
  'holds.id': { en: 'Hold', ar: 'الحجز المؤقت' },
  'holds.expires': { en: 'Until', ar: 'حتى' },
  'holds.see': { en: 'See it', ar: 'عرضه' },
  'holds.booking': { en: 'Booking', ar: 'الحجز' },
  'hold.HELD': { en: 'Held', ar: 'محجوز مؤقتًا' },
  'hold.CONSUMED': { en: 'Booked', ar: 'تم حجزه' },
  'hold.RELEASED': { en: 'Released', ar: 'أُفرج عنه' },
  'hold.EXPIRED': { en: 'Expired', ar: 'انتهت مدته' },

  'booking.none': { en: 'Not assigned yet', ar: 'لم يُعيَّن بعد' },
} as const satisfies Record<string, Text>;

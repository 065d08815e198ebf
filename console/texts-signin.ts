/** Texts of signing in, its links and sessions. */
export const SIGN_IN_TEXTS = {
  'signIn.title': { en: 'Sign in', ar: 'تسجيل الدخول' },
  'signIn.again': { en: 'Sign in again', ar: 'سجّل الدخول من جديد' },
  'signIn.how': {
    en: 'Enter your operator token. It is not kept in the browser: you stay signed in for 12 hours, in all tabs.',
    ar: 'أدخل رمز الدخول الخاص بك. لا يُحفظ الرمز في المتصفح، ويستمر دخولك 12 ساعة في جميع التبويبات.',
  },
  'signIn.who': {
    en: 'No token? Ask an administrator of the service: they make a link with which you sign in once, or a token of your own.',
    ar: 'ليس لديك رمز؟ اطلب من مدير الخدمة رابط دخول يُستخدم مرة واحدة، أو رمزًا خاصًا بك.',
  },
  'signIn.ended': { en: 'Your session has ended.', ar: 'انتهت جلستك.' },
  'signIn.endedHere': {
    en: 'Your session has ended. Sign in again; the page stays as it is.',
    ar: 'انتهت جلستك. سجّل الدخول من جديد، وتبقى الصفحة كما هي.',
  },
  'signIn.byLink': {
    en: 'This link signs you in on this device, once. Continue only if it was sent to you.',
    ar: 'يسجّل هذا الرابط دخولك على هذا الجهاز مرة واحدة. تابع فقط إن كان الرابط مرسلًا إليك.',
  },
  'signIn.asOther': {
    en: 'This address has a token. Sign in with it? The session that is open in this browser ends.',
    ar: 'يتضمن هذا العنوان رمز دخول. هل تريد الدخول به؟ ستنتهي الجلسة المفتوحة في هذا المتصفح.',
  },
  'signIn.wrongToken': {
    en: 'The token is not accepted: it is wrong, revoked or expired.',
    ar: 'رمز الدخول غير مقبول: فهو خاطئ أو مُبطَل أو منتهي الصلاحية.',
  },
  'signIn.wrongLink': {
    en: 'The link was used already, or has expired. Ask an administrator for a new one.',
    ar: 'استُخدم هذا الرابط من قبل أو انتهت صلاحيته. اطلب رابطًا جديدًا من المدير.',
  },
  'signIn.noCookie': {
    en: 'The browser does not keep the session. Open the console over HTTPS, and allow cookies for this site.',
    ar: 'لا يحتفظ المتصفح بالجلسة. افتح لوحة التشغيل عبر HTTPS واسمح بملفات تعريف الارتباط لهذا الموقع.',
  },
  'signIn.useToken': { en: 'Use a token instead', ar: 'استخدم رمز دخول بدلًا من ذلك' },

  'sessions.title': { en: 'Sessions', ar: 'الجلسات' },
  'sessions.about': {
    en: 'Where you are signed in. End what you do not recognise.',
    ar: 'الأجهزة التي سجّلت الدخول منها. أنهِ ما لا تعرفه.',
  },
  'sessions.aboutAll': {
    en: 'Where people are signed in to the console. A session ends after 12 hours, or with its token.',
    ar: 'الأجهزة المسجّل منها الدخول إلى لوحة التشغيل. تنتهي الجلسة بعد 12 ساعة أو بانتهاء رمزها.',
  },
  'sessions.person': { en: 'Person', ar: 'الشخص' },
  'sessions.browser': { en: 'Browser', ar: 'المتصفح' },
  'sessions.browserOn': { en: '{browser} on {system}', ar: '{browser} على {system}' },
  'sessions.unknown': { en: 'Unknown browser', ar: 'متصفح غير معروف' },
  'sessions.this': { en: 'This browser', ar: 'هذا المتصفح' },
  'sessions.since': { en: 'Signed in', ar: 'وقت الدخول' },
  'sessions.seen': { en: 'Last seen', ar: 'آخر نشاط' },
  'sessions.until': { en: 'Until', ar: 'حتى' },
  'sessions.end': { en: 'End', ar: 'إنهاء' },
  'sessions.endTitle': { en: 'End the session of {name}?', ar: 'إنهاء جلسة {name}؟' },
  'sessions.endText': {
    en: 'The browser is signed out at once. What is not saved there is lost.',
    ar: 'يُسجَّل خروج المتصفح فورًا، ويضيع ما لم يُحفظ فيه.',
  },
  'sessions.ended': { en: 'The session has ended.', ar: 'انتهت الجلسة.' },
  'sessions.none': { en: 'Nobody is signed in with a session.', ar: 'لا توجد جلسات.' },

  'tokens.invite': { en: 'Invite a person', ar: 'دعوة شخص' },
  'tokens.inviteAbout': {
    en: 'Makes a link with which the person signs in once, within 72 hours. Send it to nobody else.',
    ar: 'ينشئ رابطًا يسجّل به الشخص دخوله مرة واحدة خلال 72 ساعة. لا ترسله إلى غيره.',
  },
  'tokens.person': { en: "Person's name", ar: 'اسم الشخص' },
  'tokens.link': { en: 'Sign-in link', ar: 'رابط دخول' },
  'tokens.linkFor': { en: 'Sign-in link for {name}', ar: 'رابط دخول {name}' },
  'tokens.expires': { en: 'Expires', ar: 'ينتهي' },
  'tokens.expiresAfter': { en: 'Works until', ar: 'صالح حتى' },
  'tokens.noEnd': { en: 'No end', ar: 'بلا نهاية' },
  'tokens.days30': { en: '30 days', ar: '30 يومًا' },
  'tokens.days90': { en: '90 days', ar: '90 يومًا' },
  'tokens.year': { en: '1 year', ar: 'سنة' },
  'tokens.expired': { en: 'Expired', ar: 'منتهي الصلاحية' },
} as const;

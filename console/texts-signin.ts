/** Texts of signing in, its links and sessions. */
export const SIGN_IN_TEXTS = {
  'signIn.title': { en: 'Sign in', ar: 'تسجيل الدخول' },
  'signIn.again': { en: 'Sign in again', ar: 'سجّل الدخول من جديد' },
  'signIn.how': {
    en: 'Enter a token. It is not kept in the browser: you stay signed in for 14 hours, in all tabs.',
    ar: 'أدخل رمز دخول. لا يُحفظ الرمز في المتصفح، ويستمر دخولك 14 ساعة في جميع التبويبات.',
  },
  'signIn.who': {
    en: 'No token, or the PIN forgotten? Ask an administrator for a link. Where you open it, your PIN is enough afterwards.',
    ar: 'ليس لديك رمز، أو نسيت الرقم السري؟ اطلب من المدير رابطًا. وحيث تفتحه يكفي رقمك السري بعد ذلك.',
  },
  'signIn.ended': { en: 'Your session has ended.', ar: 'انتهت جلستك.' },
  'signIn.endedHere': {
    en: 'Your session has ended. Sign in again; the page stays as it is.',
    ar: 'انتهت جلستك. سجّل الدخول من جديد، وتبقى الصفحة كما هي.',
  },
  'signIn.byLink': {
    en: 'This link sets up this browser for you for 90 days. Choose the PIN with which you sign in here. Continue only if the link was sent to you.',
    ar: 'يُعدّ هذا الرابط هذا المتصفح لك مدة 90 يومًا. اختر الرقم السري الذي تسجّل به الدخول هنا. تابع فقط إن كان الرابط مرسلًا إليك.',
  },
  'signIn.byPin': { en: '{name}, enter your PIN.', ar: '{name}، أدخل رقمك السري.' },
  'signIn.pin': { en: 'PIN', ar: 'الرقم السري' },
  'signIn.newPin': { en: 'New PIN, six digits', ar: 'رقم سري جديد، ستة أرقام' },
  'signIn.changePin': { en: 'Change the PIN', ar: 'تغيير الرقم السري' },
  'signIn.pinChanged': { en: 'The PIN of this browser is changed.', ar: 'تغيّر الرقم السري لهذا المتصفح.' },
  'signIn.easyPin': {
    en: 'This PIN is easy to guess. Choose another one.',
    ar: 'هذا الرقم السري سهل التخمين. اختر غيره.',
  },
  'signIn.wrongPin': {
    en: 'The PIN is wrong. Tries left: {left}.',
    ar: 'الرقم السري خاطئ. المحاولات المتبقية: {left}.',
  },
  'signIn.notEnrolled': {
    en: 'The PIN no longer signs in here: after 90 days, five wrong ones, or by an administrator. Ask for a new link.',
    ar: 'لم يعد الرقم السري يسجّل الدخول هنا: بعد 90 يومًا أو خمس محاولات خاطئة أو بقرار المدير. اطلب رابطًا جديدًا.',
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
    en: 'Where people are signed in to the console. A session ends after 14 hours without use.',
    ar: 'الأجهزة المسجّل منها الدخول إلى لوحة التشغيل. تنتهي الجلسة بعد 14 ساعة بلا استخدام.',
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
    en: 'The browser is signed out at once and needs a new link. What is not saved there is lost.',
    ar: 'يُسجَّل خروج المتصفح فورًا ويحتاج إلى رابط جديد، ويضيع ما لم يُحفظ فيه.',
  },
  'sessions.ended': { en: 'The session has ended.', ar: 'انتهت الجلسة.' },
  'sessions.none': { en: 'Nobody is signed in with a session.', ar: 'لا توجد جلسات.' },

  'tokens.invite': { en: 'Invite a person', ar: 'دعوة شخص' },
  'tokens.inviteAbout': {
    en: 'Makes a link, for 72 hours, that sets up one browser for the person. Send it to nobody else.',
    ar: 'ينشئ رابطًا صالحًا 72 ساعة يُعدّ متصفحًا واحدًا للشخص. لا ترسله إلى غيره.',
  },
  'tokens.person': { en: "Person's name", ar: 'اسم الشخص' },
  'tokens.link': { en: 'Sign-in link', ar: 'رابط دخول' },
  'tokens.signOut': { en: 'Sign out', ar: 'تسجيل الخروج' },
  'tokens.signOutTitle': { en: 'Sign {name} out everywhere?', ar: 'تسجيل خروج {name} من كل مكان؟' },
  'tokens.signOutText': {
    en: 'Sessions end at once, and no browser takes the PIN until there is a new link.',
    ar: 'تنتهي الجلسات فورًا، ولا يقبل أي متصفح الرقم السري حتى يُنشأ رابط جديد.',
  },
  'tokens.signOutDone': { en: 'Signed out everywhere.', ar: 'سُجّل الخروج من كل مكان.' },
  'tokens.promote': { en: 'Make administrator', ar: 'تعيين مديرًا' },
  'tokens.promoteTitle': { en: 'Make {name} an administrator?', ar: 'تعيين {name} مديرًا؟' },
  'tokens.promoteText': {
    en: 'Administrators may do everything, also invite others and end their access.',
    ar: 'للمدير كل الصلاحيات، ومنها دعوة الآخرين وإنهاء دخولهم.',
  },
  'tokens.promoteDone': { en: 'The person is an administrator now.', ar: 'أصبح الشخص مديرًا.' },
  'tokens.programs': { en: 'Tokens of programs', ar: 'رموز دخول البرامج' },
  'tokens.noPrograms': { en: 'No token of a program.', ar: 'لا رموز دخول للبرامج.' },
  'tokens.linkFor': { en: 'Sign-in link for {name}', ar: 'رابط دخول {name}' },
  'tokens.expires': { en: 'Expires', ar: 'ينتهي' },
  'tokens.expiresAfter': { en: 'Works until', ar: 'صالح حتى' },
  'tokens.noEnd': { en: 'No end', ar: 'بلا نهاية' },
  'tokens.days30': { en: '30 days', ar: '30 يومًا' },
  'tokens.days90': { en: '90 days', ar: '90 يومًا' },
  'tokens.year': { en: '1 year', ar: 'سنة' },
  'tokens.expired': { en: 'Expired', ar: 'منتهي الصلاحية' },
} as const;

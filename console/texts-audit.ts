/**
 * The audit log in sentences: one for each action that the service records, under its name. Arabic sentences begin with
 * a verbal noun, which agrees with every actor.
 */
export const AUDIT_TEXTS = {
  'audit.what': { en: 'What happened', ar: 'ما حدث' },
  'audit.arrow': { en: '→', ar: '←' },
  'audit.active': { en: 'now active', ar: 'أصبح فعّالًا' },
  'audit.inactive': { en: 'now inactive', ar: 'أصبح غير فعّال' },
  'audit.worker': { en: 'The service', ar: 'النظام' },
  'audit.migration': { en: 'An upgrade', ar: 'ترقية النظام' },
  'audit.payments': { en: 'the payment service', ar: 'خدمة الدفع' },

  'audited.alert.test': { en: '{actor} sent a test alert', ar: '{actor}: إرسال رسالة تجربة' },
  'audited.appointment.update': { en: '{actor} changed {target}', ar: '{actor}: تعديل {target}' },
  'audited.appointment.correct': {
    en: '{actor} corrected {target} from “{before}” to “{after}”',
    ar: '{actor}: تصحيح {target} من «{before}» إلى «{after}»',
  },
  'audited.appointment.call': {
    en: '{actor} called the customer of {target}',
    ar: '{actor}: الاتصال بعميل {target}',
  },
  'audited.team.reveal': { en: '{actor} looked at the phone of {target}', ar: '{actor}: عرض هاتف {target}' },
  'audited.audit.rechain': {
    en: '{actor} removed personal data from the log and computed its hashes anew',
    ar: '{actor}: إزالة البيانات الشخصية من السجل وإعادة حساب بصماته',
  },
  'audited.booking.create': { en: '{actor} made booking {target}', ar: '{actor}: إنشاء الحجز {target}' },
  'audited.booking.cancel': { en: '{actor} cancelled booking {target}', ar: '{actor}: إلغاء الحجز {target}' },
  'audited.booking.correct': {
    en: '{actor} corrected booking {target}',
    ar: '{actor}: تصحيح الحجز {target}',
  },
  'audited.booking.fail': {
    en: '{actor} marked booking {target} as failed',
    ar: '{actor}: تسجيل تعذّر الحجز {target}',
  },
  'audited.category.create': { en: '{actor} added category {target}', ar: '{actor}: إضافة الفئة {target}' },
  'audited.category.update': { en: '{actor} changed category {target}', ar: '{actor}: تعديل الفئة {target}' },
  'audited.category.delete': { en: '{actor} removed category {target}', ar: '{actor}: حذف الفئة {target}' },
  'audited.clock.advance': {
    en: '{actor} moved the sandbox clock forward',
    ar: '{actor}: تقديم ساعة البيئة التجريبية',
  },
  'audited.clock.reset': {
    en: '{actor} returned the sandbox clock to real time',
    ar: '{actor}: إعادة ساعة البيئة التجريبية إلى الوقت الحقيقي',
  },
  'audited.contact.create': { en: '{actor} added customer {target}', ar: '{actor}: إضافة العميل {target}' },
  'audited.contact.update': {
    en: '{actor} corrected customer {target}',
    ar: '{actor}: تصحيح بيانات العميل {target}',
  },
  'audited.contact.erase': {
    en: '{actor} erased customer {target}',
    ar: '{actor}: محو بيانات العميل {target}',
  },
  'audited.contact.reveal': {
    en: '{actor} looked at the phone of customer {target}',
    ar: '{actor}: عرض هاتف العميل {target}',
  },
  'audited.address.update': {
    en: '{actor} corrected address {target}',
    ar: '{actor}: تصحيح العنوان {target}',
  },
  'audited.delivery.retry': {
    en: '{actor} retried webhook {target}',
    ar: '{actor}: إعادة محاولة إرسال الإشعار {target}',
  },
  'audited.delivery.replay': {
    en: '{actor} sent webhook {target} again',
    ar: '{actor}: إرسال الإشعار {target} من جديد',
  },
  'audited.history.begin': {
    en: '{actor} began a new history after a restore: {target}',
    ar: '{actor}: بدء سجل أحداث جديد بعد استعادة البيانات: {target}',
  },
  'audited.hold.displace': {
    en: '{actor} gave a slot that a customer held to a booked visit: {slot}',
    ar: '{actor}: إعطاء وقت محجوز مؤقتًا لعميل إلى زيارة محجوزة: {slot}',
  },
  'audited.hold.release': {
    en: '{actor} released the slot that a customer held: {slot}',
    ar: '{actor}: تحرير وقت محجوز مؤقتًا لعميل: {slot}',
  },
  'audited.crew-link.create': {
    en: '{actor} made a link to the crew page of {team}',
    ar: '{actor}: إنشاء رابط صفحة الفريق {team}',
  },
  'audited.crew-link.revoke': {
    en: '{actor} revoked a link to the crew page of {team}',
    ar: '{actor}: إبطال رابط صفحة الفريق {team}',
  },
  'audited.crew-step.refuse': {
    en: '{actor} reported “{wanted}” of {target}, which was refused',
    ar: '{actor}: الإبلاغ عن «{wanted}» للزيارة {target}، ورُفض',
  },
  'audited.crew-step.late': {
    en: '{actor} reported “{wanted}” of {target}',
    ar: '{actor}: الإبلاغ عن «{wanted}» للزيارة {target}',
  },
  'audited.crew-step.take': {
    en: '{actor} took “{wanted}” of {target} as the crew had reported it',
    ar: '{actor}: اعتماد «{wanted}» للزيارة {target} كما أبلغ الفريق',
  },
  'audited.crew-step.leave': {
    en: '{actor} left “{wanted}” of {target} refused',
    ar: '{actor}: ترك «{wanted}» للزيارة {target} مرفوضة',
  },
  'audited.key.create': {
    en: '{actor} created key {target} for {partner}',
    ar: '{actor}: إنشاء المفتاح {target} للشريك {partner}',
  },
  'audited.key.update': {
    en: '{actor} changed key {target} of {partner}',
    ar: '{actor}: تعديل المفتاح {target} للشريك {partner}',
  },
  'audited.key.rotate': {
    en: '{actor} replaced key {target} of {partner}',
    ar: '{actor}: استبدال المفتاح {target} للشريك {partner}',
  },
  'audited.partner.create': { en: '{actor} added partner {target}', ar: '{actor}: إضافة الشريك {target}' },
  'audited.partner.update': { en: '{actor} changed partner {target}', ar: '{actor}: تعديل الشريك {target}' },
  'audited.partner.services': {
    en: '{actor} changed the services and prices of {partner}',
    ar: '{actor}: تعديل خدمات الشريك {partner} وأسعاره',
  },
  'audited.payment.resend': {
    en: '{actor} sent the payment link of {target} again',
    ar: '{actor}: إعادة إرسال رابط الدفع للحجز {target}',
  },
  'audited.payment.refund': {
    en: '{actor} decided to refund {target}',
    ar: '{actor}: الموافقة على استرداد مبلغ الحجز {target}',
  },
  'audited.payment.refund_retry': {
    en: '{actor} retried the refund of {target}',
    ar: '{actor}: إعادة محاولة استرداد مبلغ الحجز {target}',
  },
  'audited.payment.refund_done': {
    en: '{actor} recorded that {target} was refunded',
    ar: '{actor}: تسجيل استرداد مبلغ الحجز {target}',
  },
  'audited.payment.refund_decline': {
    en: '{actor} declined the refund of {target}',
    ar: '{actor}: رفض استرداد مبلغ الحجز {target}',
  },
  'audited.portal-link.create': {
    en: '{actor} created a portal link for {partner}',
    ar: '{actor}: إنشاء رابط بوابة للشريك {partner}',
  },
  'audited.portal-link.revoke': {
    en: '{actor} revoked a portal link of {partner}',
    ar: '{actor}: إبطال رابط بوابة للشريك {partner}',
  },
  'audited.reason.create': {
    en: '{actor} added cancellation reason {target}',
    ar: '{actor}: إضافة سبب الإلغاء {target}',
  },
  'audited.reason.update': {
    en: '{actor} changed cancellation reason {target}',
    ar: '{actor}: تعديل سبب الإلغاء {target}',
  },
  'audited.reason.delete': {
    en: '{actor} removed cancellation reason {target}',
    ar: '{actor}: حذف سبب الإلغاء {target}',
  },
  'audited.booking.close': {
    en: '{actor} closed {target}: its visit could not be done',
    ar: '{actor}: إغلاق {target} لتعذّر الزيارة',
  },
  'audited.booking.revisit': {
    en: '{actor} planned another visit of {target}',
    ar: '{actor}: تحديد زيارة أخرى لـ{target}',
  },
  'audited.booking.outcome': {
    en: '{actor} recorded why the visit of {target} was not done',
    ar: '{actor}: تسجيل سبب تعذّر زيارة {target}',
  },
  'audited.booking.waive': {
    en: '{actor} gave fees of {target} back',
    ar: '{actor}: ردّ رسوم {target}',
  },
  'audited.statement-settings.update': {
    en: '{actor} changed who issues statements, and the VAT',
    ar: '{actor}: تعديل مُصدر كشوف الحساب والضريبة',
  },
  'audited.statement-account.update': {
    en: '{actor} changed who {target} is on statements',
    ar: '{actor}: تعديل بيانات {target} في كشوف الحساب',
  },
  'audited.statement.issue': {
    en: '{actor} issued the statement {target}',
    ar: '{actor}: إصدار كشف الحساب {target}',
  },
  'audited.statement.pay': {
    en: '{actor} marked the statement {target} as paid, or not',
    ar: '{actor}: تعليم كشف الحساب {target} مدفوعًا أو غير مدفوع',
  },
  'audited.policy.create': {
    en: '{actor} added the policy {target}',
    ar: '{actor}: إضافة السياسة {target}',
  },
  'audited.policy.update': {
    en: '{actor} changed the policy {target}',
    ar: '{actor}: تعديل السياسة {target}',
  },
  'audited.privacy-request.create': {
    en: '{actor} entered the privacy request {target}',
    ar: '{actor}: تسجيل طلب الخصوصية {target}',
  },
  'audited.privacy-request.complete': {
    en: '{actor} completed the privacy request {target}',
    ar: '{actor}: إنجاز طلب الخصوصية {target}',
  },
  'audited.privacy-request.refuse': {
    en: '{actor} refused the privacy request {target}',
    ar: '{actor}: رفض طلب الخصوصية {target}',
  },
  'audited.privacy-request.export': {
    en: '{actor} copied the data of the customer of the privacy request {target}',
    ar: '{actor}: نسخ بيانات العميل صاحب طلب الخصوصية {target}',
  },
  'audited.schedule.create': {
    en: '{actor} added special hours {target}',
    ar: '{actor}: إضافة أوقات العمل الخاصة {target}',
  },
  'audited.schedule.update': {
    en: '{actor} changed special hours {target}',
    ar: '{actor}: تعديل أوقات العمل الخاصة {target}',
  },
  'audited.schedule.delete': {
    en: '{actor} removed special hours {target}',
    ar: '{actor}: حذف أوقات العمل الخاصة {target}',
  },
  'audited.series.create': { en: '{actor} added {target}', ar: '{actor}: إضافة {target}' },
  'audited.series.update': { en: '{actor} changed {target}', ar: '{actor}: تعديل {target}' },
  'audited.series.place': { en: '{actor} booked a visit of {target}', ar: '{actor}: حجز زيارة من {target}' },
  'audited.series.skip': { en: '{actor} skipped a visit of {target}', ar: '{actor}: تخطّي زيارة من {target}' },
  'audited.series.pause': { en: '{actor} paused {target}', ar: '{actor}: إيقاف {target} مؤقتًا' },
  'audited.series.end': { en: '{actor} ended {target}', ar: '{actor}: إنهاء {target}' },
  'audited.service.create': { en: '{actor} added service {target}', ar: '{actor}: إضافة الخدمة {target}' },
  'audited.service.update': { en: '{actor} changed service {target}', ar: '{actor}: تعديل الخدمة {target}' },
  'audited.service.delete': { en: '{actor} removed service {target}', ar: '{actor}: حذف الخدمة {target}' },
  'audited.session.revoke': {
    en: '{actor} ended a session of {holder}',
    ar: '{actor}: إنهاء جلسة {holder}',
  },
  'audited.sign-in-link.create': {
    en: '{actor} created a sign-in link for {target}',
    ar: '{actor}: إنشاء رابط دخول لـ {target}',
  },
  'audited.subscription.test': {
    en: '{actor} sent a test to webhook subscription {target}',
    ar: '{actor}: إرسال اختبار إلى اشتراك الإشعارات {target}',
  },
  'audited.subscription.recover': {
    en: '{actor} sent failed webhooks of subscription {target} again',
    ar: '{actor}: إعادة إرسال الإشعارات المتعذرة للاشتراك {target}',
  },
  'audited.team.create': { en: '{actor} added team {target}', ar: '{actor}: إضافة الفريق {target}' },
  'audited.team.update': { en: '{actor} changed team {target}', ar: '{actor}: تعديل الفريق {target}' },
  'audited.team.delete': { en: '{actor} removed team {target}', ar: '{actor}: حذف الفريق {target}' },
  'audited.tier.create': {
    en: '{actor} added pricing tier {target}',
    ar: '{actor}: إضافة شريحة الأسعار {target}',
  },
  'audited.tier.update': {
    en: '{actor} changed pricing tier {target}',
    ar: '{actor}: تعديل شريحة الأسعار {target}',
  },
  'audited.tier.delete': {
    en: '{actor} removed pricing tier {target}',
    ar: '{actor}: حذف شريحة الأسعار {target}',
  },
  'audited.time-off.create': {
    en: '{actor} gave {team} time off, {slot}',
    ar: '{actor}: تسجيل غياب {team}، {slot}',
  },
  'audited.time-off.delete': {
    en: '{actor} removed the time off of {team}, {slot}',
    ar: '{actor}: حذف غياب {team}، {slot}',
  },
  'audited.token.create': { en: '{actor} gave access to {target}', ar: '{actor}: منح الدخول لـ {target}' },
  'audited.token.update': {
    en: '{actor} changed the access of {target}',
    ar: '{actor}: تعديل دخول {target}',
  },
  'audited.token.delete': { en: '{actor} removed the access of {target}', ar: '{actor}: حذف دخول {target}' },
  'audited.token.sign_out': {
    en: '{actor} signed {target} out everywhere',
    ar: '{actor}: تسجيل خروج {target} من كل مكان',
  },
  'audited.token.change_pin': {
    en: '{actor} changed the PIN of a browser',
    ar: '{actor}: تغيير الرقم السري لمتصفح',
  },
  'audited.zone.create': { en: '{actor} added zone {target}', ar: '{actor}: إضافة المنطقة {target}' },
  'audited.zone.update': { en: '{actor} changed zone {target}', ar: '{actor}: تعديل المنطقة {target}' },
  'audited.zone-overlap.confirm': {
    en: '{actor} confirmed that zone {target} overlaps {other}',
    ar: '{actor}: تأكيد تداخل المنطقة {target} مع {other}',
  },
  'audited.zone.delete': { en: '{actor} removed zone {target}', ar: '{actor}: حذف المنطقة {target}' },

  // Special cases of the actions above
  'audited.case.moved': {
    en: '{actor} moved {target} from {from} to {to}',
    ar: '{actor}: نقل {target} من {from} إلى {to}',
  },
  'audited.case.movedAt': {
    en: '{actor} moved {target} from {from} to {to}, {time}',
    ar: '{actor}: نقل {target} من {from} إلى {to}، {time}',
  },
  'audited.case.rescheduled': {
    en: '{actor} moved {target}, {time}',
    ar: '{actor}: تغيير وقت {target}، {time}',
  },
  'audited.case.status': {
    en: '{actor} set {target} from “{before}” to “{after}”',
    ar: '{actor}: تغيير حالة {target} من «{before}» إلى «{after}»',
  },
  'audited.case.keyRevoked': {
    en: '{actor} revoked key {target} of {partner}',
    ar: '{actor}: إبطال المفتاح {target} للشريك {partner}',
  },
  'audited.case.tokenRevoked': {
    en: '{actor} revoked the access of {target}',
    ar: '{actor}: إبطال دخول {target}',
  },
  'audited.case.suspended': {
    en: '{actor} suspended partner {target}',
    ar: '{actor}: إيقاف الشريك {target}',
  },
  'audited.case.resumed': { en: '{actor} activated partner {target}', ar: '{actor}: تفعيل الشريك {target}' },
  'audited.case.other': {
    en: '{actor} recorded {action} on {target}',
    ar: '{actor}: تسجيل {action} على {target}',
  },
} as const;

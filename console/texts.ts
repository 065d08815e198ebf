import { ADDRESS_TEXTS } from './texts-addresses.ts';
import { AUDIT_TEXTS } from './texts-audit.ts';
import { BOOKING_TEXTS } from './texts-booking.ts';
import { CALL_TEXTS } from './texts-calls.ts';
import { CREW_TEXTS } from './texts-crews.ts';
import { CUSTOMER_TEXTS } from './texts-customers.ts';
import { DAY_TEXTS } from './texts-day.ts';
import { DISPATCH_TEXTS } from './texts-dispatch.ts';
import { ERASURE_TEXTS } from './texts-erasure.ts';
import { FAILURE_TEXTS } from './texts-failures.ts';
import { FEE_TEXTS } from './texts-fees.ts';
import { LIST_TEXTS } from './texts-list.ts';
import { NAME_TEXTS } from './texts-names.ts';
import { PARTNER_TEXTS } from './texts-partners.ts';
import { POLICY_TEXTS } from './texts-policies.ts';
import { PRIVACY_TEXTS } from './texts-privacy.ts';
import { SCHEDULE_TEXTS } from './texts-schedules.ts';
import { SERIES_TEXTS } from './texts-series.ts';
import { SERVICE_TEXTS } from './texts-services.ts';
import { SETUP_TEXTS } from './texts-setup.ts';
import { SHEET_TEXTS } from './texts-sheets.ts';
import { SIGN_IN_TEXTS } from './texts-signin.ts';
import { STATEMENT_TEXTS } from './texts-statements.ts';
import { STEP_TEXTS } from './texts-steps.ts';
import { STRIP_TEXTS } from './texts-strip.ts';
import { VISIT_TEXTS } from './texts-visits.ts';

/**
 * Every text of the console in both languages; a missing language does not type-check. Words in braces are
 * placeholders, the same in both languages. Plurals are avoided: `Total: 5` is right for every number in every
 * language. Groups of pages may have files of their own.
 */

type Text = { en: string; ar: string };

export const TEXTS = {
  ...AUDIT_TEXTS,
  ...BOOKING_TEXTS,
  ...CREW_TEXTS,
  ...ADDRESS_TEXTS,
  ...CUSTOMER_TEXTS,
  ...DAY_TEXTS,
  ...DISPATCH_TEXTS,
  ...FAILURE_TEXTS,
  ...FEE_TEXTS,
  ...LIST_TEXTS,
  ...NAME_TEXTS,
  ...PARTNER_TEXTS,
  ...POLICY_TEXTS,
  ...ERASURE_TEXTS,
  ...PRIVACY_TEXTS,
  ...SCHEDULE_TEXTS,
  ...SERIES_TEXTS,
  ...SERVICE_TEXTS,
  ...SETUP_TEXTS,
  ...CALL_TEXTS,
  ...SHEET_TEXTS,
  ...STATEMENT_TEXTS,
  ...VISIT_TEXTS,
  ...STEP_TEXTS,
  ...STRIP_TEXTS,
  ...SIGN_IN_TEXTS,

  // The shell
  'app.name': { en: 'Partner Booking', ar: 'حجوزات الشركاء' },
  'app.title': { en: '{page} – Partner Booking', ar: '{page} – حجوزات الشركاء' },
  'app.skip': { en: 'Skip to content', ar: 'انتقل إلى المحتوى' },
  'app.menu': { en: 'Menu', ar: 'القائمة' },
  'app.sections': { en: 'Sections', ar: 'الأقسام' },
  'app.sandbox': { en: 'Sandbox', ar: 'بيئة تجريبية' },
  'app.otherLanguage': { en: 'العربية', ar: 'English' },
  'app.account': { en: 'Account', ar: 'الحساب' },
  'app.signOut': { en: 'Sign out', ar: 'تسجيل الخروج' },
  'app.find': { en: 'Find', ar: 'بحث' },
  'app.loading': { en: 'Loading', ar: 'جارٍ التحميل' },
  'app.outdated': {
    en: 'This part of the console could not be loaded. The service may have been updated: reload the page.',
    ar: 'تعذّر تحميل هذا الجزء من لوحة التشغيل. ربما تم تحديث الخدمة: أعد تحميل الصفحة.',
  },
  'app.reload': { en: 'Reload the page', ar: 'أعد تحميل الصفحة' },
  'app.nowhere': { en: 'There is no page at this address.', ar: 'لا توجد صفحة في هذا العنوان.' },
  'app.nowhereTitle': { en: 'Not found', ar: 'غير موجود' },

  'nav.today': { en: 'Today', ar: 'اليوم' },
  'nav.bookings': { en: 'Bookings', ar: 'الحجوزات' },
  'nav.deliveries': { en: 'Webhooks', ar: 'الإشعارات' },
  'nav.payments': { en: 'Payments', ar: 'المدفوعات' },
  'nav.audit': { en: 'Audit log', ar: 'سجل التغييرات' },
  'nav.tokens': { en: 'People', ar: 'المستخدمون' },
  'nav.alerts': { en: 'Night alerts', ar: 'تنبيهات الليل' },
  'nav.clock': { en: 'Sandbox clock', ar: 'ساعة البيئة التجريبية' },
  'nav.partners': { en: 'Partners', ar: 'الشركاء' },
  'nav.catalogue': { en: 'Services', ar: 'الخدمات' },
  'nav.money': { en: 'Money', ar: 'المال' },
  'nav.outgoing': { en: 'Outgoing', ar: 'الصادر' },
  'nav.reports': { en: 'Reports', ar: 'التقارير' },
  'nav.setup': { en: 'Set-up', ar: 'الإعداد' },
  'nav.administration': { en: 'Administration', ar: 'الإدارة' },

  'live.live': { en: 'Live', ar: 'مباشر' },
  'live.connecting': { en: 'Connecting', ar: 'جارٍ الاتصال' },
  'live.polling': { en: 'Every 15 seconds', ar: 'كل 15 ثانية' },
  'live.lost': {
    en: 'No live changes since {time}. The page refreshes every 15 seconds.',
    ar: 'لا تصل التغييرات المباشرة منذ {time}. تُحدَّث الصفحة كل 15 ثانية.',
  },
  'live.firstToken': { en: 'OPERATOR_TOKEN', ar: 'OPERATOR_TOKEN' },

  'role.viewer': { en: 'viewer', ar: 'مُطّلع' },
  'role.dispatcher': { en: 'dispatcher', ar: 'منسّق' },
  'role.admin': { en: 'admin', ar: 'مدير' },

  'token.field': { en: 'Token', ar: 'رمز الدخول' },

  'find.title': { en: 'Find anything', ar: 'ابحث عن أي شيء' },
  'find.hint': {
    en: 'A page, act, phone, reference, name or ID',
    ar: 'صفحة أو إجراء أو هاتف أو مرجع أو اسم أو معرّف',
  },
  'find.pages': { en: 'Pages', ar: 'الصفحات' },
  'find.unassigned': { en: 'Visits without a team', ar: 'زيارات بلا فريق' },
  'find.unpaid': { en: 'Unpaid visits', ar: 'زيارات غير مدفوعة' },
  'find.undone': { en: 'Visits that could not be done', ar: 'زيارات تعذّر تنفيذها' },
  'find.refunds': { en: 'Refunds to decide', ar: 'استردادات بانتظار القرار' },
  'find.booking': { en: 'Booking', ar: 'حجز' },
  'find.customer': { en: 'Customer', ar: 'عميل' },
  'find.partner': { en: 'Partner', ar: 'شريك' },
  'find.team': { en: 'Team', ar: 'فريق' },
  'find.service': { en: 'Service', ar: 'خدمة' },
  'find.zone': { en: 'Zone', ar: 'منطقة' },
  'find.none': { en: 'Nothing found for {what}.', ar: 'لا نتائج عن {what}.' },

  // Errors and confirmations
  'error.stale': {
    en: "Couldn't refresh. Showing earlier data.",
    ar: 'تعذّر التحديث. البيانات المعروضة أقدم.',
  },
  'error.stale409': {
    en: 'Somebody else changed this in the meantime. Look at how it is now, then decide again.',
    ar: 'غيّر شخص آخر هذا في الأثناء. راجع حالته الآن ثم قرر من جديد.',
  },
  'error.code': { en: 'Code', ar: 'رمز الخطأ' },
  'error.request': { en: 'Request', ar: 'الطلب' },
  'error.retry': { en: 'Try again', ar: 'أعد المحاولة' },
  'error.role': {
    en: 'This needs the role {needed}; the token has the role {has}.',
    ar: 'يتطلب هذا الدور {needed}؛ ودور رمز الدخول الحالي هو {has}.',
  },
  'error.signIn': {
    en: 'Your sign-in was not accepted any more: nothing was saved. Try again.',
    ar: 'لم يعد تسجيل دخولك مقبولًا: لم يُحفظ شيء. أعد المحاولة.',
  },
  'error.noResponse': {
    en: 'The service did not respond. Check the connection and try again.',
    ar: 'لم تستجب الخدمة. تحقق من الاتصال ثم أعد المحاولة.',
  },
  'error.unreadable': {
    en: 'The response (status {status}) could not be read.',
    ar: 'تعذّرت قراءة الرد (الحالة {status}).',
  },
  'error.alternatives': { en: 'Free instead:', ar: 'المتاح بدلًا من ذلك:' },

  'act.save': { en: 'Save', ar: 'حفظ' },
  'act.cancel': { en: 'Back', ar: 'رجوع' },
  'act.edit': { en: 'Edit', ar: 'تعديل' },
  'act.add': { en: 'Add', ar: 'إضافة' },
  'act.remove': { en: 'Remove', ar: 'حذف' },
  'act.copy': { en: 'Copy', ar: 'نسخ' },
  'act.copied': { en: 'Copied', ar: 'تم النسخ' },
  'act.notCopied': { en: 'Not copied: mark it and copy it', ar: 'لم يُنسخ: حدّده وانسخه' },
  'act.clear': { en: 'Clear filters', ar: 'مسح عوامل التصفية' },
  'act.dismiss': { en: 'Dismiss', ar: 'إخفاء' },
  'act.actions': { en: 'Actions', ar: 'الإجراءات' },
  'act.more': { en: 'More', ar: 'المزيد' },
  'act.saved': { en: 'Saved', ar: 'تم الحفظ' },
  'act.removed': { en: 'Removed', ar: 'تم الحذف' },

  'unsaved.discard': { en: 'Discard the changes', ar: 'تجاهل التعديلات' },
  'unsaved.title': { en: 'Leave without saving?', ar: 'هل تغادر دون حفظ؟' },
  'unsaved.text': {
    en: 'What was changed on this page is not saved, and will be lost.',
    ar: 'ما عُدّل في هذه الصفحة غير محفوظ وسيُفقد.',
  },
  'unsaved.leave': { en: 'Leave', ar: 'مغادرة' },

  'table.csv': { en: 'Save as CSV', ar: 'حفظ بصيغة CSV' },
  'table.previous': { en: 'Previous', ar: 'السابق' },
  'table.next': { en: 'Next', ar: 'التالي' },
  'table.pages': { en: 'Pages', ar: 'الصفحات' },
  'table.range': { en: '{from}–{to} of {total}', ar: '{from}–{to} من {total}' },
  'table.sort': { en: 'Sort by {column}', ar: 'رتّب حسب {column}' },

  'filter.title': { en: 'Filters', ar: 'عوامل التصفية' },
  'filter.remove': { en: 'Remove the filter {filter}', ar: 'إزالة عامل التصفية {filter}' },
  'filter.any': { en: 'Any', ar: 'الكل' },
  'filter.from': { en: 'From', ar: 'من' },
  'filter.to': { en: 'To', ar: 'إلى' },
  'filter.search': { en: 'Search', ar: 'بحث' },

  'field.required': { en: 'required', ar: 'مطلوب' },
  'field.yes': { en: 'Yes', ar: 'نعم' },
  'field.no': { en: 'No', ar: 'لا' },
  'field.none': { en: 'None', ar: 'لا يوجد' },
  'field.reason': { en: 'Reason', ar: 'السبب' },

  // States
  'state.inProgress': { en: 'Open', ar: 'قائم' },
  'state.waitingPayment': { en: 'Waiting for payment', ar: 'بانتظار الدفع' },
  'state.success': { en: 'Settled', ar: 'منجز' },
  'state.canceled': { en: 'Cancelled', ar: 'ملغى' },
  'state.failed': { en: 'Failed', ar: 'تعذّر' },
  'state.toDecide': { en: '{state}: {toDecide}', ar: '{state}: {toDecide}' },
  'state.next': { en: 'to be decided', ar: 'بانتظار القرار' },
  'state.refund': { en: 'refund to be decided', ar: 'الاسترداد بانتظار القرار' },
  'paid.notRequired': { en: 'Nothing to pay', ar: 'لا يلزم الدفع' },
  'paid.pending': { en: 'Payment due', ar: 'الدفع مستحق' },
  'paid.paid': { en: 'Paid', ar: 'مدفوع' },
  'paid.failed': { en: 'Payment failed', ar: 'تعذّر الدفع' },
  'paid.cancelled': { en: 'Payment cancelled', ar: 'أُلغي الدفع' },
  'work.new': { en: 'Not assigned', ar: 'بلا فريق' },
  'work.scheduled': { en: 'Scheduled', ar: 'مجدول' },
  'work.confirmed': { en: 'Confirmed', ar: 'مؤكد' },
  'work.inTheWay': { en: 'On the way', ar: 'في الطريق' },
  'work.inTheLocation': { en: 'At the location', ar: 'في الموقع' },
  'work.inProgress': { en: 'At work', ar: 'يجري العمل' },
  'work.finished': { en: 'Finished', ar: 'انتهى العمل' },
  'work.completed': { en: 'Completed', ar: 'مكتمل' },
  'work.cannotComplete': { en: 'Could not be done', ar: 'تعذّر التنفيذ' },
  'work.cancelled': { en: 'Cancelled', ar: 'ملغى' },
  'link.created': { en: 'No link yet', ar: 'لا رابط بعد' },
  'link.open': { en: 'Link open', ar: 'الرابط مفتوح' },
  'link.paid': { en: 'Paid', ar: 'مدفوع' },
  'link.failed': { en: 'Failed', ar: 'تعذّر' },
  'link.expired': { en: 'Expired', ar: 'منتهي الصلاحية' },
  'link.canceled': { en: 'Cancelled', ar: 'ملغى' },
  'refund.pending': { en: 'Refund pending', ar: 'الاسترداد قيد التنفيذ' },
  'refund.done': { en: 'Refunded', ar: 'تم الاسترداد' },
  'refund.failed': { en: 'Refund failed', ar: 'تعذّر الاسترداد' },
  'refund.toDecide': { en: 'Refund to decide', ar: 'استرداد بانتظار القرار' },
  'refund.declined': { en: 'Not refunded', ar: 'لا استرداد' },
  'delivery.pending': { en: 'Pending', ar: 'بانتظار الإرسال' },
  'delivery.delivered': { en: 'Delivered', ar: 'وصل' },
  'delivery.failed': { en: 'Failed', ar: 'تعذّر الإرسال' },

  // Fields
  'field.tracking': { en: 'Tracking reference', ar: 'رقم التتبع' },
  'field.status': { en: 'Status', ar: 'الحالة' },
  'field.payment': { en: 'Payment', ar: 'الدفع' },
  'field.appointment': { en: 'Appointment', ar: 'الموعد' },
  'field.when': { en: 'When', ar: 'الوقت' },
  'field.customer': { en: 'Customer', ar: 'العميل' },
  'field.phone': { en: 'Phone', ar: 'الهاتف' },
  'field.partner': { en: 'Partner', ar: 'الشريك' },
  'field.service': { en: 'Service', ar: 'الخدمة' },
  'field.zone': { en: 'Zone', ar: 'المنطقة' },
  'field.team': { en: 'Team', ar: 'الفريق' },
  'field.amount': { en: 'Amount', ar: 'المبلغ' },
  'field.address': { en: 'Address', ar: 'العنوان' },
  'field.reference': { en: "Partner's reference", ar: 'مرجع الشريك' },
  'field.notes': { en: 'Notes', ar: 'ملاحظات' },
  'field.created': { en: 'Created', ar: 'أُنشئ' },
  'field.bookingId': { en: 'Booking ID', ar: 'معرّف الحجز' },
  'field.id': { en: 'ID', ar: 'المعرّف' },

  // Bookings
  'bookings.empty': {
    en: 'No booking matches. Clear the filters, or search by another reference.',
    ar: 'لا حجز مطابق. امسح عوامل التصفية أو ابحث بمرجع آخر.',
  },
  'bookings.none': {
    en: 'There are no bookings yet. They appear here as partners make them.',
    ar: 'لا توجد حجوزات بعد. ستظهر هنا حالما ينشئها الشركاء.',
  },

  // Today
  'today.attention': { en: 'Needs attention', ar: 'يتطلب الانتباه' },
  'today.next': { en: 'Now and in the next 4 hours', ar: 'الآن وخلال الساعات الأربع القادمة' },
  'today.all': { en: 'The whole day', ar: 'اليوم كله' },
  'today.quiet': {
    en: 'Nothing is under way, and nothing begins in the next 4 hours.',
    ar: 'لا عمل جارٍ، ولا موعد خلال الساعات الأربع القادمة.',
  },
  'today.deliveriesFailing': { en: 'Webhooks fail', ar: 'إشعارات لا تصل' },

  // Appointments

  // One booking
  'booking.facts': { en: 'Facts', ar: 'البيانات' },
  'booking.details': { en: 'Details', ar: 'التفاصيل' },
  'booking.timeline': { en: 'What happened', ar: 'ما حدث' },
  'booking.title': { en: 'Booking {reference}', ar: 'الحجز {reference}' },
  'booking.onBoard': { en: 'Show on the board', ar: 'اعرضه على اللوحة' },
  'booking.move': { en: 'Move', ar: 'نقل' },
  'booking.date': { en: 'Date', ar: 'التاريخ' },
  'booking.cancel': { en: 'Cancel the booking', ar: 'إلغاء الحجز' },
  'booking.refundByService': {
    en: '{amount} goes back to {customer}; the service refunds it.',
    ar: 'يُردّ {amount} إلى {customer}؛ تردّه الخدمة.',
  },
  'booking.refundToDecide': {
    en: 'The work has begun: an operator decides afterwards how much of {amount} goes back to {customer}.',
    ar: 'بدأ العمل: يقرّر المشغّل لاحقًا كم يُردّ من {amount} إلى {customer}.',
  },
  'booking.refundByPartner': {
    en: '{customer} paid {amount} to {partner}, who refunds it.',
    ar: 'دفع {customer} مبلغ {amount} إلى {partner}، وهو من يردّه.',
  },
  'booking.refundNothing': {
    en: 'Nothing was paid, so nothing is refunded.',
    ar: 'لم يُدفع شيء، فلا يُردّ شيء.',
  },
  'booking.canceled': { en: 'The booking is cancelled. {money}', ar: 'أُلغي الحجز. {money}' },
  'booking.fail': { en: 'Mark as failed', ar: 'تسجيل تعذّر الحجز' },
  'booking.failText': {
    en: 'The partner reads the reason. The appointment is cancelled.',
    ar: 'يقرأ الشريك السبب. ويُلغى الموعد.',
  },
  'booking.workReached': { en: 'Work had come to', ar: 'بلغ العمل' },
  'booking.failed': { en: 'The booking is marked as failed.', ar: 'سُجّل تعذّر الحجز.' },
  'booking.cancellation': { en: 'Cancellation', ar: 'الإلغاء' },
  'booking.paymentReference': { en: 'Payment reference', ar: 'مرجع الدفع' },
  'booking.noEvents': { en: 'Nothing has happened yet.', ar: 'لم يحدث شيء بعد.' },
  'booking.byPartner': { en: 'by partner', ar: 'من الشريك' },
  'booking.by': { en: 'by {who}', ar: 'من {who}' },
  'booking.changes': { en: 'Before and after', ar: 'قبل وبعد' },
  'booking.map': { en: 'Coordinates', ar: 'الإحداثيات' },

  'event.booking.created': { en: 'Booked', ar: 'تم الحجز' },
  'event.booking.updated': { en: 'Changed', ar: 'تم التعديل' },
  'event.booking.cancelled': { en: 'Cancelled', ar: 'تم الإلغاء' },
  'event.booking.payment_failed': { en: 'Payment failed', ar: 'تعذّر الدفع' },
  'event.booking.payment_confirmed': { en: 'Payment confirmed', ar: 'تأكّد الدفع' },
  'event.booking.payment_succeeded': { en: 'Customer paid', ar: 'دفع العميل' },
  'event.booking.failed': { en: 'Booking failed', ar: 'تعذّر الحجز' },
  'event.booking.refunded': { en: 'Refunded', ar: 'رُدّ المبلغ' },
  'event.booking.fees_changed': { en: 'Fees changed', ar: 'تغيّرت الرسوم' },
  'event.booking.correct': { en: 'Corrected', ar: 'تم التصحيح' },
  'event.booking.outcome': { en: 'Reason of the visit recorded', ar: 'سُجّل سبب تعذّر الزيارة' },
  'event.booking.appointment_status_changed': {
    en: 'Appointment status changed',
    ar: 'تغيّرت حالة الموعد',
  },

  // Why a team cannot take an appointment
  'why.NO_SKILL': { en: 'does not do this service', ar: 'لا يقدم هذه الخدمة' },
  'why.INACTIVE': { en: 'not active', ar: 'غير فعّال' },
  'why.NOT_IN_ZONE': { en: 'does not serve this zone', ar: 'لا يخدم هذه المنطقة' },
  'why.SCHEDULE': { en: 'other hours on this date', ar: 'ساعات العمل مختلفة في هذا اليوم' },
  'why.OFF_SHIFT': { en: 'off shift', ar: 'خارج المناوبة' },
  'why.TIME_OFF': { en: 'time off', ar: 'إجازة' },
  'why.BUSY': { en: 'busy', ar: 'مشغول' },

  // Payments
  'payment.title': { en: 'Payment of {reference}', ar: 'دفعة {reference}' },
  'payment.created': { en: 'Payment asked for', ar: 'طُلب الدفع' },
  'payment.sent': { en: 'Link sent to the customer', ar: 'أُرسل الرابط إلى العميل' },
  'payment.paid': { en: 'Paid {amount}', ar: 'دُفع {amount}' },
  'payment.unsent': { en: 'Link delayed', ar: 'تأخّر الرابط' },
  'payment.unsent.make': { en: 'Not made', ar: 'لم يُنشأ' },
  'payment.unsent.send': { en: 'Not sent', ar: 'لم يُرسل' },
  'payment.late': { en: 'Too late for the booking', ar: 'بعد فوات الحجز' },
  'payment.refund': { en: 'Refund of {amount}: {state}', ar: 'استرداد {amount}: {state}' },
  'payment.resend': { en: 'Send the link again', ar: 'أعد إرسال الرابط' },
  'payment.resent': { en: 'The link is sent again.', ar: 'يُعاد إرسال الرابط.' },
  'payment.retry': { en: 'Try the refund again', ar: 'أعد محاولة الاسترداد' },
  'payment.retried': { en: 'The refund is tried again.', ar: 'تُعاد محاولة الاسترداد.' },
  'payment.done': { en: 'Refunded by hand', ar: 'استُرد يدويًا' },
  'payment.doneText': {
    en: 'Enter the reference of the refund at the bank or the gateway.',
    ar: 'أدخل مرجع الاسترداد لدى البنك أو بوابة الدفع.',
  },
  'payment.doneSaved': { en: 'The refund is recorded.', ar: 'سُجّل الاسترداد.' },
  'payment.reference': { en: 'Reference', ar: 'المرجع' },
  'payment.gateway': { en: 'Gateway', ar: 'بوابة الدفع' },
  'payment.gatewayReference': { en: 'Reference at the gateway', ar: 'المرجع لدى البوابة' },
  'payment.link': { en: 'Link', ar: 'الرابط' },
  'payment.expires': { en: 'Link expires', ar: 'ينتهي الرابط' },
  'payment.refunded': { en: 'Refunded', ar: 'المسترد' },
  'payment.kept': { en: 'Kept', ar: 'المتبقي' },
  'payment.all': { en: 'Payments by the link', ar: 'الدفعات بهذا الرابط' },
  'payment.noneYet': { en: 'Nobody has tried to pay yet.', ar: 'لم يحاول أحد الدفع بعد.' },
  'payment.charged': { en: 'Charged', ar: 'المحصّل' },
  'payment.decide': { en: 'Refund…', ar: 'استرداد…' },
  'payment.decideText': {
    en: 'Up to {amount} can go back to the customer. The decision is final.',
    ar: 'يمكن ردّ ما يصل إلى {amount} إلى العميل. القرار نهائي.',
  },
  'payment.amount': { en: 'Amount in SAR', ar: 'المبلغ (ر.س)' },
  'payment.amountHint': { en: 'Leave empty to refund all of it.', ar: 'اتركه فارغًا لردّ المبلغ كله.' },
  'payment.decided': { en: 'The refund is on its way.', ar: 'الاسترداد قيد التنفيذ.' },
  'payment.decline': { en: 'Refund nothing', ar: 'لا تردّ شيئًا' },
  'payment.declined': { en: 'Nothing is refunded.', ar: 'لن يُردّ شيء.' },
  'payment.decision': { en: 'Decision', ar: 'القرار' },
  'payment.refundColumn': { en: 'Refund', ar: 'الاسترداد' },
  'payment.search': { en: 'Reference or ID', ar: 'مرجع أو معرّف' },
  'payment.why': { en: 'Why it failed', ar: 'سبب التعذّر' },
  'payment.tries': { en: 'Attempts of the current step', ar: 'محاولات الخطوة الحالية' },
  'payment.empty': {
    en: 'No payment matches. Clear the filters.',
    ar: 'لا دفعة مطابقة. امسح عوامل التصفية.',
  },
  'payment.none': {
    en: 'There are no payments by link. They come with bookings of partners that leave the money to us.',
    ar: 'لا توجد مدفوعات بالرابط. تنشأ مع حجوزات الشركاء الذين يتركون التحصيل لنا.',
  },

  // Webhooks that were sent
  'delivery.title': { en: 'Webhook: {event}', ar: 'إشعار: {event}' },
  'delivery.event': { en: 'Event', ar: 'الحدث' },
  'delivery.attempts': { en: 'Attempts', ar: 'المحاولات' },
  'delivery.attempt': { en: 'Attempt {number}', ar: 'المحاولة {number}' },
  'delivery.answered': { en: 'Status {status} in {duration} ms', ar: 'الحالة {status} خلال {duration} م.ث' },
  'delivery.unanswered': { en: 'No response ({duration} ms)', ar: 'لا رد ({duration} م.ث)' },
  'delivery.redirect': {
    en: 'It redirects, and redirects are not followed:',
    ar: 'يحيل الرد إلى عنوان آخر، ولا تُتبع الإحالات:',
  },
  'delivery.answer': { en: 'Response', ar: 'الرد' },
  'delivery.payload': { en: 'Payload', ar: 'المحتوى' },
  'delivery.retry': { en: 'Send again', ar: 'أعد الإرسال' },
  'delivery.retried': { en: 'It is sent again.', ar: 'يُعاد الإرسال.' },
  'delivery.replay': { en: 'Send once more', ar: 'أرسله مرة أخرى' },
  'delivery.replayed': { en: 'It is sent once more.', ar: 'يُرسل مرة أخرى.' },
  'delivery.replayAbout': {
    en: 'It has arrived. Sent once more, it gets an ID of its own: the receiver acts on it again.',
    ar: 'لقد وصل. إذا أُرسل مرة أخرى نال معرّفًا خاصًا به، فيعالجه المستقبِل من جديد.',
  },
  'delivery.isReplay': { en: 'Replay', ar: 'إشعار مكرر يدويًا' },
  'delivery.ofEvent': { en: 'All webhooks of this event', ar: 'كل إشعارات هذا الحدث' },
  'delivery.next': { en: 'Next attempt', ar: 'المحاولة التالية' },
  'delivery.last': { en: 'Last response', ar: 'آخر رد' },
  'delivery.subscription': { en: 'Subscription', ar: 'الاشتراك' },
  'delivery.noAttempts': { en: 'No attempt was made yet.', ar: 'لم تُجر أي محاولة بعد.' },
  'delivery.empty': {
    en: 'No webhook matches. Clear the filters.',
    ar: 'لا إشعار مطابق. امسح عوامل التصفية.',
  },
  'delivery.none': {
    en: 'No webhook was sent yet. They are sent once a partner subscribes to events.',
    ar: 'لم يُرسل أي إشعار بعد. تُرسل الإشعارات حين يشترك شريك في الأحداث.',
  },
  'delivery.to': { en: 'Webhook to {partner}: {event}', ar: 'إشعار إلى {partner}: {event}' },

  // Audit
  'audit.group': { en: 'One request, entries: {count}', ar: 'طلب واحد، القيود: {count}' },
  'audit.groupOnly': { en: 'Show only these', ar: 'أظهر هذه فقط' },
  'audit.actor': { en: 'Who', ar: 'المنفّذ' },
  'audit.target': { en: 'About', ar: 'بشأن' },
  'audit.about': { en: 'Reference or name', ar: 'مرجع أو اسم' },
  'audit.before': { en: 'Before', ar: 'قبل' },
  'audit.after': { en: 'After', ar: 'بعد' },
  'audit.field': { en: 'Field', ar: 'الحقل' },
  'audit.change': { en: 'Change', ar: 'التغيير' },
  'audit.same': { en: 'Nothing differs.', ar: 'لا اختلاف.' },
  'audit.search': {
    en: 'Name, reference, team, partner or phone',
    ar: 'اسم أو مرجع أو فريق أو شريك أو هاتف',
  },
  'audit.empty': {
    en: 'No entry matches. Clear the filters.',
    ar: 'لا قيد مطابق. امسح عوامل التصفية.',
  },
  'audit.none': {
    en: 'The log is empty. Every change that an operator makes is written here.',
    ar: 'السجل فارغ. يُكتب هنا كل تغيير يجريه مشغّل.',
  },

  // Tokens
  'tokens.about': {
    en: 'A link sets up a browser for a person for 90 days; there her own PIN signs her in. Administrators invite.',
    ar: 'يُعدّ الرابط متصفحًا للشخص مدة 90 يومًا، ويسجّل فيه الدخول برقمه السري. والدعوة للمدراء.',
  },
  'tokens.add': { en: 'New token', ar: 'رمز دخول جديد' },
  'tokens.name': { en: 'Name', ar: 'الاسم' },
  'tokens.role': { en: 'Role', ar: 'الدور' },
  'tokens.begins': { en: 'Begins and ends with', ar: 'يبدأ وينتهي بـ' },
  'tokens.used': { en: 'Last used', ar: 'آخر استخدام' },
  'tokens.never': { en: 'Never', ar: 'لم يُستخدم' },
  'tokens.revoke': { en: 'Revoke', ar: 'إبطال' },
  'tokens.revokeTitle': { en: 'Revoke the access of {name}?', ar: 'إبطال دخول {name}؟' },
  'tokens.revokeText': {
    en: 'Whoever uses it is signed out at once. This cannot be undone.',
    ar: 'يُمنع مستخدمه فورًا. ولا يمكن التراجع عن ذلك.',
  },
  'tokens.revokeDone': { en: 'The access is revoked.', ar: 'أُبطل الدخول.' },
  'tokens.active': { en: 'Active', ar: 'فعّال' },
  'tokens.inactive': { en: 'Revoked', ar: 'مُبطَل' },
  'tokens.none': {
    en: 'Nobody is here yet. Invite yourself first, as an administrator, then the others.',
    ar: 'لا أحد هنا بعد. ادعُ نفسك أولًا بدور مدير، ثم الآخرين.',
  },
  'tokens.empty': { en: 'Nobody matches. Clear the filters.', ar: 'لا أحد مطابق. امسح عوامل التصفية.' },
  'secret.once': {
    en: 'Copy it now: it is shown once.',
    ar: 'انسخه الآن: لا يظهر إلا مرة واحدة.',
  },
  'secret.stored': { en: 'I have stored it', ar: 'لقد حفظته' },

  // Night alerts
  'alerts.about': {
    en: 'Who is told of the gravest trouble, by partner-booking watch.',
    ar: 'من يُبلَّغ بأخطر الأعطال، عبر partner-booking watch.',
  },
  'alerts.watched': { en: 'This process is watched', ar: 'هذه العملية تحت المراقبة' },
  'alerts.unwatched': {
    en: "No watcher has read this process's figures since {time}",
    ar: 'لم يقرأ أي مراقب مؤشرات هذه العملية منذ {time}',
  },
  'alerts.never': {
    en: "No watcher has read this process's figures since it began",
    ar: 'لم يقرأ أي مراقب مؤشرات هذه العملية منذ بدئها',
  },
  'alerts.missing': { en: 'Not set: {names}', ar: 'غير محدد: {names}' },
  'alerts.channels': { en: 'Where alerts go', ar: 'وجهات التنبيهات' },
  'alerts.kind': { en: 'Way', ar: 'الوسيلة' },
  'alerts.SMS': { en: 'Message', ar: 'رسالة' },
  'alerts.WEBHOOK': { en: 'Webhook', ar: 'Webhook' },
  'alerts.to': { en: 'To', ar: 'إلى' },
  'alerts.outcome': { en: 'Test', ar: 'التجربة' },
  'alerts.taken': { en: 'Taken', ar: 'قُبلت' },
  'alerts.test': { en: 'Send a test alert', ar: 'أرسل رسالة تجربة' },

  // Sandbox clock
  'clock.about': {
    en: 'Time of the whole sandbox. It can be moved forward: what is due by then happens.',
    ar: 'وقت البيئة التجريبية كلها. يمكن تقديمه: فيحدث ما يحين وقته.',
  },
  'clock.now': { en: 'Time of the sandbox', ar: 'وقت البيئة التجريبية' },
  'clock.real': { en: 'Real time', ar: 'الوقت الحقيقي' },
  'clock.ahead': { en: 'Ahead by', ar: 'متقدم بـ' },
  'clock.seconds': { en: 'Seconds: {seconds}', ar: 'ثوانٍ: {seconds}' },
  'clock.advance': { en: 'Move forward', ar: 'تقديم الوقت' },
  'clock.hour': { en: '1 hour', ar: 'ساعة' },
  'clock.day': { en: '1 day', ar: 'يوم' },
  'clock.week': { en: '7 days', ar: '7 أيام' },
  'clock.minutes': { en: 'Minutes', ar: 'الدقائق' },
  'clock.reset': { en: 'Back to real time', ar: 'العودة إلى الوقت الحقيقي' },
  'clock.moved': { en: 'The clock is moved.', ar: 'تغيّر وقت الساعة.' },

  // Services
  'cat.services': { en: 'Services', ar: 'الخدمات' },
  'cat.categories': { en: 'Categories', ar: 'الفئات' },
  'cat.tiers': { en: 'Price tiers', ar: 'شرائح الأسعار' },
  'cat.reasons': { en: 'Cancellation reasons', ar: 'أسباب الإلغاء' },
  'cat.tabs': { en: 'Parts of the services', ar: 'أقسام الخدمات' },
  'cat.category': { en: 'Category', ar: 'الفئة' },
  'cat.nameEn': { en: 'English name', ar: 'الاسم الإنجليزي' },
  'cat.nameAr': { en: 'Arabic name', ar: 'الاسم العربي' },
  'cat.descriptionEn': { en: 'English description', ar: 'الوصف الإنجليزي' },
  'cat.descriptionAr': { en: 'Arabic description', ar: 'الوصف العربي' },
  'cat.code': { en: 'Code', ar: 'رمز الفئة' },
  'cat.order': { en: 'Order', ar: 'الترتيب' },
  'cat.duration': { en: 'Minutes', ar: 'الدقائق' },
  'cat.price': { en: 'Default price, SAR', ar: 'السعر الأساسي (ر.س)' },
  'cat.zero': { en: 'A price of zero means', ar: 'السعر صفر يعني' },
  'cat.zero.free': { en: 'Free', ar: 'مجاني' },
  'cat.zero.deferred': { en: 'Paid later', ar: 'يُدفع لاحقًا' },
  'cat.assignment': { en: 'Team is assigned', ar: 'يُعيَّن الفريق' },
  'cat.assignment.instant': { en: 'At once', ar: 'فورًا' },
  'cat.assignment.deferred': { en: 'Later', ar: 'لاحقًا' },
  'cat.notice': { en: 'Minimum notice (min)', ar: 'أدنى مهلة إشعار (دقائق)' },
  'cat.horizon': { en: 'Bookable days ahead', ar: 'أيام الحجز مسبقًا' },
  'cat.active': { en: 'Active', ar: 'فعّال' },
  'cat.customerFacing': { en: 'Partners see it', ar: 'يراه الشركاء' },
  'cat.from': { en: 'From, minutes', ar: 'من، دقائق' },
  'cat.to': { en: 'To, minutes', ar: 'إلى، دقائق' },
  'cat.noEnd': { en: 'No end', ar: 'بلا حد' },
  'cat.toHint': { en: 'Empty: no end.', ar: 'فارغ: بلا حد.' },
  'cat.factor': { en: 'Factor', ar: 'المعامل' },
  'cat.newService': { en: 'New service', ar: 'خدمة جديدة' },
  'cat.newCategory': { en: 'New category', ar: 'فئة جديدة' },
  'cat.newTier': { en: 'New price tier', ar: 'شريحة أسعار جديدة' },
  'cat.newReason': { en: 'New cancellation reason', ar: 'سبب إلغاء جديد' },
  'cat.editTitle': { en: 'Edit {name}', ar: 'تعديل {name}' },
  'cat.removeTitle': { en: 'Remove {name}?', ar: 'حذف {name}؟' },
  'cat.removeText': {
    en: 'What is in use cannot be removed: deactivate it instead.',
    ar: 'لا يمكن حذف المستخدَم: عطّله بدلًا من ذلك.',
  },
  'cat.none': { en: 'There is nothing here yet. Add the first one.', ar: 'لا شيء هنا بعد. أضف الأول.' },
  'cat.empty': { en: 'Nothing matches. Clear the filters.', ar: 'لا نتائج مطابقة. امسح عوامل التصفية.' },
} as const satisfies Record<string, Text>;

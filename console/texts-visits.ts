/** Texts of finding visits and customers. They are part of `TEXTS`. */
export const VISIT_TEXTS = {
  'nav.visits': { en: 'Visits', ar: 'الزيارات' },
  'nav.customers': { en: 'Customers', ar: 'العملاء' },
  'nav.customer': { en: 'Customer', ar: 'العميل' },

  'visits.views': { en: 'Saved views', ar: 'طرق العرض' },
  'visits.today': { en: 'Today', ar: 'اليوم' },
  'visits.tomorrow': { en: 'Tomorrow', ar: 'غدًا' },
  'visits.unassigned': { en: 'Unassigned', ar: 'بلا فريق' },
  'visits.unpaid': { en: 'Unpaid', ar: 'غير مدفوعة' },
  'visits.undone': { en: 'Could not be done', ar: 'تعذّر تنفيذها' },
  'visits.all': { en: 'All', ar: 'الكل' },
  'visits.search': {
    en: 'Phone, name, reference, district or ID',
    ar: 'هاتف أو اسم أو مرجع أو حي أو معرّف',
  },
  'visits.booking': { en: 'Booking', ar: 'الحجز' },
  'visits.empty': {
    en: 'No visit matches. Clear the filters, or look in another view.',
    ar: 'لا زيارة مطابقة. امسح عوامل التصفية أو استخدم طريقة عرض أخرى.',
  },
  'visits.none': { en: 'There are no visits here.', ar: 'لا زيارات هنا.' },
  'visits.inAll': { en: 'Search in all visits', ar: 'ابحث في كل الزيارات' },
  'find.visits': { en: 'All visits with {what}', ar: 'كل الزيارات التي فيها {what}' },

  // A customer
  'customer.search': { en: 'Phone, name, reference or ID', ar: 'هاتف أو اسم أو مرجع أو معرّف' },
  'customer.notFound': { en: 'No customer matches.', ar: 'لا عميل مطابق.' },
  'customer.none': { en: 'There are no customers yet.', ar: 'لا عملاء بعد.' },
  'customer.book': { en: 'Book for this customer', ar: 'حجز لهذا العميل' },
  'customer.since': { en: 'Customer since', ar: 'عميل منذ' },
  'customer.usual': { en: 'Usual teams', ar: 'الفرق المعتادة' },
  'customer.team': { en: '{team}: {count}', ar: '{team}: {count}' },
  'customer.noTeam': { en: 'No visit has been completed yet.', ar: 'لم تكتمل أي زيارة بعد.' },
  'customer.visits': { en: 'Visits', ar: 'الزيارات' },
  'customer.noVisits': { en: 'There are no visits yet.', ar: 'لا زيارات بعد.' },
  'customer.addresses': { en: 'Addresses', ar: 'العناوين' },
  'customer.noAddress': { en: 'There is no address yet.', ar: 'لا عنوان بعد.' },

  // The address of the visit
  'map.label': { en: 'Map of the addresses', ar: 'خريطة العناوين' },
  'map.zoomIn': { en: 'Zoom in', ar: 'تكبير' },
  'map.zoomOut': { en: 'Zoom out', ar: 'تصغير' },
  'map.inZone': {
    en: 'In the zone {zone}, {km} km from its middle',
    ar: 'في المنطقة {zone}، على بُعد {km} كم من وسطها',
  },
  'map.inNoZone': {
    en: 'In no zone: nobody can be sent there. Nearest: {zone}, {km} km from its middle',
    ar: 'خارج كل المناطق: لا يمكن إرسال أحد إليه. الأقرب: {zone}، على بُعد {km} كم من وسطها',
  },
  'place.short': {
    en: 'A short link does not have the coordinates. Open it, and paste the long address that the browser then shows.',
    ar: 'لا يحتوي الرابط المختصر على الإحداثيات. افتحه ثم الصق العنوان الطويل الذي يظهر في المتصفح.',
  },
  'place.outside': { en: 'This place is not in Saudi Arabia.', ar: 'هذا المكان خارج السعودية.' },
  'place.swapped': {
    en: 'Longitude seems to stand first. Is the latitude the second number?',
    ar: 'يبدو أن خط الطول جاء أولًا. هل خط العرض هو الرقم الثاني؟',
  },
  'place.exchange': { en: 'Yes, exchange them', ar: 'نعم، بدّلهما' },
  'place.find': { en: 'Find {code}', ar: 'ابحث عن {code}' },
  'place.UNKNOWN': { en: 'Nobody knows this short address.', ar: 'هذا العنوان المختصر غير معروف.' },
  'place.NO_ANSWER': {
    en: 'No answer. Try again, or put a pin.',
    ar: 'لا توجد إجابة. أعد المحاولة أو ضع دبوسًا.',
  },
  'place.NO_RESOLVER': {
    en: 'Short addresses cannot be looked up here. Put a pin.',
    ar: 'لا يمكن البحث عن العناوين المختصرة هنا. ضع دبوسًا.',
  },
  'place.pin': { en: 'The place, to be dragged', ar: 'المكان، ويمكن سحبه' },
  'place.middle': { en: 'Put the pin in the middle', ar: 'ضع الدبوس في الوسط' },
  'place.mapHint': {
    en: 'Click the map, drag the pin, or move the map with the arrow keys.',
    ar: 'انقر على الخريطة أو اسحب الدبوس أو حرّك الخريطة بمفاتيح الأسهم.',
  },
  'new.usualTeam': {
    en: 'The team of last time, if it is free: {team}',
    ar: 'فريق المرة السابقة إن كان متاحًا: {team}',
  },
  'new.sameTeam': { en: 'Booked, with the team of last time.', ar: 'تم الحجز، مع فريق المرة السابقة.' },
  'new.otherTeam': {
    en: 'Booked. The team of last time is not free then: {team} comes.',
    ar: 'تم الحجز. فريق المرة السابقة غير متاح وقتها: سيأتي {team}.',
  },
  'new.notesHint': {
    en: 'For the team, such as where to park.',
    ar: 'للفريق، مثل مكان الوقوف.',
  },
} as const;

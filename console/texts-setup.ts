/** Texts of what is still missing before customers can book. */
export const SETUP_TEXTS = {
  'setup.service': { en: 'Still missing before it sells', ar: 'ما ينقصها قبل أن تُباع' },
  'setup.price': { en: 'The default price is 0', ar: 'السعر الافتراضي 0' },
  'setup.tier': {
    en: 'No pricing tier covers {minutes} minutes',
    ar: 'لا شريحة أسعار تشمل مدتها ({minutes} د)',
  },
  'setup.category': { en: 'Its category is inactive', ar: 'فئتها غير فعّالة' },
  'setup.hidden': { en: 'It is inactive, so partners do not see it', ar: 'غير فعّالة، فلا تظهر للشركاء' },
  'setup.serviceZones': { en: 'No active zone offers it', ar: 'لا توجد منطقة فعّالة تقدّمها' },
  'setup.serviceTeams': {
    en: 'No active team with shifts in its zones can do it',
    ar: 'لا يوجد في مناطقها فريق فعّال له ورديات ويستطيع تنفيذها',
  },
  'setup.zone': { en: 'Still missing before it can be booked in', ar: 'ما ينقصها قبل إتاحة الحجز فيها' },
  'setup.zoneInactive': { en: 'It is inactive', ar: 'غير فعّالة' },
  'setup.zoneTeams': { en: 'No active team with shifts serves it', ar: 'لا يخدمها فريق فعّال له ورديات' },
  'setup.zoneServices': { en: 'It offers no active service', ar: 'لا تُقدَّم فيها خدمة فعّالة' },
  'setup.zoneOverlap': {
    en: 'It overlaps {name} at the same priority',
    ar: 'تتداخل مع {name} بالأولوية نفسها',
  },
  'setup.nothing': { en: 'Nothing can be booked yet', ar: 'لا يمكن حجز أي شيء بعد' },
  'setup.noZone': { en: 'There is no active zone', ar: 'لا توجد منطقة فعّالة' },
  'setup.noTeam': { en: 'There is no active team with shifts', ar: 'لا يوجد فريق فعّال له ورديات' },
  'setup.noService': { en: 'There is no active service', ar: 'لا توجد خدمة فعّالة' },
  'setup.noPartner': {
    en: 'There is no active partner with a valid key',
    ar: 'لا يوجد شريك فعّال لديه مفتاح صالح',
  },
} as const;

import type { ServiceKey, ZoneKey } from './demo-data.ts';

/** A day of the demo: its customers and their bookings. */

type Customer = { name: string; district: string; street: string; latitude: string; longitude: string };

const at = (
  name: string,
  district: string,
  street: string,
  [latitude, longitude]: readonly [string, string],
): Customer => ({ name, district, street, latitude, longitude });

/** Customers by zone; the districts and streets exist, the people do not. */
export const CUSTOMERS: Record<ZoneKey, readonly Customer[]> = {
  centre: [
    at('Noura Al-Qahtani', 'Al Olaya', 'Olaya Street', ['24.6951', '46.6826']),
    at('محمد العتيبي', 'السليمانية', 'شارع الأمير ممدوح', ['24.7042', '46.7013']),
    at('Sara Al-Harbi', 'Al Malaz', 'Jarir Street', ['24.6649', '46.7352']),
    at('عبدالله الدوسري', 'الورود', 'شارع العروبة', ['24.7201', '46.6779']),
    at('Reem Al-Shehri', 'Al Murabba', 'King Faisal Road', ['24.6493', '46.7094']),
    at('هيفاء السبيعي', 'المحمدية', 'طريق الأمير تركي', ['24.7338', '46.6521']),
    at('Khalid Al-Ghamdi', 'King Fahd District', 'Al Amir Muqrin Street', ['24.7426', '46.6713']),
    at('منيرة القحطاني', 'الفوطة', 'شارع الخزان', ['24.6398', '46.7031']),
  ],
  north: [
    at('Faisal Al-Mutairi', 'An Narjis', 'Uthman ibn Affan Road', ['24.8213', '46.6346']),
    at('لطيفة الزهراني', 'الياسمين', 'طريق أنس بن مالك', ['24.8236', '46.6462']),
    at('Abeer Al-Otaibi', 'Al Malqa', 'Wadi Hajr Street', ['24.8092', '46.6049']),
    at('سلطان الشمري', 'الصحافة', 'شارع العليا', ['24.8017', '46.6401']),
  ],
  east: [
    at('Huda Al-Dossari', 'An Nasim', 'Hassan ibn Thabit Street', ['24.7269', '46.8246']),
    at('تركي المالكي', 'الروضة', 'شارع عبادة بن الصامت', ['24.7378', '46.7664']),
    at('Lama Al-Zahrani', 'Qurtubah', 'Said ibn Zaid Street', ['24.8121', '46.8197']),
    at('بدر العنزي', 'النهضة', 'طريق خريص', ['24.7561', '46.8068']),
  ],
  south: [
    at('Mona Al-Subaie', 'Al Aziziyah', 'Al Kharj Road', ['24.5593', '46.7069']),
    at('فهد الحربي', 'الشفا', 'طريق ديراب', ['24.5561', '46.6848']),
    at('Yasser Al-Anazi', 'Al Hazm', 'Ibn Taymiyyah Road', ['24.5408', '46.6529']),
    at('أمل الشهري', 'المنصورية', 'شارع الفريان', ['24.5711', '46.7492']),
  ],
  west: [
    at('Ahmed Al-Shammari', 'Dhahrat Laban', 'Ash Shifa Street', ['24.6218', '46.5733']),
    at('ريم العجمي', 'العريجاء', 'شارع بلال بن رباح', ['24.6273', '46.6327']),
    at('Dana Al-Rashid', 'Tuwaiq', 'Tuwaiq Road', ['24.5921', '46.5547']),
    at('نايف الغامدي', 'نمار', 'طريق نمار', ['24.5697', '46.5821']),
  ],
};

export type Entry = { zone: ZoneKey; service: ServiceKey; startAt: string };

const entry = (zone: ZoneKey, service: ServiceKey, startAt: string): Entry => ({ zone, service, startAt });

/** Appointments of every day, by start; on a Friday fewer teams work, and those without a free team are skipped. */
export const EVERY_DAY: readonly Entry[] = [
  entry('centre', 'apartment', '07:30'),
  entry('west', 'villa', '08:00'),
  entry('north', 'home2', '08:30'),
  entry('east', 'home4', '08:30'),
  entry('south', 'kitchen', '09:00'),
  entry('centre', 'mattress', '10:30'),
  entry('north', 'sofa', '11:00'),
  entry('west', 'home3', '11:30'),
  entry('south', 'home2', '13:00'),
  entry('east', 'home2', '14:30'),
  entry('north', 'carpet', '15:00'),
  entry('east', 'sofa', '17:30'),
  entry('south', 'home3', '18:00'),
];

/**
 * In the centre only on days that have started: the guides make their first booking there on one of the next days, at
 * the first free time.
 */
export const UNTIL_TODAY: readonly Entry[] = [
  entry('centre', 'home3', '08:00'),
  entry('centre', 'home2', '13:00'),
  entry('centre', 'sofa', '14:00'),
  entry('centre', 'home4', '16:00'),
  entry('centre', 'home2', '22:00'),
];

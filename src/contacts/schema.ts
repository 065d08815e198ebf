import Type from 'typebox';
import {
  Body,
  Choice,
  ChoiceOrNull,
  MAX_UNPAGED,
  Name,
  Nullable,
  Stamp,
  Text,
  Uuid,
} from '../http/schemas.ts';
import { type Format, withRules } from '../http/validation.ts';
import { LOCATE_OUTCOMES } from './resolver.ts';
import {
  coordinateFaults,
  guessPhone,
  guessShortAddress,
  LATITUDE,
  LONGITUDE,
  normalizePhone,
  POSTAL_CODE,
  SHORT_ADDRESS,
} from './rules.ts';
import { CONTACT_LANGUAGES, forAddressTexts, STOPPED_BY } from './table.ts';

/** The string formats of contacts. */
export const phoneFormats: Record<string, Format> = {
  phone: {
    check: (value) => normalizePhone(value) !== null,
    message: 'must be a valid phone number',
    coversType: true,
    hint: (value) => {
      const meant = guessPhone(value);
      const form = 'must begin with +966 and hold digits only, such as +966501234567';
      return [meant === null ? form : `${form}; did you mean ${meant}?`];
    },
  },
  /** As people say and type it. */
  spelledPhone: {
    check: (value) => (normalizePhone(value) ?? guessPhone(value)) !== null,
    message: 'must be a valid phone number',
    coversType: true,
    hint: () => ['must be a Saudi number, such as 0501234567 or +966501234567'],
  },
  shortAddress: {
    ...SHORT_ADDRESS,
    hint: (value) => {
      const meant = guessShortAddress(value);
      return meant === null ? [] : [`did you mean ${meant}?`];
    },
  },
};

/** A coordinate as it is stored; in requests the use case validates it, and only when both are sent. */
export const DEGREES = { maxLength: 40, pattern: '^[+-]?(\\d+(\\.\\d+)?|\\.\\d+)$' };

/** Coordinates in requests, both required. */
export const Coordinates = {
  latitude: Type.String({
    format: 'text',
    documented: DEGREES,
    rule: LATITUDE,
    description: 'Decimal degrees, -90 to 90',
    examples: ['24.7136'],
  }),
  longitude: Type.String({
    format: 'text',
    documented: DEGREES,
    rule: LONGITUDE,
    description: 'Decimal degrees, -180 to 180',
    examples: ['46.6753'],
  }),
};

/** An address, or coordinates before there is a customer (`locationFaults`). */
export const locationFields = {
  addressId: Type.Optional(Uuid('An address with coordinates; or `latitude` and `longitude`')),
  latitude: Type.Optional({
    ...Coordinates.latitude,
    description: 'With `longitude`, instead of `addressId`: decimal degrees, -90 to 90',
  }),
  longitude: Type.Optional({
    ...Coordinates.longitude,
    description: 'With `latitude`, instead of `addressId`: decimal degrees, -180 to 180',
  }),
};

/** Without either, what a missing `addressId` has always been told. */
export function locationFaults(given: readonly string[]): string[] {
  const [sent, missing] = [true, false].map((isSent) =>
    ['latitude', 'longitude'].filter((name) => given.includes(name) === isSent),
  ) as [string[], string[]];
  if (given.includes('addressId')) return sent.map((name) => `${name} must not be sent with addressId`);
  if (sent.length === 0) return ['addressId must be a UUID'];
  return missing.map((name) => `${name} must be sent with ${sent[0]}`);
}

/** The texts of an address in requests; blank ones are absent. */
const TEXT_FORMS = {
  cityName: Text('City of the service address', 'Riyadh'),
  districtName: Text('District of the service address', 'Al Olaya'),
  streetName: Text('Street of the service address', 'King Fahd Road'),
  shortAddress: Type.String({
    format: 'shortAddress',
    description: 'Short address of the National Address: four letters and four digits; stored in capitals',
    examples: ['RRRD2929'],
  }),
  buildingNumber: Text('Number of the building; another one is another address', '2929', 20),
  unit: Text('Flat, villa or office in the building; another one is another address', '12', 20),
  floor: Text('Floor', '3', 20),
  postalCode: Type.String({
    format: 'text',
    rule: POSTAL_CODE,
    documented: { maxLength: 20, pattern: '^ *([0-9]{5})? *$' },
    description: 'Postal code: five digits',
    examples: ['12214'],
  }),
  directions: Text('Where the door is, for the crew', 'Blue gate beside the pharmacy', 500),
};

export const FindOrCreateContact = withRules(
  Body(
    {
      phone: Type.String({
        format: 'phone',
        description: 'Saudi phone number in international format, no spaces; normalized to E.164',
        examples: ['+966501234567'],
      }),
      name: Name("The customer's full name; an existing contact keeps its name", 'Noura Al-Qahtani'),
      latitude: Type.Optional(
        Type.String({
          format: 'text',
          description: 'Decimal degrees, -90 to 90; ignored without longitude',
          documented: { maxLength: DEGREES.maxLength },
          examples: ['24.7136'],
        }),
      ),
      longitude: Type.Optional(
        Type.String({
          format: 'text',
          description: 'Decimal degrees, -180 to 180; ignored without latitude',
          documented: { maxLength: DEGREES.maxLength },
          examples: ['46.6753'],
        }),
      ),
      language: Type.Optional(
        Choice(
          [...CONTACT_LANGUAGES],
          'Language of messages to the customer; an existing contact gets it. Not known: they have both',
          'ar',
        ),
      ),
      ...forAddressTexts((field) => Type.Optional(TEXT_FORMS[field])),
    },
    {
      utmSource: 'utmSource is set by the service from the partner account',
      phoneNumber: 'phoneNumber is called phone',
      mobile: 'mobile is called phone',
      fullName: 'fullName is called name',
      firstName: 'firstName and lastName are one field, name',
      lastName: 'firstName and lastName are one field, name',
      lat: 'lat is called latitude, and is a string',
      lng: 'lng is called longitude, and is a string',
      long: 'long is called longitude, and is a string',
      city: 'city is called cityName',
      district: 'district is called districtName',
      street: 'street is called streetName',
      nationalAddress: 'nationalAddress is called shortAddress, and is its four letters and four digits',
      building: 'building is called buildingNumber',
      apartment: 'apartment is called unit',
      flat: 'flat is called unit',
      zipCode: 'zipCode is called postalCode',
      landmark: 'landmark is called directions',
      address:
        'address has no field of its own: send latitude, longitude, cityName, districtName, streetName, buildingNumber and unit',
    },
  ),
  coordinateFaults,
);

export const UpdateContact = Body({
  name: Type.Optional(Name("The customer's full name", 'Noura Al-Qahtani')),
  language: Type.Optional(
    ChoiceOrNull(CONTACT_LANGUAGES, 'Language of messages to the customer; null: not known'),
  ),
});

const { latitude, longitude } = FindOrCreateContact.properties;

export const UPDATE_ADDRESS =
  'Texts, null removes one; bookings show what it is now. Coordinates, both together, only while nothing was booked there: ' +
  'for another place register another address.';
export const ADDRESS_CONFLICTS = [
  {
    code: 'CONFLICT' as const,
    message: 'The customer has this address already',
    details: { reason: 'ADDRESS_EXISTS' },
  },
  {
    code: 'CONFLICT' as const,
    message: 'The address has bookings: register another one for another place',
    details: { reason: 'IN_USE' },
  },
];

/** null removes a text. */
export const UpdateAddress = Body({
  latitude,
  longitude,
  ...forAddressTexts((field) => Type.Optional(Nullable(TEXT_FORMS[field]))),
});

const Phone = Type.String({ format: 'phone', description: 'E.164', examples: ['+966501234567'] });
/** null: there is none. */
export const GivenPhone = Nullable(Phone);

const maskedForViewers = (of: string, none: string) =>
  Type.String({
    format: 'phone',
    documented: { pattern: '^\\+966[\\d•]{5,14}$' },
    description: `E.164; for viewers masked (\`+966••••••567\`), see \`POST /operator/${of}/{id}/reveal\`. null: ${none}`,
    examples: ['+966501234567'],
  });
/** A customer's phone in the operator's interface. */
export const CustomerPhone = Nullable(maskedForViewers('contacts', 'the customer was erased'));
/** Of a team's crew: in no file. */
export const TeamPhone = { ...Nullable(maskedForViewers('teams', 'none')), notInFiles: true };

export const ContactResult = Type.Object(
  {
    id: Uuid('Contact; used as `contactId` when booking'),
    name: Text('Customer name as first registered', 'Noura Al-Qahtani'),
    phone: Phone,
    addressId: Nullable(Uuid('Address created or matched; null when no address field was sent')),
    isNewContact: Type.Boolean({
      description: 'true when the contact was created by this request',
      examples: [true],
    }),
  },
  { title: 'Contact' },
);

const Degrees = (description: string, example: string) =>
  Nullable(Type.String({ ...DEGREES, description, examples: [example] }));

/** The texts of an address in responses. */
export const AddressTextsShown = {
  cityName: Nullable(Text('City', 'Riyadh')),
  districtName: Nullable(Text('District', 'Al Olaya')),
  streetName: Nullable(Text('Street', 'King Fahd Road')),
  shortAddress: Nullable(
    Type.String({
      maxLength: 8,
      pattern: '^[A-Z]{4}[0-9]{4}$',
      description: 'Short address',
      examples: ['RRRD2929'],
    }),
  ),
  buildingNumber: Nullable(Text('Number of the building', '2929', 20)),
  unit: Nullable(Text('Flat, villa or office', '12', 20)),
  floor: Nullable(Text('Floor', '3', 20)),
  postalCode: Nullable(
    Type.String({ maxLength: 5, pattern: '^[0-9]{5}$', description: 'Postal code', examples: ['12214'] }),
  ),
  directions: Nullable(Text('Where the door is', 'Blue gate beside the pharmacy', 500)),
};

export const Address = Type.Object(
  {
    id: Uuid('Address; used as `addressId`'),
    latitude: Degrees('Decimal degrees as sent; null when it has no coordinates', '24.7136'),
    longitude: Degrees('Decimal degrees as sent; null when it has no coordinates', '46.6753'),
    ...AddressTextsShown,
  },
  { title: 'Address' },
);

const { shortAddress } = TEXT_FORMS;
export const LocateShortAddress = Body({
  shortAddress: {
    ...shortAddress,
    minLength: 1,
    visible: true,
    description: 'Four letters and four digits. Not in later responses: it is looked up',
  },
});
export const LocatedAddress = Type.Object(
  {
    outcome: Choice(
      [...LOCATE_OUTCOMES],
      '`NO_ANSWER`: of the provider, so try again; `NO_RESOLVER`: the deployment has none',
    ),
    latitude: Degrees('Decimal degrees; null: not found', '24.7136'),
    longitude: Degrees('Decimal degrees; null: not found', '46.6753'),
  },
  { title: 'LocatedAddress' },
);

export const ContactDetail = Type.Object(
  {
    id: Uuid('Contact'),
    name: Text('Customer name as first registered', 'Noura Al-Qahtani'),
    phone: Phone,
    language: ChoiceOrNull(
      CONTACT_LANGUAGES,
      'Language of messages to the customer; null: not known, so they have both',
    ),
    messagesStopped: ChoiceOrNull(
      STOPPED_BY,
      'Chosen on the page behind a message: `STOP`, no messages; `NOT_ME`, the number is not hers. Payment links and ' +
        'word of a cancellation are sent all the same. null: neither',
    ),
    addresses: Type.Array(Address, { maxItems: MAX_UNPAGED, description: 'Oldest first' }),
    createdAt: Stamp(),
  },
  { title: 'ContactDetail' },
);

export const OperatorContact = Type.Object(
  {
    ...ContactDetail.properties,
    phone: CustomerPhone,
    partnerId: Uuid('Partner whose customer it is'),
    partnerName: Text('Its name', 'Home Deals'),
    erasedAt: Nullable(Stamp('When it was erased; null: it was not')),
  },
  { title: 'CustomerDetail' },
);

export const RevealedPhone = Type.Object({ phone: Phone }, { title: 'RevealedPhone' });

export const AddressParams = Type.Object({ addressId: Uuid('Address') });
export const ContactParams = Type.Object({ contactId: Uuid('Contact') });

import Type from 'typebox';
import { Body, Name, Success, Text, Uuid } from '../platform/schemas.ts';
import type { Format } from '../platform/validation.ts';
import { guessPhone, normalizePhone } from './rules.ts';

/** The string format that only contacts know. */
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
};

export const FindOrCreateContact = Body(
  {
    phone: Type.String({
      format: 'phone',
      description: 'Saudi phone number in international format, no spaces; normalized to E.164',
      examples: ['+966501234567'],
    }),
    name: Name("The customer's full name; a contact that exists keeps its name", 'Noura Al-Qahtani'),
    latitude: Type.Optional(
      Type.String({
        format: 'text',
        description: 'Decimal degrees, -90 to 90; ignored without longitude',
        examples: ['24.7136'],
      }),
    ),
    longitude: Type.Optional(
      Type.String({
        format: 'text',
        description: 'Decimal degrees, -180 to 180; ignored without latitude',
        examples: ['46.6753'],
      }),
    ),
    cityName: Type.Optional(Text('City of the service address', 'Riyadh')),
    districtName: Type.Optional(Text('District of the service address', 'Al Olaya')),
    streetName: Type.Optional(Text('Street of the service address', 'King Fahd Road')),
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
    address:
      'address has no field of its own: send latitude, longitude, cityName, districtName and streetName',
  },
);

export const ContactResult = Type.Object({
  id: Uuid('Contact; used as `contactId` when booking'),
  name: Type.String({ description: 'Customer name as first registered', examples: ['Noura Al-Qahtani'] }),
  phone: Type.String({ description: 'E.164', examples: ['+966501234567'] }),
  addressId: Type.Union([Uuid('Address created or matched'), Type.Null()], {
    description: 'null when no address field was sent',
  }),
  isNewContact: Type.Boolean({
    description: 'true when the contact was created by this request',
    examples: [true],
  }),
});

const Coordinate = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

export const ContactDetail = Type.Object({
  id: Uuid('Contact'),
  name: Type.String({ examples: ['Noura Al-Qahtani'] }),
  phone: Type.String({ description: 'E.164', examples: ['+966501234567'] }),
  addresses: Type.Array(
    Type.Object({
      id: Uuid('Address; used as `addressId`'),
      latitude: Coordinate('As it was sent', '24.7136'),
      longitude: Coordinate('As it was sent', '46.6753'),
      cityName: Coordinate('City', 'Riyadh'),
      districtName: Coordinate('District', 'Al Olaya'),
      streetName: Coordinate('Street', 'King Fahd Road'),
    }),
  ),
  createdAt: Type.String({ description: 'ISO 8601 with offset', examples: ['2026-11-21T12:00:00+03:00'] }),
});

export const ContactParams = Type.Object({ contactId: Uuid('Contact') });
export const ContactResultResponse = Success(ContactResult);
export const ContactDetailResponse = Success(ContactDetail);

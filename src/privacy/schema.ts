import Type from 'typebox';
import { Body, Stamp, Uuid, Words } from '../http/schemas.ts';

export const EraseContact = Body({
  reason: Words(
    'Why; it is kept in the register, and must not name the customer',
    'The customer asked for it',
    500,
  ),
});

export const ErasedContact = Type.Object(
  {
    id: Uuid('Contact'),
    erasedAt: Stamp(),
    requestId: Uuid('Entry of the register'),
  },
  { title: 'ErasedContact' },
);

export const ERASE_DESCRIPTION =
  'Name, phone, addresses, notes, instructions and access codes are removed for good. Ids, references, times, amounts ' +
  'and statuses of bookings and their events stay. Not while a booking is open: `details.bookings` names those. A later ' +
  'booking for the number makes a new contact. A repetition answers as the first request.';

export const ERASE_CONFLICTS = [
  {
    code: 'CONFLICT' as const,
    message: 'The customer has open bookings: cancel or finish them first',
    details: { reason: 'OPEN_BOOKINGS', bookings: ['5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10'] },
  },
];

import Type from 'typebox';
import { DateInput, DateText, Success, TimeText, Uuid } from '../http/schemas.ts';

export const TimeslotsQuery = Type.Object({
  addressId: Uuid('An address with coordinates'),
  serviceId: Uuid('The service to be booked'),
  date: DateInput('The Riyadh date on which the slots start'),
});

export const TimeslotsResponse = Success(
  Type.Object({
    date: DateText('Requested date'),
    slots: Type.Array(
      Type.Object(
        {
          startAt: TimeText('Start, Riyadh time; pass it unchanged as `timeslot.startAt`'),
          endAt: TimeText('End, Riyadh time; earlier than the start when it is on the next day', '11:00'),
        },
        { title: 'AvailableSlot' },
      ),
      { maxItems: 1_440, description: 'Sorted by start; empty when no team is free' },
    ),
  }),
);

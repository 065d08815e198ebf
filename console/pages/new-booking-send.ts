import { call } from '../api.ts';
import type { CreateBookingForPartnerRequest, CreatedBooking, CustomerDetail } from '../contract.ts';
import { t } from '../language.ts';
import { asFailure, invalid } from '../query.ts';
import { dateOfAddress, place } from '../router.ts';
import { timeAfter } from '../values.ts';
import type { BookingValues, Where } from './new-booking-address.tsx';

/** The last request without a response: repeating it with the same key does not book twice. */
let unanswered: { body: string; key: string } | null = null;

const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Creates the booking and returns it. Throws Failure. The service validates everything except the time. */
export async function send({
  customer,
  partnerId,
  values,
  where,
  minutes,
  forcedBecause,
  preferTeamOf,
}: {
  customer: CustomerDetail | null;
  partnerId: string;
  values: BookingValues;
  where: Where;
  /** The duration of the service; null: none is chosen. */
  minutes: number | null;
  /** The reason for a start inside the minimum notice; null: it is not inside. */
  forcedBecause: string | null;
  /** An earlier booking, whose team is asked for; null: any team. */
  preferTeamOf: string | null;
}): Promise<CreatedBooking> {
  const { query } = place.value;
  const [date, startAt] = [dateOfAddress('date'), query.get('start')];
  if (where === null || minutes === null || date === null || startAt === null) {
    // The service is not asked, so what else is missing is said here.
    const named = customer === null ? (['contact.phone', 'contact.name'] as const) : [];
    throw invalid(
      ...(partnerId === '' ? [`partnerId: ${t('step.missing')}`] : []),
      ...named.flatMap((name) => (values[name].trim() === '' ? [`${name}: ${t('step.missing')}`] : [])),
      ...(where === null ? [t('new.locationMissing')] : []),
      ...(minutes === null || date === null || startAt === null ? [t('new.startMissing')] : []),
    );
  }
  const text = (value: string) => value.trim() || undefined;
  const body = {
    partnerId,
    ...(customer !== null && 'addressId' in where
      ? { contactId: customer.id, addressId: where.addressId }
      : {
          contact: {
            phone: customer?.phone ?? values['contact.phone'],
            name: customer?.name ?? values['contact.name'],
            ...('lat' in where && { latitude: where.lat, longitude: where.lng }),
            cityName: text(values['contact.cityName']),
            districtName: text(values['contact.districtName']),
            streetName: text(values['contact.streetName']),
            buildingNumber: text(values['contact.buildingNumber']),
            unit: text(values['contact.unit']),
            floor: text(values['contact.floor']),
            postalCode: text(values['contact.postalCode']),
            shortAddress: text(values['contact.shortAddress']),
            directions: text(values['contact.directions']),
          },
        }),
    serviceId: query.get('serviceId'),
    date,
    timeslot: { startAt, endAt: timeAfter(startAt, minutes) },
    externalReference: text(values.externalReference),
    notes: text(values.notes),
    instructions: text(values.instructions),
    accessCode: text(values.accessCode),
    ...(preferTeamOf !== null && { preferTeamOf }),
    ...(forcedBecause !== null && { force: true, reason: forcedBecause }),
  } as CreateBookingForPartnerRequest;
  const sent = JSON.stringify(body);
  if (unanswered?.body !== sent) unanswered = { body: sent, key: newKey() };
  try {
    const { data } = await call('createBookingForPartner', { body }, { idempotencyKey: unanswered.key });
    unanswered = null;
    return data;
  } catch (error) {
    const { status, code } = asFailure(error);
    // A refusal is a response: the same booking may be sent again later, under a new key.
    if (status !== 0 && status < 500 && code !== 'IDEMPOTENCY_KEY_IN_PROGRESS') unanswered = null;
    throw error;
  }
}

import createClient from 'openapi-fetch';
import type { operations, paths } from './gen/schema.js';

/** Books with the client of openapi-typescript and openapi-fetch, and is refused the second time. */
type Refusals = operations['createBooking']['responses'];
type Conflict = Refusals[409]['content']['application/json']['error']['code'];
const known: Conflict = 'DUPLICATE_EXTERNAL_REFERENCE';
// @ts-expect-error a code that the operation does not have: were any text a code, this line would not compile
const unknown: Conflict = 'NO_SUCH_CODE';

const { BASE_URL = '', API_KEY = '', LATITUDE = '', LONGITUDE = '', DATE = '' } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { 'x-api-key': API_KEY } });

const found = await client.POST('/partners/contacts', {
  body: { phone: '+966501234567', name: 'Noura', latitude: LATITUDE, longitude: LONGITUDE },
});
if (found.error) throw new Error(found.error.error.message);
const { id: contactId, addressId } = found.data.data;
if (addressId === null) throw new Error('no address');

const services = await client.GET('/partners/services', { params: { query: { addressId } } });
if (services.error) throw new Error(services.error.error.message);
const serviceId = services.data.data[0]?.services[0]?.id;
if (serviceId === undefined) throw new Error('no service');

const free = await client.GET('/partners/timeslots/available', {
  params: { query: { addressId, serviceId, date: DATE } },
});
const timeslot = free.data?.data.slots[0];
if (timeslot === undefined) throw new Error('no timeslot');

const body = {
  contactId,
  addressId,
  serviceId,
  date: DATE,
  timeslot,
  externalReference: 'openapi-typescript',
};
const booked = await client.POST('/partners/bookings', { body });
if (booked.error) throw new Error(booked.error.error.message);
const again = await client.POST('/partners/bookings', { body });

console.log(
  JSON.stringify({
    status: booked.data.data.status,
    appointment: booked.data.data.appointment?.status,
    refusal: again.error?.error.code === known ? known : unknown,
    docUrl: again.error?.error.details.docUrl,
  }),
);

import { client } from './gen/client.gen.js';
import {
  type CreateBookingErrors,
  createBooking,
  findOrCreateContact,
  listAvailableTimeslots,
  listServices,
} from './gen/index.js';

/** Books with the client of @hey-api/openapi-ts, and is refused the second time. */
type Conflict = CreateBookingErrors[409]['error']['code'];
const known: Conflict = 'DUPLICATE_EXTERNAL_REFERENCE';
// @ts-expect-error a code that the operation does not have: were any text a code, this line would not compile
const unknown: Conflict = 'NO_SUCH_CODE';

const { BASE_URL = '', API_KEY = '', LATITUDE = '', LONGITUDE = '', DATE = '' } = process.env;
client.setConfig({ baseUrl: BASE_URL, auth: API_KEY });

const found = await findOrCreateContact({
  body: { phone: '+966501234567', name: 'Noura', latitude: LATITUDE, longitude: LONGITUDE },
});
if (found.error) throw new Error(found.error.error.message);
const { id: contactId, addressId } = found.data.data;
if (addressId === null) throw new Error('no address');

const services = await listServices({ query: { addressId } });
if (services.error) throw new Error(services.error.error.message);
const serviceId = services.data.data[0]?.services[0]?.id;
if (serviceId === undefined) throw new Error('no service');

const free = await listAvailableTimeslots({ query: { addressId, serviceId, date: DATE } });
const timeslot = free.data?.data.slots[0];
if (timeslot === undefined) throw new Error('no timeslot');

const body = { contactId, addressId, serviceId, date: DATE, timeslot, externalReference: 'hey-api' };
const booked = await createBooking({ body });
if (booked.error) throw new Error(booked.error.error.message);
const again = await createBooking({ body });

console.log(
  JSON.stringify({
    status: booked.data.data.status,
    appointment: booked.data.data.appointment?.status,
    refusal: again.error?.error.code === known ? known : unknown,
    docUrl: again.error?.error.details.docUrl,
  }),
);

import { Api } from './gen/api.js';

/** Books with the client of swagger-typescript-api, and is refused the second time. */
type Create = Api<string>['partners']['createBooking'];
type Refusal = Awaited<ReturnType<Create>>['error'];
type Code = Refusal['error']['code'];
const known: Code = 'DUPLICATE_EXTERNAL_REFERENCE';
// @ts-expect-error a code that the operation does not have: were any text a code, this line would not compile
const unknown: Code = 'NO_SUCH_CODE';

const { BASE_URL = '', API_KEY = '', LATITUDE = '', LONGITUDE = '', DATE = '' } = process.env;
const { partners } = new Api<string>({
  baseUrl: BASE_URL,
  baseApiParams: { headers: { 'x-api-key': API_KEY } },
});

const found = await partners.findOrCreateContact({
  phone: '+966501234567',
  name: 'Noura',
  latitude: LATITUDE,
  longitude: LONGITUDE,
});
const { id: contactId, addressId } = found.data.data;
if (addressId === null) throw new Error('no address');

const services = await partners.listServices({ addressId });
const serviceId = services.data.data[0]?.services[0]?.id;
if (serviceId === undefined) throw new Error('no service');

const free = await partners.listAvailableTimeslots({ addressId, serviceId, date: DATE });
const timeslot = free.data.data.slots[0];
if (timeslot === undefined) throw new Error('no timeslot');

const body = {
  contactId,
  addressId,
  serviceId,
  date: DATE,
  timeslot,
  externalReference: 'swagger-typescript-api',
};
const booked = await partners.createBooking(body);
// This client throws error responses.
const again = await partners.createBooking(body).then(
  () => null,
  (answer: { error: Refusal }) => answer.error,
);

console.log(
  JSON.stringify({
    status: booked.data.data.status,
    appointment: booked.data.data.appointment?.status,
    refusal: again?.error.code === known ? known : unknown,
    docUrl: again?.error.details.docUrl,
  }),
);

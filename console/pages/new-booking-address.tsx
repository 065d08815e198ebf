import type { CustomerDetail, Zone } from '../contract.ts';
import { number } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { type Corner, isInside, kilometres, middleOf, type Ring, ringOf } from '../map/outlines.ts';
import { AddressFields } from '../parts/address-fields.tsx';
import { addressText } from '../parts/address-text.ts';
import type { FormState } from '../parts/fields.tsx';
import { Section } from '../parts/page.tsx';
import { PlaceField } from '../parts/place-field.tsx';
import { PlaceMap } from '../parts/place-map.tsx';
import { coordinatesOf } from '../place-text.ts';
import { useAll } from '../query.ts';
import { place, setQuery } from '../router.ts';

/** The place of the appointment: an existing address, or a new one. */

/** Keyed by the field names of the service's messages. Location: both coordinates in one field. */
export type BookingValues = {
  partnerId: string;
  'contact.phone': string;
  'contact.name': string;
  'contact.latitude': string;
  'contact.cityName': string;
  'contact.districtName': string;
  'contact.streetName': string;
  'contact.buildingNumber': string;
  'contact.unit': string;
  'contact.floor': string;
  'contact.postalCode': string;
  'contact.shortAddress': string;
  'contact.directions': string;
  externalReference: string;
  notes: string;
  instructions: string;
  accessCode: string;
};
export type BookingForm = FormState<BookingValues>;

export type Where = { addressId: string } | { lat: string; lng: string } | null;

type Address = CustomerDetail['addresses'][number];

const bookable = (customer: CustomerDetail): Address[] =>
  customer.addresses.filter(({ latitude }) => latitude !== null);

/** The chosen address: the reader's choice, else that of the last visit, which is the first; null: a new one. */
function chosenAddress(customer: CustomerDetail): string | null {
  const chosen = place.value.query.get('addressId');
  if (chosen === 'new') return null;
  const addresses = bookable(customer);
  if (chosen !== null) return addresses.some(({ id }) => id === chosen) ? chosen : null;
  return addresses[0]?.id ?? null;
}

/** The place of the appointment; null: not known yet. */
export function placeOf(customer: CustomerDetail | null, values: BookingValues): Where {
  const addressId = customer === null ? null : chosenAddress(customer);
  if (addressId !== null) return { addressId };
  const found = coordinatesOf(values['contact.latitude']);
  return found && { lat: found.latitude, lng: found.longitude };
}

const textOf = (address: Address): string =>
  addressText(address) ?? t('new.unnamed', { place: `${address.latitude}, ${address.longitude}` });

/** The place on a map, with its zone. */
function ChosenPlace({ customer, where }: { customer: CustomerDetail | null; where: Where }) {
  const { answer: zones } = useAll('listZones', { query: { isActive: 'true' } }, ['availability']);
  if (where === null) return null;
  const address = 'lat' in where ? null : customer?.addresses.find(({ id }) => id === where.addressId);
  const at =
    'lat' in where
      ? { latitude: Number(where.lat), longitude: Number(where.lng) }
      : { latitude: Number(address?.latitude), longitude: Number(address?.longitude) };
  if (!isOnEarth(at)) return null;
  const label = address ? textOf(address) : `${at.latitude}, ${at.longitude}`;
  return (
    <>
      <p role="status">{zones && zoneText(zones, [at.longitude, at.latitude])}</p>
      {address && <PlaceMap points={[{ ...at, label }]} />}
    </>
  );
}

const isOnEarth = ({ latitude, longitude }: { latitude: number; longitude: number }): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

/** The zone that covers the place, else the nearest one; with the distance from its middle. Zones are in precedence. */
function zoneText(zones: readonly Zone[], at: Corner): string {
  const near = zones.map((each) => ({ name: nameOf(each), ring: ringOf(each.area) }));
  const distance = ({ ring }: { ring: Ring }) => kilometres(at, middleOf(ring));
  const covering = near.find(({ ring }) => isInside(ring, at));
  const zone = covering ?? near.sort((a, b) => distance(a) - distance(b))[0];
  if (zone === undefined) return '';
  const values = { zone: zone.name, km: number(Math.round(distance(zone) * 10) / 10) };
  return covering ? t('map.inZone', values) : t('map.inNoZone', values);
}

export function AddressPart({ customer, form }: { customer: CustomerDetail | null; form: BookingForm }) {
  const addressId = customer === null ? null : chosenAddress(customer);
  return (
    <Section title={t('field.address')}>
      {customer !== null && (
        <div class="radios">
          {customer.addresses.map((address) => (
            <label key={address.id}>
              <input
                type="radio"
                name="address"
                checked={address.id === addressId}
                disabled={address.latitude === null}
                onChange={() => setQuery({ addressId: address.id, start: null }, { replace: true })}
              />{' '}
              <bdi>{textOf(address)}</bdi>{' '}
              {address.latitude === null && <span class="faint small">{t('new.noPlace')}</span>}
            </label>
          ))}
          <label>
            <input
              type="radio"
              name="address"
              checked={addressId === null}
              onChange={() => setQuery({ addressId: 'new', start: null }, { replace: true })}
            />{' '}
            {t('new.otherAddress')}
          </label>
        </div>
      )}
      {addressId === null && (
        <>
          <PlaceField form={form} name="contact.latitude" short="contact.shortAddress" required />
          <div class="columns">
            <AddressFields form={form} prefix="contact." />
          </div>
        </>
      )}
      <ChosenPlace customer={customer} where={placeOf(customer, form.values)} />
    </Section>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { Booking as BookingOfCustomer, CustomerDetail, SearchItem } from '../contract.ts';
import { nameOf, t } from '../language.ts';
import { usePartnerOptions } from '../options.ts';
import { Loaded } from '../parts/failed.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ask } from '../parts/questions.tsx';
import { toast } from '../parts/toasts.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { asFailure, useQuery } from '../query.ts';
import { go, href, place, setQuery } from '../router.ts';
import { may, me } from '../session.ts';
import { statusesIn } from '../states.ts';
import { westernDigits } from '../values.ts';
import { AddressPart, type BookingForm, placeOf } from './new-booking-address.tsx';
import { send } from './new-booking-send.ts';
import { Refusal, SlotPart, useService } from './new-booking-slot.tsx';

/** Booking for a customer of a partner. Choices are in the address, typed values are not. */
export default function NewBooking() {
  const { query } = place.value;
  const contactId = query.get('contactId');
  const [typed, setTyped] = useState('');
  return (
    <Page title={t('nav.newBooking')} about={t('new.about')}>
      {me.value !== null && !may('createBookingForPartner') ? (
        <p class="empty">
          {t('error.role', { needed: t('role.dispatcher'), has: t(`role.${me.value.role}`) })}
        </p>
      ) : contactId !== null ? (
        <Known key={contactId} contactId={contactId} />
      ) : query.get('customer') === 'new' ? (
        <Booking customer={null} typed={typed} />
      ) : (
        <FindCustomer typed={typed} setTyped={setTyped} />
      )}
    </Page>
  );
}

/** Debounce of the search for customers, in milliseconds. */
const DEBOUNCE_MS = 250;
/** The shortest text that the service searches for. */
const MIN_LENGTH = 2;
const MAX_FOUND = 20;

function FindCustomer({ typed, setTyped }: { typed: string; setTyped: (text: string) => void }) {
  const [asked, setAsked] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isAsked = asked.length >= MIN_LENGTH;
  const found = useQuery('search', isAsked ? { query: { q: asked, limit: MAX_FOUND } } : null);
  return (
    <Section title={t('field.customer')}>
      <div class="field">
        <label for="find-customer">{t('new.find')}</label>
        <input
          id="find-customer"
          type="search"
          autoComplete="off"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {isAsked && (
        <Loaded query={found}>
          {({ data }) => (
            <Customers
              items={data.flatMap(({ kind, items }) => (kind === 'customer' ? items : []))}
              nobody={found.isCurrent ? asked : null}
            />
          )}
        </Loaded>
      )}
      <div class="buttons">
        <button type="button" onClick={() => setQuery({ customer: 'new' })}>
          {t('new.customer')}
        </button>
      </div>
    </Section>
  );
}

/** `nobody`: the search text if nothing was found; null: not searched yet. */
function Customers({ items, nobody }: { items: readonly SearchItem[]; nobody: string | null }) {
  if (items.length === 0) return nobody && <p role="status">{t('new.nobody', { what: nobody })}</p>;
  return (
    <ul class="plain-list choices-list">
      {items.map(({ id, title, phone, partner }) => (
        <li key={id}>
          <button type="button" onClick={() => setQuery({ contactId: id })}>
            <bdi>{title}</bdi> <bdi dir="ltr">{phone}</bdi>{' '}
            <span class="faint">
              <bdi>{partner}</bdi>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Known({ contactId }: { contactId: string }) {
  const query = useQuery('getCustomer', { id: contactId }, ['bookings']);
  const visits = { query: { contactId, sortBy: 'startsAt', sortOrder: 'DESC' } } as never;
  const { answer } = useQuery('listBookings', visits);
  const used = answer?.data.map(({ address }) => address.id) ?? [];
  const lastUse = ({ id }: { id: string }) => (used.includes(id) ? used.indexOf(id) : used.length);
  return (
    <Loaded query={query}>
      {({ data }) => {
        const addresses = data.addresses.toSorted((one, other) => lastUse(one) - lastUse(other));
        return <Booking customer={{ ...data, addresses }} typed="" />;
      }}
    </Loaded>
  );
}

/** A national phone number in the international form that the service takes. */
const internationalPhone = (text: string): string =>
  westernDigits(text)
    .replaceAll(/[\s().-]/g, '')
    .replace(/^(?:00966|\+?966|0)?(?=5\d{8}$)/, '+966');

const isPhone = (text: string): boolean => /^[\d\s().+-]*$/.test(westernDigits(text));

/** Books; if the minimum notice alone refuses it and the reader gives a reason, books again with that. */
async function retryInsideNotice<T>(book: (forcedBecause: string | null) => Promise<T>): Promise<T> {
  try {
    return await book(null);
  } catch (error) {
    if (asFailure(error).details.reason !== 'SLOT_INSIDE_NOTICE') throw error;
    const reason = await ask({
      title: t('new.soonTitle'),
      text: t('new.soonText'),
      reason: t('field.reason'),
      confirm: t('new.book'),
      danger: true,
    });
    if (!reason) throw error;
    return await book(reason);
  }
}

/** Statuses of visits that the team has done. */
const DONE = statusesIn('done');

/** The last visit that was done; null: none of the latest ones, or not loaded yet. */
function useLastVisit(customer: CustomerDetail | null): BookingOfCustomer | null {
  const query = { contactId: customer?.id, sortBy: 'startsAt', sortOrder: 'DESC' } as never;
  const { answer } = useQuery('listBookings', customer === null ? null : { query }, ['appointments']);
  return answer?.data.find(({ appointment }) => DONE.includes(appointment.status)) ?? null;
}

/** null: a new customer, whom the search for `typed` did not find. */
function Booking({ customer, typed }: { customer: CustomerDetail | null; typed: string }) {
  const form: BookingForm = useForm(
    {
      partnerId: '',
      'contact.phone': isPhone(typed) ? internationalPhone(typed) : '',
      'contact.name': isPhone(typed) ? '' : typed.trim(),
      'contact.latitude': '',
      'contact.cityName': '',
      'contact.districtName': '',
      'contact.streetName': '',
      'contact.buildingNumber': '',
      'contact.unit': '',
      'contact.floor': '',
      'contact.postalCode': '',
      'contact.shortAddress': '',
      'contact.directions': '',
      externalReference: '',
      notes: '',
      instructions: '',
      accessCode: '',
    },
    ['bookings', 'appointments', 'availability', 'payments'],
  );
  const stopAsking = useUnsaved(form.isChanged, ['contactId', 'customer']);
  const partners = usePartnerOptions();
  const partnerId = customer?.partnerId ?? form.values.partnerId;
  const where = placeOf(customer, form.values);
  const service = useService(partnerId);
  const last = useLastVisit(customer);
  const [usesLastTeam, setUsesLastTeam] = useState(true);
  return (
    <Form
      form={form}
      submit={t('new.book')}
      send={async (values) => {
        const preferTeamOf = last !== null && usesLastTeam ? last.bookingId : null;
        const { bookingId, keepsTeam, team } = await retryInsideNotice((forcedBecause) =>
          send({
            customer,
            partnerId,
            values: { ...values, 'contact.phone': internationalPhone(values['contact.phone']) },
            where,
            minutes: service.chosen?.durationMinutes ?? null,
            forcedBecause,
            preferTeamOf,
          }),
        );
        toast(
          keepsTeam === null
            ? t('new.booked')
            : keepsTeam
              ? t('new.sameTeam')
              : t('new.otherTeam', { team: nameOf(team) }),
        );
        stopAsking();
        // So that Back does not lead to the filled form, which would book again.
        go(href(`/bookings/${bookingId}`), { replace: true });
      }}
    >
      <Refusal form={form} />
      <Section
        title={t('field.customer')}
        actions={
          <button
            type="button"
            onClick={() => setQuery({ contactId: null, addressId: null, customer: null })}
          >
            {t('new.otherCustomer')}
          </button>
        }
      >
        {customer === null ? (
          <div class="columns">
            <SelectField
              form={form}
              name="partnerId"
              label={t('field.partner')}
              required
              options={[{ value: '', label: t('new.choose') }, ...partners]}
            />
            <TextField form={form} name="contact.phone" label={t('field.phone')} ltr required />
            <TextField
              form={form}
              name="contact.name"
              label={t('new.name')}
              hint={t('new.nameHint')}
              required
            />
          </div>
        ) : (
          <p>
            <strong>
              <bdi>{customer.name}</bdi>
            </strong>{' '}
            <bdi dir="ltr">{customer.phone}</bdi>{' '}
            <span class="faint">
              <bdi>{customer.partnerName}</bdi>
            </span>
          </p>
        )}
      </Section>
      <AddressPart customer={customer} form={form} />
      <SlotPart partnerId={partnerId} where={where} service={service} form={form} />
      <Section title={t('field.team')}>
        {last !== null && (
          <p>
            <label>
              <input
                type="checkbox"
                checked={usesLastTeam}
                onChange={(event) => setUsesLastTeam(event.currentTarget.checked)}
              />{' '}
              {t('new.usualTeam', { team: nameOf(last.team) })}
            </label>
          </p>
        )}
        <TextField form={form} name="notes" label={t('field.notes')} hint={t('new.notesHint')} />
        <TextField
          form={form}
          name="instructions"
          label={t('address.instructions')}
          hint={t('address.instructionsHint')}
        />
        <TextField
          form={form}
          name="accessCode"
          label={t('address.accessCode')}
          hint={t('address.instructionsHint')}
          ltr
        />
      </Section>
    </Form>
  );
}

import { useState } from 'preact/hooks';
import { call, download } from '../api.ts';
import type { Booking, CustomerDetail } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { customerName, nameOf, t } from '../language.ts';
import { type Act, ActMenu } from '../parts/act-menu.tsx';
import { AddressList, textOf } from '../parts/address-list.tsx';
import { AddressDialog, EraseDialog, NameDialog } from '../parts/customer-dialogs.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Phone } from '../parts/phone.tsx';
import { PlaceMap } from '../parts/place-map.tsx';
import { useAction, useQuery } from '../query.ts';
import { go, href, place } from '../router.ts';
import { may } from '../session.ts';
import { statusesIn } from '../states.ts';
import { columns } from './visits.tsx';

type Address = CustomerDetail['addresses'][number];

/** A customer of a partner: addresses, visits, and the teams that came. */
export default function Customer({ params }: { params: Record<string, string> }) {
  const id = params.id!;
  const query = useQuery('getCustomer', { id }, ['bookings']);
  const customer = query.answer?.data;
  const [open, setOpen] = useState<'name' | 'erase' | null>(null);
  const close = (): void => setOpen(null);
  const isErased = customer?.erasedAt != null;
  const action = useAction([]);
  const copy = { accept: 'application/json', name: 'customer.json' } as const;
  const acts: (Act | false)[] = [
    may('updateCustomer') && { text: t('address.correctName'), run: () => setOpen('name') },
    may('exportCustomer') && { text: t('copy.print'), run: () => go(href(`/customers/${id}/copy`)) },
    may('exportCustomer') && {
      text: t('address.copy'),
      run: () => void action.run(() => download('exportCustomer', { id }, copy)),
    },
    may('eraseCustomer') && { text: t('erase.act'), run: () => setOpen('erase') },
  ];
  return (
    <Page
      title={customer === undefined ? t('nav.customer') : customerName(customer)}
      about={isErased && t('erase.erasedOn', { date: dateTime(customer.erasedAt!) })}
      actions={
        customer &&
        !isErased && (
          <>
            {may('createBookingForPartner') && (
              <a class="button" href={href('/bookings/new', { contactId: id })}>
                {t('customer.book')}
              </a>
            )}
            <ActMenu acts={acts.filter((act) => act !== false)} />
          </>
        )
      }
    >
      {action.failure && <Failed failure={action.failure} />}
      {open === 'name' && customer && (
        <NameDialog
          name={customer.name}
          send={(body) => call('updateCustomer', { id, body })}
          onClose={close}
        />
      )}
      {open === 'erase' && (
        <EraseDialog
          send={(body) => call('eraseCustomer', { id, body })}
          bookingLink={(bookingId) => <BookingLink id={bookingId} />}
          onClose={close}
        />
      )}
      <Loaded query={query}>{({ data }) => <Known customer={data} />}</Loaded>
    </Page>
  );
}

/** A booking by its reference. */
export function BookingLink({ id }: { id: string }) {
  const booking = useQuery('getBooking', { id }).answer?.data;
  return (
    <a href={href(`/bookings/${id}`)}>
      {booking ? t('booking.title', { reference: booking.trackingReference }) : id}
    </a>
  );
}

/** Visits of a page of the history. */
const MAX_VISITS = 100;

function Known({ customer }: { customer: CustomerDetail }) {
  const page = place.value.query.get('page') ?? undefined;
  const query = { contactId: customer.id, sortBy: 'startsAt', limit: MAX_VISITS, page } as never;
  const visits = useQuery('listBookings', { query }, ['bookings', 'appointments', 'payments']);
  const [corrected, setCorrected] = useState<Address | null>(null);
  const points = customer.addresses.flatMap((address) =>
    address.latitude === null || address.longitude === null
      ? []
      : [
          {
            latitude: Number(address.latitude),
            longitude: Number(address.longitude),
            label: textOf(address),
          },
        ],
  );
  return (
    <>
      <Section title={t('booking.facts')}>
        <Facts
          facts={[
            customer.phone !== null && {
              label: t('field.phone'),
              value: <Phone contact={customer} />,
            },
            {
              label: t('field.partner'),
              value: (
                <a href={href(`/partners/${customer.partnerId}`)}>
                  <bdi>{customer.partnerName}</bdi>
                </a>
              ),
            },
            customer.messagesStopped !== null && {
              label: t('customers.messages'),
              value: t(
                customer.messagesStopped === 'STOP' ? 'customers.stopped' : 'customers.stopped.NOT_ME',
              ),
            },
            { label: t('customer.since'), value: dateTime(customer.createdAt) },
            {
              label: t('customer.usual'),
              value: visits.answer && <UsualTeams visits={visits.answer.data} />,
            },
          ]}
        />
      </Section>
      <Section title={t('customer.addresses')}>
        <AddressList
          addresses={customer.addresses}
          onEdit={may('updateCustomerAddress') && customer.erasedAt == null ? setCorrected : undefined}
        />
        {points.length > 0 && <PlaceMap points={points} />}
        {corrected !== null && (
          <AddressDialog
            key={corrected.id}
            address={corrected}
            send={(body) => call('updateCustomerAddress', { id: corrected.id, body })}
            onClose={() => setCorrected(null)}
          />
        )}
      </Section>
      <Section title={t('customer.visits')}>
        <PagedTable
          query={visits}
          label={t('customer.visits')}
          columns={columns().filter(({ name }) => name !== 'customer' && name !== 'partner')}
          id={({ bookingId }) => bookingId}
          empty={t('customer.noVisits')}
        />
      </Section>
    </>
  );
}

/** Statuses of visits that the team has done. */
const DONE = statusesIn('done');

/** The teams that came, the most frequent first. */
function UsualTeams({ visits }: { visits: readonly Booking[] }) {
  const done = visits.filter(({ appointment }) => DONE.includes(appointment.status));
  const teams = [...Map.groupBy(done, ({ team }) => team.id).values()].sort((a, b) => b.length - a.length);
  if (teams.length === 0) return <span class="faint">{t('customer.noTeam')}</span>;
  return (
    <ul class="plain-list">
      {teams.slice(0, 3).map((of) => (
        <li key={of[0]!.team.id}>
          <a href={href(`/teams/${of[0]!.team.id}`)}>
            {t('customer.team', { team: nameOf(of[0]!.team), count: number(of.length) })}
          </a>
        </li>
      ))}
    </ul>
  );
}

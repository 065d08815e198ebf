import { useState } from 'preact/hooks';
import { dateTime } from '../../format.ts';
import { t } from '../../language.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { AddressList } from '../../parts/address-list.tsx';
import type { PageProps } from '../../parts/current-page.tsx';
import { AddressDialog, EraseDialog, NameDialog } from '../../parts/customer-dialogs.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failed, Loaded } from '../../parts/failed.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { useAction } from '../../query.ts';
import { go, href, place } from '../../router.ts';
import { call, download } from '../api.ts';
import type { Address, ContactDetail } from '../contract.ts';
import { p } from '../language.ts';
import { useQuery } from '../query.ts';
import { may } from '../visitor.ts';
import { columns } from './bookings.tsx';

/** One of the partner's customers: what is stored, its copy, correction and erasure. */
export default function CustomerPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getContact', { contactId: id }, ['bookings']);
  const contact = query.answer?.data;
  const [open, setOpen] = useState<'name' | 'erase' | Address | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Page
      title={contact?.name ?? t('nav.customer')}
      actions={contact && <Actions id={id} onOpen={setOpen} />}
    >
      {open === 'name' && contact && (
        <NameDialog
          name={contact.name}
          send={(body) => call('updateContact', { contactId: id, body })}
          onClose={close}
        />
      )}
      {open === 'erase' && (
        <EraseDialog
          send={(body) => call('eraseContact', { contactId: id, body })}
          bookingLink={(bookingId) => <BookingLink id={bookingId} />}
          onDone={() => go(href('/customers'))}
          onClose={close}
        />
      )}
      {open !== null && typeof open === 'object' && (
        <AddressDialog
          key={open.id}
          address={open}
          send={(body) => call('updateAddress', { addressId: open.id, body })}
          onClose={close}
        />
      )}
      <Loaded query={query}>
        {({ data }) => <Known contact={data} onEdit={may('updateAddress') ? setOpen : undefined} />}
      </Loaded>
    </Page>
  );
}

function Actions({ id, onOpen }: { id: string; onOpen: (dialog: 'name' | 'erase') => void }) {
  const copy = useAction([]);
  const file = { accept: 'application/json', name: 'customer.json' };
  return (
    <>
      {may('updateContact') && (
        <button type="button" onClick={() => onOpen('name')}>
          {t('address.correctName')}
        </button>
      )}
      <ActionButton action={copy} run={() => download('exportContact', { contactId: id }, file)}>
        {t('address.copy')}
      </ActionButton>
      {may('eraseContact') && (
        <button type="button" class="danger" onClick={() => onOpen('erase')}>
          {t('erase.act')}
        </button>
      )}
      {copy.failure && <Failed failure={copy.failure} />}
    </>
  );
}

function BookingLink({ id }: { id: string }) {
  const found = useQuery('getBooking', may('getBooking') ? { bookingId: id } : null).answer?.data;
  return (
    <a href={href(`/bookings/${id}`)}>
      {found ? t('booking.title', { reference: found.booking.trackingReference }) : id}
    </a>
  );
}

function Known({
  contact: { id, phone, createdAt, addresses },
  onEdit,
}: {
  contact: ContactDetail;
  onEdit: ((address: Address) => void) | undefined;
}) {
  return (
    <>
      <Section title={t('booking.facts')}>
        <Facts
          facts={[
            {
              label: t('field.phone'),
              value: (
                <a href={`tel:${phone}`}>
                  <bdi dir="ltr">{phone}</bdi>
                </a>
              ),
            },
            { label: t('customer.since'), value: dateTime(createdAt) },
          ]}
        />
      </Section>
      <Section title={t('customer.addresses')}>
        <AddressList addresses={addresses} onEdit={onEdit} />
      </Section>
      {may('listBookings') && <BookingsOf contactId={id} />}
    </>
  );
}

function BookingsOf({ contactId }: { contactId: string }) {
  const page = place.value.query.get('page') ?? undefined;
  const query = { contactId, sortBy: 'date', page } as never;
  const bookings = useQuery('listBookings', { query }, ['bookings']);
  return (
    <Section title={p('nav.bookings')}>
      <PagedTable
        query={bookings}
        label={p('nav.bookings')}
        columns={columns()}
        id={({ bookingId }) => bookingId}
        empty={p('bookings.none')}
      />
    </Section>
  );
}

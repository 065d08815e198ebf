import { useEffect } from 'preact/hooks';
import type { CustomerExport } from '../contract.ts';
import { dateTime, money } from '../format.ts';
import { language, nameOf, t } from '../language.ts';
import { AddressList } from '../parts/address-list.tsx';
import { stateName } from '../parts/badge.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { Loaded } from '../parts/failed.tsx';
import { Page, Section } from '../parts/page.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useAll, useQuery } from '../query.ts';

/** Copy of a customer's data, to print; in her language, as long as the page is open. */
export default function CustomerCopy({ params: { id = '' } }: PageProps) {
  const query = useQuery('exportCustomer', { id });
  const contact = query.answer?.data.contact;
  const hers = contact?.language ?? language.peek();
  useEffect(() => {
    const before = language.peek();
    language.value = hers;
    return () => {
      language.value = before;
    };
  }, [hers]);
  return (
    <Page
      title={contact === undefined ? t('nav.customer') : t('copy.title', { name: contact.name })}
      about={query.answer && dateTime(query.answer.data.exportedAt)}
      actions={
        <button type="button" class="primary" onClick={() => print()}>
          {t('sheets.print')}
        </button>
      }
    >
      <Loaded query={query}>{({ data }) => <Copy copy={data} />}</Loaded>
    </Page>
  );
}

type Booking = CustomerExport['bookings'][number];
type Message = CustomerExport['messages'][number];

const column = <Row,>(label: string, cell: Column<Row>['cell']): Column<Row> => ({
  name: label,
  label,
  cell,
});

function Copy({ copy: { contact, bookings, messages } }: { copy: CustomerExport }) {
  // The copy has the English name only.
  const { answer: services = [] } = useAll('listCatalogueServices', { query: {} }, ['catalogue']);
  const namesOf = new Map(services.map((service) => [service.nameEn, nameOf(service)]));
  const references = new Map(bookings.map((booking) => [booking.bookingId, booking.trackingReference]));
  const textsOf = ({ notes, cancellationNotes, failureReason, remarks }: Booking) =>
    [notes, cancellationNotes, failureReason, ...remarks.map(({ text }) => text)].join('\n').trim();
  const stateOf = ({ status, paymentStatus }: Booking) =>
    `${stateName('booking', status)} · ${stateName('paymentStatus', paymentStatus)}`;
  const visits = [
    column<Booking>(t('field.tracking'), ({ trackingReference }) => <bdi>{trackingReference}</bdi>),
    column<Booking>(t('field.reference'), ({ externalReference }) => <bdi>{externalReference}</bdi>),
    column<Booking>(t('field.when'), ({ startsAt }) => dateTime(startsAt)),
    column<Booking>(t('field.service'), ({ service }) => <bdi>{namesOf.get(service) ?? service}</bdi>),
    column<Booking>(t('field.amount'), ({ price }) => <bdi>{money(price)}</bdi>),
    column<Booking>(t('field.status'), stateOf),
    column<Booking>(t('copy.texts'), (booking) => <bdi class="lines">{textsOf(booking)}</bdi>),
  ];
  const sent = [
    column<Message>(t('field.when'), ({ at }) => dateTime(at)),
    column<Message>(t('field.tracking'), ({ bookingId }) => <bdi>{references.get(bookingId)}</bdi>),
    column<Message>(t('messages.message'), ({ kind }) => t(`customers.${kind}`)),
    column<Message>(t('field.status'), ({ status }) =>
      t(status === 'DROPPED' ? 'messages.DROPPED' : `customers.${status}`),
    ),
  ];
  const [titles, none] = [[t('nav.bookings'), t('customers.messages')] as const, t('messages.none')];
  return (
    <>
      <Section title={t('customer.addresses')}>
        <p>
          <bdi>{contact.name}</bdi> · <bdi dir="ltr">{contact.phone}</bdi> · {t('customer.since')}{' '}
          {dateTime(contact.createdAt)}
        </p>
        <AddressList addresses={contact.addresses} />
      </Section>
      <Section title={titles[0]}>
        <Table
          label={titles[0]}
          columns={visits}
          rows={bookings}
          id={({ bookingId }) => bookingId}
          empty="–"
        />
      </Section>
      <Section title={titles[1]}>
        <Table
          label={titles[1]}
          columns={sent}
          rows={messages}
          id={({ at, kind }) => at + kind}
          empty={none}
        />
      </Section>
    </>
  );
}

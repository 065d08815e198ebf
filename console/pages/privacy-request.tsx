import { call, download } from '../api.ts';
import { actorText } from '../audit/sentence.tsx';
import type { PrivacyRequestDetail } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { t } from '../language.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { numberColumn } from '../parts/columns.tsx';
import type { PageProps } from '../parts/current-page.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ask } from '../parts/questions.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { BookingLink } from './customer.tsx';
import { Due } from './privacy-requests.tsx';

/** A privacy request: whom it is about, and its answer. */
export default function PrivacyRequestPage({ params: { id = '' } }: PageProps) {
  const query = useQuery('getPrivacyRequest', { id }, ['audit', 'bookings']);
  const request = query.answer?.data;
  return (
    <Page
      title={request === undefined ? t('privacy.request') : t(`privacy.${request.kind}`)}
      actions={
        <a class="button" href={href('/audit', { target: `privacy-request:${id}` })}>
          {t('service.log')}
        </a>
      }
    >
      <Loaded query={query}>
        {({ data }) => (
          <>
            <Known request={data} />
            <Contacts request={data} />
            {data.status === 'OPEN' && <Answer request={data} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Known({ request }: { request: PrivacyRequestDetail }) {
  const { status, phone, partner, receivedAt, note, finishedAt, finishedBy, answer } = request;
  return (
    <Section title={t('privacy.request')}>
      <Facts
        facts={[
          { label: t('field.status'), value: t(`privacy.${status}`) },
          {
            label: t('field.phone'),
            value:
              phone === null ? (
                <span class="faint">{t('privacy.forgotten')}</span>
              ) : (
                <a href={`tel:${phone}`}>
                  <bdi dir="ltr">{phone}</bdi>
                </a>
              ),
          },
          {
            label: t('field.partner'),
            value: partner === null ? t('privacy.everyPartner') : <bdi>{partner.name}</bdi>,
          },
          { label: t('privacy.received'), value: dateTime(receivedAt) },
          { label: t('privacy.due'), value: <Due request={request} /> },
          {
            label: t('privacy.receivedBy'),
            value: <bdi>{actorText(request.receivedBy, request.receivedByName)}</bdi>,
          },
          note !== null && { label: t('privacy.note'), value: <bdi>{note}</bdi> },
          finishedAt !== null && { label: t('privacy.finished'), value: dateTime(finishedAt) },
          finishedBy !== null && {
            label: t('privacy.finishedBy'),
            value: <bdi>{actorText(finishedBy, request.finishedByName)}</bdi>,
          },
          answer !== null && { label: t('privacy.answer'), value: <bdi>{answer}</bdi> },
        ]}
      />
    </Section>
  );
}

function Contacts({ request: { status, contacts } }: { request: PrivacyRequestDetail }) {
  const title = status === 'OPEN' ? t('privacy.contacts') : t('privacy.erasedContacts');
  return (
    <Section title={title}>
      <Table
        label={title}
        rows={contacts}
        id={({ id }) => id}
        empty={status === 'OPEN' ? t('privacy.noContacts') : t('privacy.noneErased')}
        columns={[
          {
            name: 'partner',
            label: t('field.partner'),
            cell: ({ partnerId, partnerName }) => (
              <Linked address={`/partners/${partnerId}`} text={partnerName} />
            ),
          },
          {
            name: 'customer',
            label: t('privacy.customer'),
            cell: ({ id }) => <a href={href(`/customers/${id}`)}>{t('privacy.openCustomer')}</a>,
          },
          numberColumn('openBookings', t('privacy.open')),
        ]}
      />
    </Section>
  );
}

/** Copy, completion and refusal of an open request. */
function Answer({ request: { id, kind, contacts } }: { request: PrivacyRequestDetail }) {
  const action = useAction(['audit', 'bookings']);
  const isErasure = kind === 'ERASURE';
  async function complete(): Promise<void> {
    const confirmed = await ask(
      isErasure
        ? {
            title: t('privacy.eraseTitle'),
            text: t('privacy.eraseText', { count: number(contacts.length) }),
            confirm: t('privacy.erase'),
            danger: true,
          }
        : {
            title: t('privacy.completeTitle'),
            text: t('privacy.completeText'),
            confirm: t('privacy.complete'),
          },
    );
    if (confirmed === null) return;
    if (await action.run(() => call('completePrivacyRequest', { id, body: {} })))
      toast(t('privacy.completed'));
  }
  async function refuse(): Promise<void> {
    const answer = await ask({
      title: t('privacy.refuseTitle'),
      confirm: t('privacy.refuse'),
      danger: true,
      reason: t('privacy.refuseReason'),
    });
    if (answer === null) return;
    if (await action.run(() => call('refusePrivacyRequest', { id, body: { answer } })))
      toast(t('privacy.refused'));
  }
  const copy = () =>
    download('exportPrivacyRequest', { id }, { accept: 'application/json', name: 'privacy-request.json' });
  const inTheWay = action.failure?.details.bookings ?? [];
  const mayErase = may('eraseCustomer');
  return (
    <Section title={t('privacy.answer')}>
      {action.failure && <Failed failure={action.failure} />}
      {inTheWay.length > 0 && (
        <>
          <p>{t('privacy.inTheWay')}</p>
          <ul class="plain-list">
            {inTheWay.map((bookingId) => (
              <li key={bookingId}>
                <BookingLink id={bookingId} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isErasure && !mayErase && <p class="faint">{t('privacy.needsAdmin')}</p>}
      <div class="buttons">
        {kind === 'ACCESS' && (
          <ActionButton action={action} run={copy}>
            {t('privacy.copy')}
          </ActionButton>
        )}
        {(!isErasure || mayErase) && (
          <button
            type="button"
            class={isErasure ? 'danger' : 'primary'}
            disabled={action.busy}
            onClick={() => void complete()}
          >
            {isErasure ? t('privacy.erase') : t('privacy.complete')}
          </button>
        )}
        <button type="button" disabled={action.busy} onClick={() => void refuse()}>
          {t('privacy.refuse')}
        </button>
      </div>
    </Section>
  );
}

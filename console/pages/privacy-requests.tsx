import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { actorText } from '../audit/sentence.tsx';
import { PRIVACY_KINDS, PRIVACY_KINDS_ENTERED, PRIVACY_STATUSES, type PrivacyRequest } from '../contract.ts';
import { dateTime, instantOf } from '../format.ts';
import { t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { missing } from '../parts/step-dialogs.tsx';
import type { Column } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useQuery } from '../query.ts';
import { go, href, place } from '../router.ts';
import { may } from '../session.ts';

const optionsOf = (names: readonly (PrivacyRequest['kind'] | PrivacyRequest['status'])[]) =>
  names.map((value) => ({ value, label: t(`privacy.${value}`) }));

/** Whether it is open, and when it has to be answered. */
export function Due({ request: { dueAt, isOverdue } }: { request: PrivacyRequest }) {
  return (
    <>
      {dateTime(dueAt)} {isOverdue && <span class="badge bad">{t('privacy.overdue')}</span>}
    </>
  );
}

const columns = (): Column<PrivacyRequest>[] => [
  {
    name: 'kind',
    label: t('privacy.kind'),
    cell: ({ id, kind }) =>
      may('getPrivacyRequest') ? (
        <a href={href(`/privacy-requests/${id}`)}>{t(`privacy.${kind}`)}</a>
      ) : (
        t(`privacy.${kind}`)
      ),
  },
  { name: 'status', label: t('field.status'), cell: ({ status }) => t(`privacy.${status}`) },
  {
    name: 'receivedAt',
    sorts: 'DESC',
    label: t('privacy.received'),
    cell: ({ receivedAt }) => dateTime(receivedAt),
  },
  { name: 'dueAt', sorts: true, label: t('privacy.due'), cell: (request) => <Due request={request} /> },
  {
    name: 'partner',
    label: t('field.partner'),
    cell: ({ partner }) => (partner === null ? t('privacy.everyPartner') : <bdi>{partner.name}</bdi>),
  },
  {
    name: 'number',
    label: t('privacy.ending'),
    cell: ({ phoneEnding }) =>
      phoneEnding === null ? (
        <span class="faint">{t('privacy.forgotten')}</span>
      ) : (
        <bdi dir="ltr">…{phoneEnding}</bdi>
      ),
  },
  {
    name: 'finishedBy',
    label: t('privacy.finishedBy'),
    cell: ({ finishedBy, finishedByName }) =>
      finishedBy === null ? '–' : <bdi>{actorText(finishedBy, finishedByName)}</bdi>,
  },
];

/** The register of privacy requests. */
export default function PrivacyRequests() {
  const [isOpen, setOpen] = useState(false);
  const filters = given('phone', 'status', 'kind', 'overdue', 'dueWithinDays', 'sortBy', 'sortOrder', 'page');
  const query = useQuery('listPrivacyRequests', { query: filters as never }, ['audit']);
  return (
    <Page
      title={t('nav.privacy')}
      about={t('privacy.about')}
      actions={
        may('createPrivacyRequest') && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            {t('privacy.enter')}
          </button>
        )
      }
    >
      <Filters>
        <TextFilter name="phone" label={t('field.phone')} ltr />
        <SelectFilter name="status" label={t('field.status')} options={optionsOf(PRIVACY_STATUSES)} />
        <SelectFilter name="kind" label={t('privacy.kind')} options={optionsOf(PRIVACY_KINDS)} />
        <SelectFilter
          name="overdue"
          label={t('privacy.isOverdue')}
          options={[
            { value: 'true', label: t('field.yes') },
            { value: 'false', label: t('field.no') },
          ]}
        />
        <SelectFilter
          name="dueWithinDays"
          label={t('privacy.dueWithin')}
          options={[{ value: '7', label: t('privacy.sevenDays') }]}
        />
      </Filters>
      <PagedTable
        query={query}
        label={t('nav.privacy')}
        columns={columns()}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('privacy.empty') : t('privacy.none')}
      />
      {isOpen && <EnterDialog onClose={() => setOpen(false)} />}
    </Page>
  );
}

function EnterDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({ kind: '', phone: '', receivedAt: '', note: '' }, ['audit']);
  return (
    <Dialog title={t('privacy.enter')} onClose={onClose}>
      <Form
        form={form}
        submit={t('privacy.enter')}
        onClose={onClose}
        send={async ({ kind, phone, receivedAt, note }) => {
          if (kind === '') throw missing('kind');
          const body = {
            kind: kind as (typeof PRIVACY_KINDS_ENTERED)[number],
            phone,
            ...(receivedAt !== '' && { receivedAt: instantOf(receivedAt) }),
            ...(note.trim() !== '' && { note }),
          };
          const { data } = await call('createPrivacyRequest', { body });
          toast(t('privacy.entered'));
          onClose();
          go(href(`/privacy-requests/${data.id}`));
        }}
      >
        <SelectField
          form={form}
          name="kind"
          label={t('privacy.kind')}
          required
          options={[{ value: '', label: t('new.choose') }, ...optionsOf(PRIVACY_KINDS_ENTERED)]}
        />
        <TextField form={form} name="phone" label={t('field.phone')} ltr required />
        <TextField
          form={form}
          name="receivedAt"
          label={t('privacy.received')}
          hint={t('privacy.receivedHint')}
          type="datetime-local"
        />
        <TextField form={form} name="note" label={t('privacy.note')} hint={t('privacy.noteHint')} rows={2} />
      </Form>
    </Dialog>
  );
}

import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { PortalLink } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { CheckField, Form, SelectField, useForm } from '../parts/fields.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useAction, useAll } from '../query.ts';
import { may } from '../session.ts';

const LIFETIMES = [
  { value: '3600', label: 'portal.hour' },
  { value: '86400', label: 'portal.day' },
  { value: '604800', label: 'portal.week' },
] as const;

/** Creates and revokes links that sign in to the portal. */
export function PortalLinks({ partnerId }: { partnerId: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!may('createPortalLink')) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t('portal.open')}
      </button>
      {isOpen && <LinksDialog partnerId={partnerId} onClose={() => setOpen(false)} />}
    </>
  );
}

function LinksDialog({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const form = useForm({ expiresInSeconds: '86400', readOnly: false as boolean }, ['partners']);
  const query = useAll('listPortalLinks', { id: partnerId }, ['partners']);
  const [url, setUrl] = useState<string | null>(null);
  if (url !== null) return <SecretDialog title={t('portal.ready')} secret={url} onClose={onClose} />;
  return (
    <Dialog title={t('portal.open')} onClose={onClose} busy={form.busy} wide>
      <p>{t('portal.about')}</p>
      <Form
        form={form}
        submit={t('portal.make')}
        onClose={onClose}
        send={async ({ expiresInSeconds, readOnly }) => {
          const body = { expiresInSeconds: Number(expiresInSeconds), readOnly };
          setUrl((await call('createPortalLink', { id: partnerId, body })).data.url);
        }}
      >
        <SelectField
          form={form}
          name="expiresInSeconds"
          label={t('portal.lasts')}
          options={LIFETIMES.map(({ value, label }) => ({ value, label: t(label) }))}
        />
        <CheckField form={form} name="readOnly" label={t('portal.readOnly')} />
      </Form>
      <Loaded query={query}>{(links) => <Links links={links} />}</Loaded>
    </Dialog>
  );
}

const STATES = {
  ACTIVE: 'portal.ACTIVE',
  USED: 'portal.USED',
  EXPIRED: 'portal.EXPIRED',
  REVOKED: 'portal.REVOKED',
} as const;

function Links({ links }: { links: readonly PortalLink[] }) {
  const action = useAction(['partners']);
  const columns: Column<PortalLink>[] = [
    { name: 'createdAt', label: t('field.created'), cell: ({ createdAt }) => dateTime(createdAt) },
    { name: 'expiresAt', label: t('keys.expires'), cell: ({ expiresAt }) => dateTime(expiresAt) },
    { name: 'status', label: t('field.status'), cell: ({ status }) => t(STATES[status]) },
    {
      name: 'readOnly',
      label: t('portal.readOnly'),
      cell: ({ readOnly }) => (readOnly ? t('field.yes') : t('field.no')),
    },
    {
      name: 'actions',
      label: t('act.actions'),
      cell: ({ id, status }) =>
        (status === 'ACTIVE' || status === 'USED') && (
          <ActionButton action={action} run={() => call('revokePortalLink', { id })} kind="small">
            {t('keys.revoke')}
          </ActionButton>
        ),
    },
  ];
  return (
    <>
      {action.failure && <Failed failure={action.failure} />}
      <Table
        label={t('portal.open')}
        columns={columns}
        rows={links}
        id={({ id }) => id}
        empty={t('portal.none')}
      />
    </>
  );
}

import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { CreateKeyRequest, Key } from '../contract.ts';
import { instantOf, localOf } from '../format.ts';
import { t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { EditDialog } from '../parts/edit-dialog.tsx';
import { Failed } from '../parts/failed.tsx';
import { ChoicesField, Form, TextField, useForm } from '../parts/fields.tsx';
import { given } from '../parts/filters.tsx';
import { keyColumns, PERMISSIONS } from '../parts/key-columns.tsx';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { ask } from '../parts/questions.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import type { Column } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { may } from '../session.ts';
import { linesOf, numberOf } from '../values.ts';

const SORTED_BY: ReadonlySet<string> = new Set(['name', 'lastUsedAt', 'expiresAt']);

type Opened = { kind: 'new' } | { kind: 'edit' | 'rotate'; key: Key };

/** API keys of a partner: permissions, allowed addresses, last use. */
export function PartnerKeys({ partnerId }: { partnerId: string }) {
  const query = useQuery(
    'listKeys',
    { id: partnerId, query: given('sortBy', 'sortOrder', 'page') as never },
    ['partners'],
  );
  const action = useAction(['partners']);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  async function revoke({ id, name }: Key): Promise<void> {
    const confirmed = await ask({
      title: t('keys.revokeTitle', { name }),
      text: t('keys.revokeText'),
      confirm: t('keys.revoke'),
      danger: true,
    });
    if (confirmed === null) return;
    if (await action.run(() => call('updateKey', { id, body: { status: 'REVOKED' } })))
      toast(t('keys.nowRevoked'));
  }
  const shown: Column<Key>[] = keyColumns().map((column) => ({
    ...column,
    sorts: SORTED_BY.has(column.name),
  }));
  if (may('updateKey'))
    shown.push({
      name: 'actions',
      label: t('act.actions'),
      cell: (key) =>
        key.status === 'ACTIVE' && (
          <div class="buttons">
            <button type="button" class="small" onClick={() => setOpened({ kind: 'edit', key })}>
              {t('act.edit')}
            </button>
            <button type="button" class="small" onClick={() => setOpened({ kind: 'rotate', key })}>
              {t('keys.rotate')}
            </button>
            <button type="button" class="small" disabled={action.busy} onClick={() => void revoke(key)}>
              {t('keys.revoke')}
            </button>
          </div>
        ),
    });
  return (
    <Section
      title={t('partners.keys')}
      actions={
        may('createKey') && (
          <button type="button" class="primary" onClick={() => setOpened({ kind: 'new' })}>
            {t('keys.add')}
          </button>
        )
      }
    >
      {action.failure && <Failed failure={action.failure} />}
      <PagedTable
        query={query}
        label={t('partners.keys')}
        columns={shown}
        id={({ id }) => id}
        empty={t('keys.none')}
      />
      {opened?.kind === 'new' && <NewKey partnerId={partnerId} onClose={close} />}
      {opened?.kind === 'edit' && <EditKey current={opened.key} onClose={close} />}
      {opened?.kind === 'rotate' && <RotateKey current={opened.key} onClose={close} />}
    </Section>
  );
}

type KeyValues = {
  name: string;
  permissions: readonly string[];
  ipAllowlist: string;
  expiresAt: string;
};

const bodyOf = ({ name, permissions, ipAllowlist, expiresAt }: KeyValues): CreateKeyRequest => ({
  name,
  permissions: permissions as Key['permissions'],
  ipAllowlist: linesOf(ipAllowlist),
  expiresAt: expiresAt === '' ? null : instantOf(expiresAt),
});

function KeyFields({ form }: { form: ReturnType<typeof useForm<KeyValues>> }) {
  return (
    <>
      <TextField form={form} name="name" label={t('keys.name')} hint={t('keys.nameHint')} required />
      <ChoicesField
        form={form}
        name="permissions"
        label={t('keys.permissions')}
        options={PERMISSIONS.map((value) => ({ value, label: t(`permission.${value}`) }))}
      />
      <div class="columns">
        <TextField
          form={form}
          name="ipAllowlist"
          label={t('keys.addresses')}
          hint={t('keys.addressesHint')}
          rows={3}
          ltr
        />
        <TextField
          form={form}
          name="expiresAt"
          label={t('keys.expires')}
          hint={t('keys.expiresHint')}
          type="datetime-local"
        />
      </div>
    </>
  );
}

type Secret = { name: string; key: string };

function NewKey({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const form = useForm<KeyValues>({ name: '', permissions: PERMISSIONS, ipAllowlist: '', expiresAt: '' }, [
    'partners',
  ]);
  const [made, setMade] = useState<Secret | null>(null);
  if (made !== null)
    return <SecretDialog title={t('keys.ready', { name: made.name })} secret={made.key} onClose={onClose} />;
  return (
    <Dialog title={t('keys.add')} onClose={onClose} busy={form.busy} wide>
      <Form
        form={form}
        submit={t('act.add')}
        onClose={onClose}
        send={async (values) => {
          const { data } = await call('createKey', { id: partnerId, body: bodyOf(values) });
          setMade(data);
        }}
      >
        <KeyFields form={form} />
      </Form>
    </Dialog>
  );
}

function EditKey({ current: { id, ...key }, onClose }: { current: Key; onClose: () => void }) {
  const form = useForm<KeyValues>(
    {
      name: key.name,
      permissions: key.permissions,
      ipAllowlist: key.ipAllowlist.join('\n'),
      expiresAt: key.expiresAt === null ? '' : localOf(Date.parse(key.expiresAt)),
    },
    ['partners'],
  );
  return (
    <EditDialog
      title={t('keys.editTitle', { name: key.name })}
      form={form}
      onClose={onClose}
      send={(values) => call('updateKey', { id, body: form.changed(bodyOf(values)) })}
    >
      <KeyFields form={form} />
    </EditDialog>
  );
}

function RotateKey({ current: { id, name }, onClose }: { current: Key; onClose: () => void }) {
  const form = useForm({ overlapMinutes: '60' as string }, ['partners']);
  const [made, setMade] = useState<Secret | null>(null);
  if (made !== null)
    return <SecretDialog title={t('keys.ready', { name: made.name })} secret={made.key} onClose={onClose} />;
  return (
    <Dialog title={t('keys.rotateTitle', { name })} onClose={onClose} busy={form.busy}>
      <p>{t('keys.rotateText')}</p>
      <Form
        form={form}
        submit={t('keys.rotate')}
        danger
        onClose={onClose}
        send={async ({ overlapMinutes }) => {
          const { data } = await call('rotateKey', {
            id,
            body: { overlapMinutes: numberOf(overlapMinutes) },
          });
          setMade(data);
        }}
      >
        <TextField
          form={form}
          name="overlapMinutes"
          label={t('keys.overlap')}
          hint={t('keys.overlapHint')}
          type="number"
          ltr
        />
      </Form>
    </Dialog>
  );
}

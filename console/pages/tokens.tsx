import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import type { Token } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { ask } from '../parts/questions.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { type Column, Pager, Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { place } from '../router.ts';
import { may } from '../session.ts';

const ROLES = ['viewer', 'dispatcher', 'admin'] as const;
const roleOptions = () => ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }));

/** Tokens of operators. */
export default function Tokens() {
  const filters = given('search', 'role', 'status', 'sortBy', 'sortOrder', 'page');
  const query = useQuery('listTokens', { query: filters as never }, ['tokens']);
  const action = useAction(['tokens']);
  const [isOpen, setOpen] = useState(false);
  async function revoke({ id, name }: Token): Promise<void> {
    const confirmed = await ask({
      title: t('tokens.revokeTitle', { name }),
      text: t('tokens.revokeText'),
      confirm: t('tokens.revoke'),
      danger: true,
    });
    if (confirmed === null) return;
    if (await action.run(() => call('updateToken', { id, body: { status: 'REVOKED' } })))
      toast(t('tokens.revoked'));
  }
  const columns: Column<Token>[] = [
    { name: 'name', sorts: true, label: t('tokens.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { name: 'role', sorts: true, label: t('tokens.role'), cell: ({ role }) => t(`role.${role}`) },
    {
      name: 'status',
      sorts: true,
      label: t('field.status'),
      cell: ({ status }) => (
        <span class={`badge ${status === 'ACTIVE' ? 'good' : 'plain'}`}>
          {status === 'ACTIVE' ? t('tokens.active') : t('tokens.inactive')}
        </span>
      ),
    },
    {
      name: 'begins',
      label: t('tokens.begins'),
      cell: ({ prefix, last4 }) => (
        <code>
          {prefix}…{last4}
        </code>
      ),
    },
    {
      name: 'lastUsedAt',
      sorts: true,
      label: t('tokens.used'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('tokens.never') : dateTime(lastUsedAt)),
    },
    {
      name: 'createdAt',
      sorts: 'DESC',
      label: t('field.created'),
      cell: ({ createdAt }) => dateTime(createdAt),
    },
  ];
  if (may('updateToken'))
    columns.push({
      name: 'revoke',
      label: t('tokens.revoke'),
      cell: (token) =>
        token.status === 'ACTIVE' && (
          <button type="button" class="small" disabled={action.busy} onClick={() => void revoke(token)}>
            {t('tokens.revoke')}
          </button>
        ),
    });
  return (
    <Page
      title={t('nav.tokens')}
      about={t('tokens.about')}
      actions={
        may('createToken') && (
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            {t('tokens.add')}
          </button>
        )
      }
    >
      <Filters>
        <TextFilter name="search" label={t('filter.search')} hint={t('tokens.name')} />
        <SelectFilter name="role" label={t('tokens.role')} options={roleOptions()} />
        <SelectFilter
          name="status"
          label={t('field.status')}
          options={[
            { value: 'ACTIVE', label: t('tokens.active') },
            { value: 'REVOKED', label: t('tokens.inactive') },
          ]}
        />
      </Filters>
      {action.failure && <Failed failure={action.failure} />}
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <Table
              label={t('nav.tokens')}
              columns={columns}
              rows={data}
              id={({ id }) => id}
              empty={place.value.query.size > 0 ? t('tokens.empty') : t('tokens.none')}
            />
            <Pager meta={meta} />
          </>
        )}
      </Loaded>
      {isOpen && <NewToken onClose={() => setOpen(false)} />}
    </Page>
  );
}

function NewToken({ onClose }: { onClose: () => void }) {
  const form = useForm({ name: '', role: 'dispatcher' }, ['tokens']);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretDialog title={t('tokens.add')} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={t('tokens.add')} onClose={onClose} busy={form.busy}>
      <Form
        form={form}
        submit={t('act.add')}
        onClose={onClose}
        send={async ({ name, role }) => {
          const { data } = await call('createToken', { body: { name, role: role as Token['role'] } });
          setSecret(data.token);
        }}
      >
        <TextField form={form} name="name" label={t('tokens.name')} required />
        <SelectField form={form} name="role" label={t('tokens.role')} options={roleOptions()} />
      </Form>
    </Dialog>
  );
}

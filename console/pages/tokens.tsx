import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { ROLES, type Token } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failed } from '../parts/failed.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { ask } from '../parts/questions.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import type { Column } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { href, place } from '../router.ts';
import { may } from '../session.ts';

const roleOptions = () => ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }));

/** Tokens of operators. */
export default function Tokens() {
  const filters = given('search', 'role', 'status', 'sortBy', 'sortOrder', 'page');
  const query = useQuery('listTokens', { query: filters as never }, ['tokens']);
  const action = useAction(['tokens']);
  const [opened, setOpened] = useState<'token' | 'person' | null>(null);
  const [made, setMade] = useState<{ name: string; url: string } | null>(null);
  async function makeLink({ id, name }: Token): Promise<void> {
    await action.run(async () => setMade({ name, url: await newLink(id) }));
  }
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
      cell: ({ status, expiresAt }) => (
        <span class={`badge ${status === 'ACTIVE' && !hasExpired(expiresAt) ? 'good' : 'plain'}`}>
          {status !== 'ACTIVE'
            ? t('tokens.inactive')
            : hasExpired(expiresAt)
              ? t('tokens.expired')
              : t('tokens.active')}
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
      name: 'expiresAt',
      label: t('tokens.expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('tokens.noEnd') : dateTime(expiresAt)),
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
      label: t('act.actions'),
      cell: (token) =>
        token.status === 'ACTIVE' && (
          <>
            {!hasExpired(token.expiresAt) && (
              <button type="button" class="small" disabled={action.busy} onClick={() => void makeLink(token)}>
                {t('tokens.link')}
              </button>
            )}{' '}
            <button type="button" class="small" disabled={action.busy} onClick={() => void revoke(token)}>
              {t('tokens.revoke')}
            </button>
          </>
        ),
    });
  return (
    <Page
      title={t('nav.tokens')}
      about={t('tokens.about')}
      actions={
        may('createToken') && (
          <>
            <a class="button" href={href('/sessions')}>
              {t('sessions.title')}
            </a>
            <button type="button" onClick={() => setOpened('token')}>
              {t('tokens.add')}
            </button>
            <button type="button" class="primary" onClick={() => setOpened('person')}>
              {t('tokens.invite')}
            </button>
          </>
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
      <PagedTable
        query={query}
        label={t('nav.tokens')}
        columns={columns}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('tokens.empty') : t('tokens.none')}
      />
      {opened !== null && <NewToken isPerson={opened === 'person'} onClose={() => setOpened(null)} />}
      {made !== null && (
        <SecretDialog
          title={t('tokens.linkFor', { name: made.name })}
          secret={made.url}
          onClose={() => setMade(null)}
        />
      )}
    </Page>
  );
}

const hasExpired = (expiresAt: string | null): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

/** The whole address of a new sign-in link for the holder of the token. */
async function newLink(id: string): Promise<string> {
  const { data } = await call('createSignInLink', { id });
  return new URL(data.url, location.origin).href;
}

const DAYS = { '': null, 30: 30, 90: 90, 365: 365 } as const;
type Days = keyof typeof DAYS;
const daysOptions = () => [
  { value: '', label: t('tokens.noEnd') },
  { value: '30', label: t('tokens.days30') },
  { value: '90', label: t('tokens.days90') },
  { value: '365', label: t('tokens.year') },
];

/** A new token, or a person with a link, whose token nobody sees. */
function NewToken({ isPerson, onClose }: { isPerson: boolean; onClose: () => void }) {
  const form = useForm({ name: '', role: 'dispatcher', days: '' }, ['tokens']);
  const [secret, setSecret] = useState<string | null>(null);
  const title = t(isPerson ? 'tokens.invite' : 'tokens.add');
  if (secret !== null) return <SecretDialog title={title} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose} busy={form.busy}>
      <Form
        form={form}
        submit={t('act.add')}
        onClose={onClose}
        send={async ({ name, role, days }) => {
          const length = DAYS[days as Days];
          const expiresAt =
            length === null
              ? null
              : new Date(Date.now() + length * 86_400_000).toISOString().slice(0, 19) + 'Z';
          const { data } = await call('createToken', {
            body: { name, role: role as Token['role'], expiresAt },
          });
          setSecret(isPerson ? await newLink(data.id) : data.token);
        }}
      >
        {isPerson && <p>{t('tokens.inviteAbout')}</p>}
        <TextField form={form} name="name" label={t(isPerson ? 'tokens.person' : 'tokens.name')} required />
        <SelectField form={form} name="role" label={t('tokens.role')} options={roleOptions()} />
        <SelectField form={form} name="days" label={t('tokens.expiresAfter')} options={daysOptions()} />
      </Form>
    </Dialog>
  );
}

import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { ROLES, type Token } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Form, SelectField, TextField, useForm } from '../parts/fields.tsx';
import { Filters, given, SelectFilter, TextFilter } from '../parts/filters.tsx';
import { Page, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { ask } from '../parts/questions.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { href, place } from '../router.ts';
import { may } from '../session.ts';

const roleOptions = () => ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }));

const WAYS = { revoke: { status: 'REVOKED' }, promote: { role: 'admin' }, signOut: null } as const;

/** People of the office, and tokens of programs. */
export default function Tokens() {
  const filters = { ...given('search', 'role', 'status', 'sortBy', 'sortOrder'), isPerson: 'true' };
  const people = useQuery('listTokens', { query: { ...filters, ...given('page') } as never }, ['tokens']);
  const ofPrograms = { ...filters, limit: 100, isPerson: 'false' };
  const programs = useQuery('listTokens', { query: ofPrograms as never }, ['tokens']);
  const action = useAction(['tokens']);
  const [opened, setOpened] = useState<'token' | 'person' | null>(null);
  const [made, setMade] = useState<{ name: string; url: string } | null>(null);
  async function makeLink({ id, name }: Token): Promise<void> {
    await action.run(async () => setMade({ name, url: await newLink(id, true) }));
  }
  async function change({ id, name }: Token, way: keyof typeof WAYS): Promise<void> {
    const confirmed = await ask({
      title: t(`tokens.${way}Title`, { name }),
      text: t(`tokens.${way}Text`),
      confirm: t(`tokens.${way}`),
      danger: way !== 'promote',
    });
    const body = WAYS[way];
    const run = async () => (body === null ? call('endSignIns', { id }) : call('updateToken', { id, body }));
    if (confirmed !== null && (await action.run(run))) toast(t(`tokens.${way}Done`));
  }
  const columnsOf = (...own: Column<Token>[]): Column<Token>[] => [
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
    ...own,
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
    {
      name: 'revoke',
      label: t('act.actions'),
      cell: (token) => {
        const act = (label: string, run: () => Promise<void>) => (
          <button type="button" class="small" disabled={action.busy} onClick={() => void run()}>
            {label}
          </button>
        );
        if (token.status !== 'ACTIVE') return null;
        const { isPerson, role, expiresAt } = token;
        return (
          <div class="buttons">
            {isPerson && !hasExpired(expiresAt) && act(t('tokens.link'), () => makeLink(token))}
            {isPerson && act(t('tokens.signOut'), () => change(token, 'signOut'))}
            {isPerson && role !== 'admin' && act(t('tokens.promote'), () => change(token, 'promote'))}
            {act(t('tokens.revoke'), () => change(token, 'revoke'))}
          </div>
        );
      },
    },
  ];
  const begins: Column<Token> = {
    name: 'begins',
    label: t('tokens.begins'),
    cell: ({ prefix, last4 }) => <code>{`${prefix}…${last4}`}</code>,
  };
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
        query={people}
        label={t('nav.tokens')}
        columns={columnsOf()}
        id={({ id }) => id}
        empty={place.value.query.size > 0 ? t('tokens.empty') : t('tokens.none')}
      />
      {may('createToken') && (
        <Section
          title={t('tokens.programs')}
          actions={
            <button type="button" onClick={() => setOpened('token')}>
              {t('tokens.add')}
            </button>
          }
        >
          <Loaded query={programs}>
            {({ data }) => (
              <Table
                label={t('tokens.programs')}
                columns={columnsOf(begins)}
                rows={data}
                id={({ id }) => id}
                empty={t('tokens.noPrograms')}
              />
            )}
          </Loaded>
        </Section>
      )}
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

/** The whole address of a new sign-in link for the person, for a first or a further browser. */
async function newLink(id: string, addsBrowser: boolean): Promise<string> {
  const { data } = await call('createSignInLink', { id, body: { addsBrowser } });
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

/** A person with a link, or the token of a program. */
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
          setSecret(isPerson ? await newLink(data.id, false) : data.token);
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

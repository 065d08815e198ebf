import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import { call } from '../api.ts';
import type { CrewLink, Team } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { useAction, useAll } from '../query.ts';
import { place, setQuery } from '../router.ts';
import { may } from '../session.ts';
import { ActionButton } from './action-button.tsx';
import { numberColumn } from './columns.tsx';
import { Dialog } from './dialog.tsx';
import { Failed, Loaded } from './failed.tsx';
import { Form, SelectField, TextField, useForm } from './fields.tsx';
import { SecretDialog } from './secret.tsx';
import { type Column, Table } from './table.tsx';

/** The value of the query parameter `do` that opens the dialog, also from other pages. */
export const CREW_PAGE = 'crew';

/** Makes, shows and revokes links of a team's crew. */
export function CrewLinks({ team }: { team: Team }) {
  const isOpen = place.value.query.get('do') === CREW_PAGE;
  const show = (opens: boolean): void => setQuery({ do: opens ? CREW_PAGE : '' }, { replace: true });
  return (
    <>
      <button type="button" onClick={() => show(true)}>
        {t('crew.page')}
      </button>
      {isOpen && <LinksDialog team={team} onClose={() => show(false)} />}
    </>
  );
}

function LinksDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const form = useForm({ lasts: 'DAY' as string, pin: '' }, ['audit']);
  const query = useAll('listCrewLinks', { id: team.id }, ['audit']);
  const [url, setUrl] = useState<string | null>(null);
  if (url !== null) return <NewLink team={team} url={url} onClose={() => setUrl(null)} />;
  return (
    <Dialog title={t('crew.title', { team: team.name })} onClose={onClose} busy={form.busy} wide>
      <p>{t('crew.about')}</p>
      {may('createCrewLink') && (
        <Form
          form={form}
          submit={t('crew.make')}
          onClose={onClose}
          send={async ({ lasts, pin }) => {
            const body = { lasts: lasts as 'DAY', ...(pin !== '' && { pin }) };
            setUrl((await call('createCrewLink', { id: team.id, body })).data.url);
          }}
        >
          <div class="columns">
            <SelectField
              form={form}
              name="lasts"
              label={t('crew.lasts')}
              options={[
                { value: 'DAY', label: t('crew.day') },
                { value: 'UNTIL_REVOKED', label: t('crew.untilRevoked') },
              ]}
            />
            <TextField form={form} name="pin" label={t('crew.pin')} hint={t('crew.pinHint')} ltr />
          </div>
        </Form>
      )}
      <Loaded query={query}>{(links) => <Links links={links} />}</Loaded>
    </Dialog>
  );
}

/** The new link as a code for the camera of a telephone; shown once. */
function NewLink({ team, url, onClose }: { team: Team; url: string; onClose: () => void }) {
  return (
    <SecretDialog
      title={t('crew.ready', { team: team.name })}
      secret={url}
      about={
        <>
          <p>{t('crew.scan')}</p>
          <QrCode text={url} />
        </>
      }
      onClose={onClose}
    />
  );
}

function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t('crew.qr')}>
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path d={path} />
    </svg>
  );
}

const STATES = {
  ACTIVE: 'crew.ACTIVE',
  LOCKED: 'crew.LOCKED',
  EXPIRED: 'crew.EXPIRED',
  REVOKED: 'crew.REVOKED',
} as const;

function Links({ links }: { links: readonly CrewLink[] }) {
  const action = useAction(['audit']);
  const columns: Column<CrewLink>[] = [
    { name: 'createdAt', label: t('field.created'), cell: ({ createdAt }) => dateTime(createdAt) },
    { name: 'createdBy', label: t('crew.by'), cell: ({ createdBy }) => <bdi>{createdBy}</bdi> },
    {
      name: 'expiresAt',
      label: t('keys.expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('crew.untilRevoked') : dateTime(expiresAt)),
    },
    {
      name: 'status',
      label: t('field.status'),
      cell: ({ status, hasPin }) => `${t(STATES[status])}${hasPin ? ` · ${t('crew.hasPin')}` : ''}`,
    },
    numberColumn('telephones', t('crew.telephones')),
    {
      name: 'lastSeenAt',
      label: t('crew.lastSeen'),
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? t('crew.never') : dateTime(lastSeenAt)),
    },
    {
      name: 'actions',
      label: t('act.actions'),
      cell: ({ id, status }) =>
        may('revokeCrewLink') &&
        (status === 'ACTIVE' || status === 'LOCKED') && (
          <ActionButton action={action} run={() => call('revokeCrewLink', { id })} kind="small">
            {t('keys.revoke')}
          </ActionButton>
        ),
    },
  ];
  return (
    <>
      {action.failure && <Failed failure={action.failure} />}
      <Table
        label={t('crew.page')}
        columns={columns}
        rows={links}
        id={({ id }) => id}
        empty={t('crew.none')}
      />
    </>
  );
}

import { call } from '../api.ts';
import type { Session } from '../contract.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { Failed } from '../parts/failed.tsx';
import { given } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { ask } from '../parts/questions.tsx';
import type { Column } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction, useQuery } from '../query.ts';
import { may } from '../session.ts';
import { leave } from '../signing-in.ts';

const nameOf = ({ name }: Session): string => name ?? t('live.firstToken');

function browserOf({ browser, system }: Session): string {
  if (browser !== null && system !== null) return t('sessions.browserOn', { browser, system });
  return browser ?? system ?? t('sessions.unknown');
}

/** Sessions of the console: one's own, for an administrator all. */
export default function Sessions() {
  const query = useQuery('listSessions', { query: given('page') as never }, ['tokens']);
  const action = useAction(['tokens']);
  async function end(session: Session): Promise<void> {
    if (session.isCurrent) return leave();
    const confirmed = await ask({
      title: t('sessions.endTitle', { name: nameOf(session) }),
      text: t('sessions.endText'),
      confirm: t('sessions.end'),
      danger: true,
    });
    if (confirmed !== null && (await action.run(() => call('endSession', { id: session.id }))))
      toast(t('sessions.ended'));
  }
  const columns: Column<Session>[] = [
    { name: 'person', label: t('sessions.person'), cell: (session) => <bdi>{nameOf(session)}</bdi> },
    { name: 'role', label: t('tokens.role'), cell: ({ role }) => t(`role.${role}`) },
    {
      name: 'browser',
      label: t('sessions.browser'),
      cell: (session) => (
        <>
          {browserOf(session)} {session.isCurrent && <span class="badge good">{t('sessions.this')}</span>}
        </>
      ),
    },
    { name: 'since', label: t('sessions.since'), cell: ({ createdAt }) => dateTime(createdAt) },
    { name: 'seen', label: t('sessions.seen'), cell: ({ lastSeenAt }) => dateTime(lastSeenAt) },
    { name: 'until', label: t('sessions.until'), cell: ({ expiresAt }) => dateTime(expiresAt) },
    {
      name: 'end',
      label: t('act.actions'),
      cell: (session) => (
        <button type="button" class="small" disabled={action.busy} onClick={() => void end(session)}>
          {session.isCurrent ? t('app.signOut') : t('sessions.end')}
        </button>
      ),
    },
  ];
  return (
    <Page title={t('sessions.title')} about={t(may('listTokens') ? 'sessions.aboutAll' : 'sessions.about')}>
      {action.failure && <Failed failure={action.failure} />}
      <PagedTable
        query={query}
        label={t('sessions.title')}
        columns={columns}
        id={({ id }) => id}
        empty={t('sessions.none')}
      />
    </Page>
  );
}

import type { Answer } from '../api.ts';
import { addDays, dateIn, dayOf, number, percent, shortDayOf } from '../format.ts';
import { language, nameById, nameOf, t } from '../language.ts';
import { Loaded } from '../parts/failed.tsx';
import { DateFilter, Filters } from '../parts/filters.tsx';
import { Linked } from '../parts/linked.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useAll, useQuery } from '../query.ts';
import { dateOfAddress, href, place } from '../router.ts';
import { now } from '../session.ts';

type Utilisation = Answer<'getUtilisation'>['data'];
type Figures = Pick<Utilisation, 'workableMinutes' | 'bookedMinutes' | 'utilisation'>;
type Team = Utilisation['teams'][number];

const TOPICS = ['appointments', 'availability', 'catalogue'] as const;

/** Sunday to Saturday. */
function weekOf(date: string): { from: string; to: string } {
  const from = addDays(date, -new Date(`${date}T00:00:00Z`).getUTCDay());
  return { from, to: addDays(from, 6) };
}

/** The booked share of teams' working time: by zone and day, and by team. */
export default function UtilisationPage() {
  const week = weekOf(dateIn(now.value));
  const [from, to] = [dateOfAddress('from') ?? week.from, dateOfAddress('to') ?? week.to];
  const usage = useQuery('getUtilisation', { query: { from, to } }, TOPICS);
  // Links from an invalid range (From after To) lead to whole weeks.
  const isRange = from <= to;
  const days = isRange ? Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1 : 7;
  const shifted = (by: number): string =>
    href(
      '/utilisation',
      isRange ? { from: addDays(from, by), to: addDays(to, by) } : weekOf(addDays(from, by)),
    );
  const isRtl = language.value === 'ar';
  return (
    <Page
      title={t('nav.utilisation')}
      about={t('usage.about')}
      actions={
        <>
          <a class="button" href={shifted(-days)} rel="prev">
            <span aria-hidden="true">{isRtl ? '→' : '←'}</span> {t('usage.previous')}
          </a>
          <a class="button" href={shifted(days)} rel="next">
            {t('usage.next')} <span aria-hidden="true">{isRtl ? '←' : '→'}</span>
          </a>
        </>
      }
    >
      <Filters>
        <DateFilter name="from" label={t('filter.from')} value={from} />
        <DateFilter name="to" label={t('filter.to')} value={to} />
      </Filters>
      <Loaded query={usage}>
        {({ data }) =>
          data.workableMinutes === 0 && data.bookedMinutes === 0 ? (
            <p class="empty">{t('usage.empty')}</p>
          ) : (
            <>
              <Section title={t('usage.week')}>
                <HeatTable usage={data} />
              </Section>
              <Drill />
              <Section title={t('usage.teams')}>
                <Teams teams={data.teams} />
              </Section>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const shareOf = ({ utilisation }: Figures): string =>
  utilisation === null ? t('usage.none') : percent(utilisation);

/** The sum of all zones: a team with several is divided between them. */
function sumOf(parts: readonly Figures[]): Figures {
  const sum = (name: 'workableMinutes' | 'bookedMinutes') =>
    parts.reduce((total, part) => total + part[name], 0);
  const [workableMinutes, bookedMinutes] = [sum('workableMinutes'), sum('bookedMinutes')];
  const utilisation = workableMinutes === 0 ? null : bookedMinutes / workableMinutes;
  return { workableMinutes, bookedMinutes, utilisation };
}

/** The colour only repeats the number. */
const heat = ({ utilisation }: Figures) => ({
  '--share': `${Math.round(Math.min(utilisation ?? 0, 1) * 55)}%`,
});

function HeatTable({ usage: { zones, from, to, ...all } }: { usage: Utilisation }) {
  const { query } = place.value;
  const dates = zones[0]?.days.map(({ date }) => date) ?? [];
  const isOpen = (zoneId: string, date: string): boolean =>
    query.get('zoneId') === zoneId && query.get('day') === date;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section class="heat-scroll" tabIndex={0} aria-label={t('usage.week')}>
      <table class="heat">
        <thead>
          <tr>
            <th scope="col">{t('usage.zone')}</th>
            {dates.map((date) => (
              <th key={date} scope="col">
                {shortDayOf(date)}
              </th>
            ))}
            <th scope="col">{t('usage.all')}</th>
          </tr>
        </thead>
        <tbody>
          {zones.map(({ id, name, nameAr, days, ...whole }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{nameOf({ name, nameAr })}</bdi>
              </th>
              {days.map((day) => (
                <td key={day.date}>
                  <a
                    href={href('/utilisation', { from, to, zoneId: id, day: day.date })}
                    aria-current={isOpen(id, day.date) ? 'true' : undefined}
                    title={t('usage.drill', { zone: nameOf({ name, nameAr }), day: dayOf(day.date) })}
                    style={heat(day)}
                  >
                    {shareOf(day)}
                  </a>
                </td>
              ))}
              <td>
                <span style={heat(whole)}>{shareOf(whole)}</span>
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t('usage.all')}</th>
            {dates.map((date, index) => {
              const day = sumOf(zones.map(({ days }) => days[index]!));
              return (
                <td key={date}>
                  <span style={heat(day)}>{shareOf(day)}</span>
                </td>
              );
            })}
            <td>
              <span style={heat(all)}>{shareOf(all)}</span>
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

/** The teams of the chosen zone on the chosen day. */
function Drill() {
  const { query } = place.value;
  const [zoneId, day] = [query.get('zoneId'), query.get('day')];
  const isChosen = zoneId !== null && day !== null;
  const usage = useQuery('getUtilisation', isChosen ? { query: { from: day, to: day } } : null, TOPICS);
  const teams = useAll('listTeams', isChosen ? { query: { zoneId } } : null, ['availability']);
  if (!isChosen) return null;
  const of = new Set(teams.answer?.map(({ id }) => id));
  return (
    <Loaded query={usage}>
      {({ data }) => (
        <Section
          title={t('usage.drill', {
            zone: nameById(data.zones, zoneId),
            day: dayOf(day),
          })}
          actions={
            <a class="button" href={href('/board', { date: day, zoneId })}>
              {t('teams.onBoard')}
            </a>
          }
        >
          <Teams teams={data.teams.filter(({ id }) => of.has(id))} />
        </Section>
      )}
    </Loaded>
  );
}

const hours = (minutes: number): string => t('usage.hours', { hours: number(Math.round(minutes / 6) / 10) });

const columns = (): Column<Team>[] => [
  {
    name: 'name',
    label: t('field.team'),
    cell: (team) => <Linked address={`/teams/${team.id}`} text={nameOf(team)} />,
  },
  {
    name: 'share',
    label: t('usage.share'),
    cell: (team) => (
      <>
        {shareOf(team)}
        <span aria-hidden="true">
          <ShareBar share={team.utilisation} label={shareOf(team)} />
        </span>
      </>
    ),
  },
  {
    name: 'booked',
    label: t('usage.booked'),
    end: true,
    cell: ({ bookedMinutes }) => hours(bookedMinutes),
  },
  {
    name: 'workable',
    label: t('usage.workable'),
    end: true,
    cell: ({ workableMinutes }) => hours(workableMinutes),
  },
];

function Teams({ teams }: { teams: readonly Team[] }) {
  const sorted = [...teams].sort((a, b) => (b.utilisation ?? -1) - (a.utilisation ?? -1));
  return (
    <Table
      label={t('usage.teams')}
      columns={columns()}
      rows={sorted}
      id={({ id }) => id}
      empty={t('usage.empty')}
    />
  );
}

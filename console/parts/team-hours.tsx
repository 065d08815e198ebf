import { useId, useState } from 'preact/hooks';
import type { DayOfTeam } from '../contract.ts';
import { dateIn, dateTime } from '../format.ts';
import { nameOf, t } from '../language.ts';
import { useQuery } from '../query.ts';
import { now } from '../session.ts';
import { DateInput } from './date-input.tsx';
import { Facts } from './facts.tsx';
import { Loaded } from './failed.tsx';

/** The hours of a team on a date, and the schedule or the weekly shifts that they come from. */
export function TeamHours({ teamId }: { teamId: string }) {
  const [date, setDate] = useState(dateIn(now.value));
  const query = useQuery('getTeamHours', { id: teamId, query: { from: date, to: date } }, ['availability']);
  return (
    <>
      <DateField date={date} onChange={setDate} />
      <Loaded query={query}>{({ data: [day] }) => day && <Day day={day} />}</Loaded>
    </>
  );
}

/** The same of each team that serves a zone. */
export function ZoneHours({ zoneId }: { zoneId: string }) {
  const [date, setDate] = useState(dateIn(now.value));
  const query = useQuery('getZoneHours', { id: zoneId, query: { from: date, to: date } }, ['availability']);
  return (
    <section aria-label={t('teams.hoursOn')}>
      <h3>{t('teams.hoursOn')}</h3>
      <DateField date={date} onChange={setDate} />
      <Loaded query={query}>
        {({ data }) => (
          <>
            {data.length === 0 && <p class="faint">{t('zones.hoursNoTeam')}</p>}
            {data.map(({ team, days: [day] }) => (
              <section key={team.id} aria-label={nameOf(team)}>
                <h4>
                  <bdi>{nameOf(team)}</bdi>
                </h4>
                {day && <Day day={day} />}
              </section>
            ))}
          </>
        )}
      </Loaded>
    </section>
  );
}

function DateField({ date, onChange }: { date: string; onChange: (date: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t('teams.hoursDate')}</label>
      <DateInput id={id} plans value={date} onChange={(value) => value !== '' && onChange(value)} />
    </div>
  );
}

const rangeOf = ({ startsAt, endsAt }: DayOfTeam['hours'][number]): string =>
  t('schedules.fromTo', { from: dateTime(startsAt), to: dateTime(endsAt) });

function Day({ day: { schedule, hours, breaks } }: { day: DayOfTeam }) {
  return (
    <Facts
      facts={[
        {
          label: t('teams.hours'),
          value:
            hours.length === 0
              ? t('teams.hoursNone')
              : hours.map((one) => <div key={one.startsAt}>{rangeOf(one)}</div>),
        },
        {
          label: t('teams.hoursWhy'),
          value: schedule === null ? t('teams.week') : <bdi>{nameOf(schedule)}</bdi>,
        },
        breaks.length > 0 && {
          label: t('teams.hoursBreaks'),
          value: breaks.map((one) => (
            <div key={`${one.schedule.id} ${one.startsAt}`}>
              {rangeOf(one)} · <bdi>{nameOf(one.schedule)}</bdi>
            </div>
          )),
        },
      ]}
    />
  );
}

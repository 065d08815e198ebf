import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Board, BoardAppointment, BoardTeam } from '../contract.ts';
import { dateIn, dayOf, fromTo, hijriOf, number, timeOfDay } from '../format.ts';
import { customerName, nameOf, t } from '../language.ts';
import { useTeamOptions } from '../options.ts';
import { addressText } from '../parts/address-text.ts';
import { Loaded } from '../parts/failed.tsx';
import { DateFilter, SelectFilter } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { Phone } from '../parts/phone.tsx';
import { useQuery } from '../query.ts';
import { dateOfAddress, place } from '../router.ts';
import { now } from '../session.ts';

const TOPICS = ['appointments', 'bookings', 'availability', 'catalogue', 'clock'] as const;

/** The sheets of a day for printing: the visits of each team, without prices. */
export default function Sheets() {
  const today = useComputed(() => dateIn(now.value)).value;
  const date = dateOfAddress('date') ?? today;
  const teamId = place.value.query.get('teamId');
  const zoneId = place.value.query.get('zoneId');
  const board = useQuery('getBoard', { query: { date, ...(zoneId && { zoneId }) } }, TOPICS);
  const teams = useTeamOptions();
  return (
    <Page
      title={t('sheets.title')}
      about={dayOf(date)}
      actions={
        <button type="button" class="primary" onClick={() => print()}>
          {t('sheets.print')}
        </button>
      }
    >
      <search class="filters" aria-label={t('filter.title')}>
        <DateFilter name="date" label={t('board.date')} value={date} />
        <SelectFilter name="teamId" label={t('field.team')} options={teams} />
      </search>
      <Loaded query={board}>{({ data }) => <SheetsOf board={data} teamId={teamId} />}</Loaded>
    </Page>
  );
}

function SheetsOf({ board, teamId }: { board: Board; teamId: string | null }) {
  const sheets = board.teams
    .filter(({ id }) => teamId === null || id === teamId)
    .map((team) => ({ team, visits: visitsOf(board, team) }))
    .filter(({ visits }) => visits.length > 0);
  if (sheets.length === 0) return <p class="empty">{t('sheets.empty')}</p>;
  return (
    <div class="sheets">
      {sheets.map(({ team, visits }) => (
        <Sheet key={team.id} team={team} date={board.date} visits={visits} />
      ))}
    </div>
  );
}

/** The team's visits that start on the board's date, by start: a night is on the sheet of its first day only. */
function visitsOf({ appointments, date }: Board, { id }: BoardTeam): BoardAppointment[] {
  return appointments
    .filter(({ teamId, startsAt }) => teamId === id && dateIn(Date.parse(startsAt)) === date)
    .sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
}

type SheetProps = { team: BoardTeam; date: string; visits: readonly BoardAppointment[] };

function Sheet({ team, date, visits }: SheetProps) {
  return (
    <section class="sheet" aria-label={nameOf(team)}>
      <h2>
        <bdi>{nameOf(team)}</bdi>
      </h2>
      <p>
        {dayOf(date)} · {hijriOf(date)} · {t('sheets.count', { count: number(visits.length) })}
      </p>
      <ol>
        {visits.map((visit) => (
          <li key={visit.id}>
            <VisitOf visit={visit} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function VisitOf({ visit }: { visit: BoardAppointment }) {
  const { name, startsAt, endsAt, isAssigned, service, contact, address, partner, booking } = visit;
  const { latitude, longitude, directions } = address;
  const phone = <Phone contact={contact}>{(shown) => <bdi dir="ltr">{shown}</bdi>}</Phone>;
  const lines: [label: string, value: ComponentChildren, isLtr?: boolean][] = [
    [t('field.service'), nameOf(service)],
    [t('field.customer'), customerName(contact)],
    [t('field.phone'), contact.phone && phone],
    [t('field.address'), addressText(address) ?? t('field.none')],
    [t('address.directions'), directions],
    [t('sheets.map'), latitude && longitude && `https://maps.google.com/?q=${latitude},${longitude}`, true],
    [t('field.partner'), partner.name],
    [t('sheets.notes'), booking.notes],
  ];
  return (
    <>
      <h3>
        {fromTo(timeOfDay(startsAt), timeOfDay(endsAt))} · <bdi>{name}</bdi>
      </h3>
      {!isAssigned && <p>{t('sheets.unassigned')}</p>}
      <dl>
        {lines.map(
          ([label, value, isLtr = false]) =>
            value !== null && (
              <>
                <dt>{label}</dt>
                <dd>
                  <bdi dir={isLtr ? 'ltr' : undefined}>{value}</bdi>
                </dd>
              </>
            ),
        )}
      </dl>
    </>
  );
}

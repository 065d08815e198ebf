import { useState } from 'preact/hooks';
import { dateIn, dayOf, money, number } from '../format.ts';
import { language, t } from '../language.ts';
import { Badge } from '../parts/badge.tsx';
import { DateInput } from '../parts/date-input.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loaded } from '../parts/failed.tsx';
import { StatusSteps, statusOf } from '../parts/status-steps.tsx';
import { useQuery } from '../query.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { clockTime, instant, type Visit } from './day.ts';
import { isMovable, moveTo } from './moves.ts';
import { type Placements, type PlacementTeam, ranked, reasonText, startOf } from './placements.ts';
import { serviceName } from './visit-block.tsx';

/** Details of a visit, and moving it without dragging: by touch, and to another date. */
export function VisitDialog({
  visit,
  teamName,
  onClose,
}: {
  visit: Visit;
  teamName: string;
  onClose: () => void;
}) {
  const { booking, contact, partner, address } = visit;
  const where = [address.streetName, address.districtName, address.cityName]
    .filter(Boolean)
    .join(language.value === 'ar' ? '، ' : ', ');
  return (
    <Dialog title={visit.name} onClose={onClose}>
      <Facts
        facts={[
          {
            label: t('field.when'),
            value: (
              <>
                {dayOf(dateIn(instant(visit.startsAt)))}{' '}
                <bdi dir="ltr">
                  {clockTime(instant(visit.startsAt))}–{clockTime(instant(visit.endsAt))}
                </bdi>
              </>
            ),
          },
          {
            label: t('field.status'),
            value: <Badge kind="appointment" state={statusOf(visit)} />,
          },
          {
            label: t('field.team'),
            value: visit.isAssigned ? <bdi>{teamName}</bdi> : t('board.heldBy', { team: teamName }),
          },
          { label: t('field.service'), value: <bdi>{serviceName(visit)}</bdi> },
          { label: t('field.partner'), value: <bdi>{partner.name}</bdi> },
          { label: t('field.customer'), value: <bdi>{contact.name}</bdi> },
          {
            label: t('field.phone'),
            value: (
              <a href={`tel:${contact.phone}`}>
                <bdi dir="ltr">{contact.phone}</bdi>
              </a>
            ),
          },
          where !== '' && { label: t('field.address'), value: <bdi>{where}</bdi> },
          {
            label: t('field.payment'),
            value: (
              <>
                <Badge kind="paymentStatus" state={booking.paymentStatus} /> {money(booking.amount)}
              </>
            ),
          },
          visit.problem !== null && { label: t('board.againstRules'), value: reasonText(visit.problem) },
          booking.notes !== null && { label: t('field.notes'), value: <bdi>{booking.notes}</bdi> },
        ]}
      />
      <StatusSteps visit={{ ...visit, bookingId: booking.id, bookingStatus: booking.status }} />
      <p>
        <a href={href(`/bookings/${booking.id}`)}>{t('board.toBooking')}</a>
      </p>
      {may('updateAppointment') && isMovable(visit) && <Places visit={visit} onDone={onClose} />}
    </Dialog>
  );
}

/** Placements on a date, best first. */
function Places({ visit, onDone }: { visit: Visit; onDone: () => void }) {
  const [date, setDate] = useState(dateIn(instant(visit.startsAt)));
  const places = useQuery('listPlacements', date === '' ? null : { id: visit.id, query: { date } }, [
    'appointments',
    'availability',
  ]);
  return (
    <section class="places" aria-label={t('board.move')}>
      <h3>{t('board.move')}</h3>
      <p class="field">
        <label for="places-date">{t('board.date')}</label>
        <DateInput id="places-date" value={date} onChange={setDate} />
      </p>
      <Loaded query={places}>
        {({ data }) => {
          const free = ranked(data);
          if (free.length === 0) return <p class="empty">{t('board.noPlaces')}</p>;
          return (
            <ul class="place-list">
              {free.map((team) => (
                <li key={team.id}>
                  <Place
                    data={data}
                    team={team}
                    choose={(startAt) => {
                      onDone();
                      void moveTo(visit, { teamId: team.id, start: startOf(data, startAt) });
                    }}
                  />
                </li>
              ))}
              {data.teams
                .filter(({ rank }) => rank === null)
                .map(({ id, name, reason }) => (
                  <li key={id} class="faint small">
                    <bdi>{name}</bdi>: {reason === null ? t('board.noneFree') : reasonText(reason)}
                  </li>
                ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

function Place({
  data,
  team: { name, best, slots, keepsTeam, usedMinutes },
  choose,
}: {
  data: Placements;
  team: PlacementTeam;
  choose: (startAt: string) => void;
}) {
  const free = slots.filter((slot, index) => slot.free && data.starts[index]?.problem === null);
  const [startAt, setStartAt] = useState(best!.startAt);
  const detour = free.find((slot) => slot.startAt === startAt)?.detourKm ?? 0;
  return (
    <div class="place">
      <span>
        <bdi>{name}</bdi>{' '}
        <span class="faint small">
          {[
            keepsTeam ? t('board.keepsTeam') : '',
            detour > 0 ? t('board.detour', { km: number(detour) }) : '',
            t('board.used', { hours: number(Math.round(usedMinutes / 6) / 10) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <select
        aria-label={t('board.startOf', { team: name })}
        value={startAt}
        onChange={(event) => setStartAt(event.currentTarget.value)}
      >
        {free.map((slot) => (
          <option key={slot.startAt} value={slot.startAt}>
            {slot.startAt}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => choose(startAt)}>
        {t('board.move')}
        <span class="unseen">
          {' '}
          <bdi>{name}</bdi>
        </span>
      </button>
    </div>
  );
}

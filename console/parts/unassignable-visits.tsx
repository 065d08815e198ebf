import { reasonText } from '../board/placements.ts';
import { dateTime } from '../format.ts';
import { t } from '../language.ts';
import { href } from '../router.ts';
import { Dialog } from './dialog.tsx';

/** An appointment that lost its team by a change. */
export type UnassignableVisit = {
  id: string;
  name: string;
  bookingId: string;
  startsAt: string;
  reasons?: readonly string[];
};

/** Lists the appointments that the team can no longer do, each with a link to reassign it. */
export function UnassignableVisits({
  teamId,
  visits,
  onClose,
}: {
  teamId: string;
  visits: readonly UnassignableVisit[];
  onClose: () => void;
}) {
  return (
    <Dialog title={t('teams.lost')} onClose={onClose}>
      <p>{t('teams.lostAbout')}</p>
      <ul>
        {visits.map(({ id, name, bookingId, startsAt, reasons = [] }) => (
          <li key={id}>
            <a href={href(`/bookings/${bookingId}`)}>
              <bdi>{name}</bdi>
            </a>{' '}
            {dateTime(startsAt)}
            {reasons.length > 0 && <span class="faint"> · {reasons.map(reasonText).join(', ')}</span>}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <a class="button" href={href('/outside', { teamId })}>
          {t('teams.lostAll')}
        </a>
        <button type="button" onClick={onClose}>
          {t('act.cancel')}
        </button>
      </div>
    </Dialog>
  );
}

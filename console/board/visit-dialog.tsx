import { useState } from 'preact/hooks';
import type { BoardTeam } from '../contract.ts';
import { dateIn, dayOf, fromTo, money } from '../format.ts';
import { customerName, t } from '../language.ts';
import { addressText } from '../parts/address-text.ts';
import { Badge } from '../parts/badge.tsx';
import { CallAnswer } from '../parts/call-answer.tsx';
import { CorrectDialog, isCorrectable } from '../parts/correct-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { MovePlaces } from '../parts/move-dialog.tsx';
import { Phone, TeamPhone } from '../parts/phone.tsx';
import { seriesFact } from '../parts/series-parts.tsx';
import { StatusSteps, statusOf } from '../parts/status-steps.tsx';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { clockTime, instant, type Visit } from './day.ts';
import { isMovable } from './moves.ts';
import { reasonText } from './placements.ts';
import { serviceName } from './visit-block.tsx';

/** Details of a visit, and moving it without dragging: by touch, and to another date. */
export function VisitDialog({
  visit,
  teamName,
  team,
  onClose,
}: {
  visit: Visit;
  teamName: string;
  team: BoardTeam | undefined;
  onClose: () => void;
}) {
  const { booking, contact, partner, address } = visit;
  const where = addressText(address);
  const [isCorrecting, setCorrecting] = useState(false);
  if (isCorrecting) return <CorrectDialog bookingId={booking.id} onClose={onClose} />;
  return (
    <Dialog title={visit.name} onClose={onClose}>
      <Facts
        facts={[
          {
            label: t('field.when'),
            value: (
              <>
                {dayOf(dateIn(instant(visit.startsAt)))}{' '}
                {fromTo(clockTime(instant(visit.startsAt)), clockTime(instant(visit.endsAt)))}
              </>
            ),
          },
          seriesFact(booking),
          {
            label: t('field.status'),
            value: <Badge kind="appointment" state={statusOf(visit)} />,
          },
          {
            label: t('field.team'),
            value: visit.isAssigned ? <bdi>{teamName}</bdi> : t('board.heldBy', { team: teamName }),
          },
          team != null &&
            team.phone !== null && { label: t('teams.phone'), value: <TeamPhone team={team} /> },
          { label: t('calls.answer'), value: <CallAnswer visit={visit} startsAt={visit.startsAt} /> },
          { label: t('field.service'), value: <bdi>{serviceName(visit)}</bdi> },
          { label: t('field.partner'), value: <bdi>{partner.name}</bdi> },
          { label: t('field.customer'), value: <bdi>{customerName(contact)}</bdi> },
          contact.phone !== null && {
            label: t('field.phone'),
            value: <Phone contact={contact} />,
          },
          where !== null && { label: t('field.address'), value: <bdi>{where}</bdi> },
          address.directions !== null && {
            label: t('address.directions'),
            value: <bdi>{address.directions}</bdi>,
          },
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
        <a href={href(`/bookings/${booking.id}`)}>{t('board.toBooking')}</a>{' '}
        {isCorrectable(booking.status, statusOf(visit)) && (
          <button type="button" onClick={() => setCorrecting(true)}>
            {t('act.edit')}
          </button>
        )}
      </p>
      {may('updateAppointment') && isMovable({ ...visit, status: statusOf(visit) }) && (
        <>
          <h3>{t('board.move')}</h3>
          <MovePlaces visit={visit} bookingId={booking.id} onDone={onClose} />
        </>
      )}
    </Dialog>
  );
}

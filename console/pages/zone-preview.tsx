import type { Answer } from '../api.ts';
import type { Zone } from '../contract.ts';
import { dateTime, number } from '../format.ts';
import { nameById, nameOf, t } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Table } from '../parts/table.tsx';
import { href } from '../router.ts';
import { overlapText } from './zone-overlaps.ts';

export type Effects = Answer<'changeZones'>['data'];

/** The effect of saving on addresses and their appointments. */
export function ZonePreview({
  effects: { overlaps, addresses, bookings },
  zones,
  onSave,
  onClose,
}: {
  effects: Effects;
  zones: readonly Zone[];
  onSave: () => void;
  onClose: () => void;
}) {
  const zoneName = (id: string | null): string => nameById(zones, id) || t('zones.nowhere');
  const fromTo = (from: string | null, to: string | null) => (
    <bdi>{t('zones.fromTo', { from: zoneName(from), to: zoneName(to) })}</bdi>
  );
  return (
    <Dialog title={t('zones.previewTitle')} onClose={onClose} wide>
      {overlaps.map((overlap) => (
        <p key={`${overlap.zone.id} ${overlap.other.id}`} class="fault">
          {overlapText(overlap)}
        </p>
      ))}
      <h3>
        {t('zones.addresses')}: {number(addresses.moved)}
      </h3>
      <Table
        label={t('zones.addresses')}
        rows={addresses.moves}
        id={({ fromZoneId, toZoneId }) => `${fromZoneId} ${toZoneId}`}
        empty={t('zones.noEffect')}
        columns={[
          {
            name: 'zones',
            label: t('nav.zones'),
            cell: ({ fromZoneId, toZoneId }) => fromTo(fromZoneId, toZoneId),
          },
          {
            name: 'addresses',
            label: t('zones.addresses'),
            end: true,
            cell: (row) => number(row.addresses),
          },
        ]}
      />
      {bookings.moved > 0 && (
        <>
          <h3>
            {t('zones.bookings')}: {number(bookings.moved)}
          </h3>
          <Table
            label={t('zones.bookings')}
            rows={bookings.rows}
            id={({ appointmentId }) => appointmentId}
            empty=""
            columns={[
              {
                name: 'booking',
                label: t('field.tracking'),
                cell: ({ bookingId, trackingReference }) => (
                  <a href={href(`/bookings/${bookingId}`)}>
                    <bdi>{trackingReference}</bdi>
                  </a>
                ),
              },
              { name: 'when', label: t('field.when'), cell: ({ startsAt }) => dateTime(startsAt) },
              {
                name: 'zones',
                label: t('nav.zones'),
                cell: ({ fromZoneId, toZoneId }) => fromTo(fromZoneId, toZoneId),
              },
              {
                name: 'team',
                label: t('field.team'),
                cell: ({ team, teamServesZone }) => (
                  <>
                    <bdi>{nameOf(team)}</bdi>{' '}
                    {!teamServesZone && <span class="badge bad">{t('cannot.notInZone')}</span>}
                  </>
                ),
              },
            ]}
          />
        </>
      )}
      <div class="buttons">
        <button type="button" class="primary" onClick={onSave}>
          {t('act.save')}
        </button>
        <button type="button" onClick={onClose}>
          {t('act.cancel')}
        </button>
      </div>
    </Dialog>
  );
}

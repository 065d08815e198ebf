import type { Answer } from '../api.ts';
import type { Zone } from '../contract.ts';
import { number } from '../format.ts';
import { nameById, t } from '../language.ts';
import { Table } from '../parts/table.tsx';
import { overlapText } from './zone-overlaps.ts';

export type Effects = Answer<'changeZones'>['data'];

/** The effect of saving on addresses, and overlaps; null: there is none. */
export function zoneEffects({ overlaps, addresses, zones }: Effects, known: readonly Zone[]) {
  if (overlaps.length === 0 && addresses.moved === 0) return null;
  const zoneName = (id: string | null): string => nameById([...known, ...zones], id) || t('zones.nowhere');
  return (
    <>
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
            cell: ({ fromZoneId, toZoneId }) => (
              <bdi>{t('zones.fromTo', { from: zoneName(fromZoneId), to: zoneName(toZoneId) })}</bdi>
            ),
          },
          {
            name: 'addresses',
            label: t('zones.addresses'),
            end: true,
            cell: (row) => number(row.addresses),
          },
        ]}
      />
    </>
  );
}

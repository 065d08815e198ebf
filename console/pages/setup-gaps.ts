import { call } from '../api.ts';
import type { Category, PricingTier, Service, Team, Zone } from '../contract.ts';
import { number } from '../format.ts';
import { t } from '../language.ts';
import { overlapOf, ringOf } from '../map/outlines.ts';
import type { Gap } from '../parts/gaps.tsx';
import { type Query, useAll, useLoad } from '../query.ts';
import { href } from '../router.ts';
import { may, now } from '../session.ts';

/** What services, zones and the whole set-up still lack before customers can book. */

const works = ({ isActive, shifts }: Team): boolean => isActive && shifts.length > 0;

const present = (gaps: readonly (Gap | false)[]): Gap[] => gaps.filter((gap) => gap !== false);

export type ServiceSetup = {
  service: Service;
  category: Category | undefined;
  tiers: readonly PricingTier[];
  zones: readonly Zone[];
  teams: readonly Team[];
};

/** What the service lacks before it can be booked, or before its price is known. */
export function serviceGaps({ service, category, tiers, zones, teams }: ServiceSetup): Gap[] {
  const { id, durationMinutes: minutes } = service;
  const page = `/catalogue/services/${id}`;
  const edit = may('updateCatalogueService') ? href(page, { edit: 'facts' }) : null;
  const offering = zones.filter(({ isActive, serviceIds }) => isActive && serviceIds.includes(id));
  const isCovered = tiers.some(
    ({ minMinutes, maxMinutes }) => minMinutes <= minutes && minutes <= (maxMinutes ?? Infinity),
  );
  const isManned = teams.some(
    (team) =>
      works(team) && team.serviceIds.includes(id) && offering.some((zone) => team.zoneIds.includes(zone.id)),
  );
  return present([
    service.defaultPrice === 0 && { text: t('setup.price'), address: edit },
    !isCovered && {
      text: t('setup.tier', { minutes: number(minutes) }),
      address: href('/catalogue/tiers'),
    },
    category?.isActive === false && { text: t('setup.category'), address: href('/catalogue/categories') },
    !service.isActive && { text: t('setup.hidden'), address: edit },
    offering.length === 0 && {
      text: t('setup.serviceZones'),
      address: zones.length === 0 ? href('/zones') : href(page, { edit: 'zones' }),
    },
    !isManned && { text: t('setup.serviceTeams'), address: href('/teams') },
  ]);
}

/** What the zone lacks before anything can be booked in it. */
export function zoneGaps(
  zone: Zone,
  {
    zones,
    teams,
    services,
  }: { zones: readonly Zone[]; teams: readonly Team[]; services: readonly Service[] },
): Gap[] {
  const own = href('/zones', { zone: zone.id });
  const rivals = zones.filter(
    (other) =>
      other.id !== zone.id &&
      other.isActive &&
      other.priority === zone.priority &&
      overlapOf(ringOf(zone.area), ringOf(other.area)).length > 0,
  );
  return present([
    !zone.isActive && { text: t('setup.zoneInactive'), address: own },
    !services.some(({ id, isActive }) => isActive && zone.serviceIds.includes(id)) && {
      text: t('setup.zoneServices'),
      address: services.some(({ isActive }) => isActive) ? own : href('/catalogue'),
    },
    !teams.some((team) => works(team) && team.zoneIds.includes(zone.id)) && {
      text: t('setup.zoneTeams'),
      address: href('/teams'),
    },
    ...rivals.map(({ name }) => ({ text: t('setup.zoneOverlap', { name }), address: own })),
  ]);
}

/** Returns the gaps of each zone; none while they load. */
export function useZoneGaps(zones: readonly Zone[]): (zone: Zone) => Gap[] {
  const teams = useAll('listTeams', {}, ['availability']).answer;
  const services = useAll('listCatalogueServices', {}, ['catalogue']).answer;
  return (zone) =>
    teams === undefined || services === undefined ? [] : zoneGaps(zone, { zones, teams, services });
}

/** What the whole set-up lacks so that nothing can be booked at all. */
export const useSetupGaps = (): Query<Gap[]> =>
  useLoad('setup', setupGaps, ['catalogue', 'availability', 'partners']);

async function setupGaps(signal: AbortSignal): Promise<Gap[]> {
  const first = { query: { isActive: 'true', limit: 1 } } as const;
  const [zones, services, hasTeam, hasPartner] = await Promise.all([
    call('listZones', first, { signal }),
    call('listCatalogueServices', first, { signal }),
    someTeamWorks(signal),
    somePartnerHasKey(signal),
  ]);
  return present([
    zones.meta.total === 0 && { text: t('setup.noZone'), address: href('/zones') },
    !hasTeam && { text: t('setup.noTeam'), address: href('/teams') },
    services.meta.total === 0 && { text: t('setup.noService'), address: href('/catalogue') },
    !hasPartner && { text: t('setup.noPartner'), address: href('/partners') },
  ]);
}

async function someTeamWorks(signal: AbortSignal): Promise<boolean> {
  for (let page = 1, totalPages = 1; page <= totalPages; page++) {
    const query = { isActive: 'true', page, limit: 100 } as const;
    const { data, meta } = await call('listTeams', { query }, { signal });
    if (data.some(works)) return true;
    totalPages = meta.totalPages;
  }
  return false;
}

/** Partners have few keys, and as a rule the first partner has one. */
async function somePartnerHasKey(signal: AbortSignal): Promise<boolean> {
  for (let page = 1, totalPages = 1; page <= totalPages; page++) {
    const query = { status: 'ACTIVE', page, limit: 100 } as const;
    const { data, meta } = await call('listPartners', { query }, { signal });
    for (const { id } of data) {
      const keys = await call('listKeys', { id, query: { status: 'ACTIVE', limit: 100 } }, { signal });
      if (keys.data.some(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.peek()))
        return true;
    }
    totalPages = meta.totalPages;
  }
  return false;
}

import { useMemo } from 'preact/hooks';
import { call } from '../api.ts';
import type { Category, PricingTier, Service, Team, Zone } from '../contract.ts';
import { number } from '../format.ts';
import { language, nameOf, type PlainKey, t } from '../language.ts';
import { overlapOf, ringOf } from '../map/outlines.ts';
import type { Gap } from '../parts/gaps.tsx';
import { useAll, useLoad } from '../query.ts';
import { href } from '../router.ts';
import { may, now } from '../session.ts';

/** Gaps of services, zones and the whole set-up that keep customers from booking. */

const works = ({ isActive, shifts }: Team): boolean => isActive && shifts.length > 0;

const present = (gaps: readonly (Gap | false)[]): Gap[] => gaps.filter((gap) => gap !== false);

export type ServiceSetup = {
  service: Service;
  category: Category | undefined;
  tiers: readonly PricingTier[];
  zones: readonly Zone[];
  teams: readonly Team[];
};

/** Missing settings without which the service cannot be booked, or has no price. */
export function serviceGaps({ service, category, tiers, zones, teams }: ServiceSetup): Gap[] {
  const { id, durationMinutes: minutes } = service;
  const page = `/catalogue/services/${id}`;
  const edit = may('updateCatalogueService') ? href(page, { edit: 'facts' }) : null;
  const editZones = may('updateZone') ? href(page, { edit: 'zones' }) : null;
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
      address: zones.length === 0 ? href('/zones') : editZones,
    },
    !isManned && { text: t('setup.serviceTeams'), address: href('/teams') },
  ]);
}

/** Missing settings without which nothing can be booked in the zone. */
function zoneGaps(
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
      !zone.confirmedOverlaps.includes(other.id) &&
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
    ...rivals.map((other) => ({
      text: t('setup.zoneOverlap', { name: nameOf(other) }),
      address: own,
      overlaps: nameOf(other),
    })),
  ]);
}

/** Returns the gaps of each zone; none while they load. */
export function useZoneGaps(zones: readonly Zone[]): (zone: Zone) => Gap[] {
  const teams = useAll('listTeams', {}, ['availability']).answer;
  const services = useAll('listCatalogueServices', {}, ['catalogue']).answer;
  // Overlaps are of every two zones, and the page renders with each corner that is dragged.
  const gaps = useMemo(() => {
    if (teams === undefined || services === undefined) return null;
    return new Map(zones.map((zone) => [zone.id, zoneGaps(zone, { zones, teams, services })]));
  }, [zones, teams, services, language.value]);
  return ({ id }) => gaps?.get(id) ?? [];
}

const NEEDED = {
  zone: ['setup.noZone', '/zones'],
  team: ['setup.noTeam', '/teams'],
  service: ['setup.noService', '/catalogue'],
  partner: ['setup.noPartner', '/partners'],
} as const satisfies Record<string, [text: PlainKey, path: string]>;

/** Missing settings without which nothing can be booked at all; none while they load. */
export function useSetupGaps(): Gap[] {
  const { answer = [] } = useLoad('setup', loadMissing, ['catalogue', 'availability', 'partners']);
  return answer.map((name) => ({ text: t(NEEDED[name][0]), address: href(NEEDED[name][1]) }));
}

async function loadMissing(signal: AbortSignal): Promise<(keyof typeof NEEDED)[]> {
  const first = { query: { isActive: 'true', limit: 1 } } as const;
  const [zones, services, hasTeam, hasPartner] = await Promise.all([
    call('listZones', first, { signal }),
    call('listCatalogueServices', first, { signal }),
    someTeamWorks(signal),
    somePartnerHasKey(signal),
  ]);
  const has = {
    zone: zones.meta.total > 0,
    team: hasTeam,
    service: services.meta.total > 0,
    partner: hasPartner,
  };
  return (['zone', 'team', 'service', 'partner'] as const).filter((name) => !has[name]);
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

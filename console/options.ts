import { nameOf } from './language.ts';
import type { Option } from './parts/filters.tsx';
import { useAll } from './query.ts';

/** All entries of lists for forms and filters, from all pages. */

const EVERY = { query: {} };

export function usePartnerOptions(): Option[] {
  const { answer = [] } = useAll('listPartners', EVERY, ['partners']);
  return answer.map(({ id, name }) => ({ value: id, label: name }));
}

export function useCategoryOptions(): Option[] {
  const { answer = [] } = useAll('listCategories', EVERY, ['catalogue']);
  return answer.map((category) => ({ value: category.id, label: nameOf(category) }));
}

export function useZoneOptions(): Option[] {
  const { answer = [] } = useAll('listZones', EVERY, ['availability']);
  return answer.map((zone) => ({ value: zone.id, label: nameOf(zone) }));
}

export function useServiceOptions(): Option[] {
  const { answer = [] } = useAll('listCatalogueServices', EVERY, ['catalogue']);
  return answer.map((service) => ({ value: service.id, label: nameOf(service) }));
}

export function useTeamOptions(): Option[] {
  const { answer = [] } = useAll('listTeams', EVERY, ['availability']);
  return answer.map((team) => ({ value: team.id, label: nameOf(team) }));
}

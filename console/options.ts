import { nameOf } from './language.ts';
import type { Option } from './parts/filters.tsx';
import { useQuery } from './query.ts';

/** Lists that forms and filters choose from. */

const ALL = { query: { limit: 100 } };

export function usePartnerOptions(): Option[] {
  const { answer } = useQuery('listPartners', ALL, ['partners']);
  return (answer?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

export function useCategoryOptions(): Option[] {
  const { answer } = useQuery('listCategories', ALL, ['catalogue']);
  return (answer?.data ?? []).map((category) => ({ value: category.id, label: nameOf(category) }));
}

export function useZoneOptions(): Option[] {
  const { answer } = useQuery('listZones', ALL, ['availability']);
  return (answer?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

export function useServiceOptions(): Option[] {
  const { answer } = useQuery('listCatalogueServices', ALL, ['catalogue']);
  return (answer?.data ?? []).map((service) => ({ value: service.id, label: nameOf(service) }));
}

export function useTeamOptions(): Option[] {
  const { answer } = useQuery('listTeams', ALL, ['availability']);
  return (answer?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

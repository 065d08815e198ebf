/** Ids as they are stored and compared: lower case, sorted. */
export function sortedIds(ids: readonly string[]): string[] {
  return ids.map((id) => id.toLowerCase()).sort();
}

/** The fault of a list that names an id twice; letter case makes no difference. */
export function repeatFaults(field: string, ids: readonly (string | undefined)[] = []): string[] {
  const known = ids.filter((id) => id !== undefined);
  return new Set(sortedIds(known)).size === known.length ? [] : [`All ${field}'s elements must be unique`];
}

/** The faults of ids that name nothing: `serviceIds.1 must be the id of a service`. */
export async function unknownIdFaults(
  field: string,
  ids: readonly string[] = [],
  what: string,
  known: (ids: readonly string[]) => Promise<Set<string>>,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await known(ids);
  return ids.flatMap((id, index) =>
    found.has(id.toLowerCase()) ? [] : [`${field}.${index} must be the id of ${what}`],
  );
}

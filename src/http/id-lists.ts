/** Normalized ids: lower case, sorted. */
export function sortedIds(ids: readonly string[]): string[] {
  return ids.map((id) => id.toLowerCase()).sort();
}

/** The messages for a list that repeats an id, in whatever letter case. */
export function repeatFaults(field: string, ids: readonly (string | undefined)[] = []): string[] {
  const known = ids.filter((id) => id !== undefined);
  return new Set(sortedIds(known)).size === known.length ? [] : [`All ${field}'s elements must be unique`];
}

/** The messages for unknown ids: `serviceIds.1 must be the id of a service`. */
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

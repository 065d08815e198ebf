/** Names of unknown query parameters, for the header X-Ignored-Parameters. */

const MAX_NAMES = 20;
/** Characters of one encoded name. */
const MAX_NAME = 100;

/** The parameters of the query that the route does not know. */
export function ignoredParameters(query: unknown, known: ReadonlySet<string>): string[] {
  return Object.keys(query as object).filter((name) => !known.has(name));
}

/** The percent-encoded names; `...` stands for omitted ones. */
export function ignoredHeader(names: readonly string[]): string {
  const words = names.slice(0, MAX_NAMES).map((name) => {
    const word = encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed());
    return word.length < name.length || word.length > MAX_NAME
      ? `${word.slice(0, MAX_NAME)}...`
      : word || '""';
  });
  return [...words, ...(names.length > MAX_NAMES ? ['...'] : [])].join(', ');
}

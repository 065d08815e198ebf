/** The names of query parameters that nothing reads, as the header X-Ignored-Parameters tells them. */

const MAX_NAMES = 20;
/** Characters of one name, once it is encoded. */
const MAX_NAME = 100;

/** The parameters of the query that the route does not know. */
export function ignoredParameters(query: unknown, known: ReadonlySet<string>): string[] {
  return Object.keys(query as object).filter((name) => !known.has(name));
}

/** The names percent-encoded, so that each is one visible word; `...` stands for what is left out. */
export function ignoredHeader(names: readonly string[]): string {
  const words = names.slice(0, MAX_NAMES).map((name) => {
    const word = encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed());
    return word.length < name.length || word.length > MAX_NAME
      ? `${word.slice(0, MAX_NAME)}...`
      : word || '""';
  });
  return [...words, ...(names.length > MAX_NAMES ? ['...'] : [])].join(', ');
}

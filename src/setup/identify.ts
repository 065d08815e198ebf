import type { Instant } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { isUuid } from '../http/validation.ts';
import { addTo, type Content, found, foundBy, type Index, indexOf, keyOf, keysOf } from './content.ts';
import { KINDS, type Kind, nounOf, type SetupEntry } from './document.ts';

/** An entry and the id of what it is about, which may not be there yet. */
export type Step = SetupEntry & { id: string };

/**
 * The entries with their ids, by kind: an id wins over the name, so that a rename is one. `idOf` finds what a reference names,
 * by what the entries call things, then by what the deployment calls them; null: nothing, undefined: several. Faults of entries
 * whose name several have, or whose id is that of something else.
 */
export function identify(entries: readonly SetupEntry[], content: Content, now: Instant) {
  const owners = new Map(KINDS.flatMap((kind) => content[kind].map(({ id }) => [id, kind])));
  const known = new Map(KINDS.map((kind) => [kind, indexOf(content[kind])]));
  const called = new Map(KINDS.map((kind): [Kind, Index] => [kind, new Map()]));
  /** Ids of another deployment for what has another one here. */
  const aliases = new Map<string, string>();
  /** What an entry names by its id and gives a name: its old name is free. */
  const claimed = new Set<string>();
  const faults: string[] = [];
  const ids = new Map<SetupEntry, string>();

  const given = ({ entry: { id } }: SetupEntry) =>
    typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null;
  function settle(one: SetupEntry, id: string): void {
    ids.set(one, id);
    owners.set(id, one.kind);
    addTo(called.get(one.kind)!, one.entry, id);
    if (given(one) !== null && keysOf(one.entry).length > 0) claimed.add(id);
  }
  function settleByName(one: SetupEntry): void {
    const id = given(one);
    const keys = keysOf(one.entry);
    // An id of its own is another thing than what the files call so.
    const here = id === null ? found(called.get(one.kind)!, keys) : [];
    if (here.length === 0)
      here.push(...found(known.get(one.kind)!, keys).filter((each) => !claimed.has(each)));
    const [first, second] = here;
    if (second !== undefined)
      faults.push(`${one.place}: several have this name: give the id of the one that is meant`);
    else {
      if (id !== null && first !== undefined) aliases.set(id, first);
      settle(one, first ?? id ?? newId(now));
    }
  }

  const isKnown = (one: SetupEntry): boolean => owners.has(given(one) ?? '');
  for (const part of [entries.filter(isKnown), entries.filter((one) => !isKnown(one) && given(one) !== null)])
    for (const one of part) {
      const owner = owners.get(given(one)!);
      if (owner === undefined) settleByName(one);
      else if (owner === one.kind) settle(one, given(one)!);
      else faults.push(`${one.place}: id is that of a ${nounOf(owner)}`);
    }
  for (const one of entries) if (given(one) === null) settleByName(one);

  function idOf(kind: Kind, name: string): string | null | undefined {
    const id = aliases.get(keyOf(name)) ?? keyOf(name);
    if (owners.get(id) === kind) return id;
    for (const index of [called.get(kind)!, known.get(kind)!]) {
      const [only, second] = foundBy(index, name);
      if (only !== undefined) return second === undefined ? only : undefined;
    }
    return null;
  }
  const steps = entries.flatMap((one): Step[] => (ids.has(one) ? [{ ...one, id: ids.get(one)! }] : []));
  steps.sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
  return { steps, idOf, faults };
}

/** Colours of zones; dispatch.css defines them for each theme. */
const COLOURS = Array.from({ length: 8 }, (_none, index) => `var(--zone-${index})`);

/**
 * A colour for each id: by the id, so that it stays when others come and go, or the next one that no older zone has
 * while there is one. Ids are in the order of their making; those of drawn zones come last.
 */
export function coloursOf(ids: readonly string[]): ReadonlyMap<string, string> {
  const colours = new Map<string, string>();
  const count = COLOURS.length;
  for (const id of [...ids].sort()) {
    const own = [...id].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 65_521, 0) % count;
    const inTurn = COLOURS.map((_colour, step) => COLOURS[(own + step) % count]!);
    const taken = new Set(colours.values());
    colours.set(id, inTurn.find((colour) => !taken.has(colour)) ?? inTurn[0]!);
  }
  return colours;
}

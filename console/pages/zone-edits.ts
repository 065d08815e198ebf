import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Zone } from '../contract.ts';
import { language, nameOf } from '../language.ts';
import { type Ring, ringOf, toText } from '../map/outlines.ts';
import { coloursOf } from '../map/zone-colours.ts';
import type { Outline } from '../map/zone-map.ts';
import type { ZoneFields } from './zone-dialog.tsx';

/** The zones as they are edited on the page of zones, until they are saved. */

/** A locally changed outline. `began`: the zone at the start of the change; `saved`: the version after saving. */
export type Change = { ring: Ring; began: Pick<Zone, 'version' | 'area'>; saved: number | null };

const isUnsaved = (change: Change | undefined): boolean => change?.saved === null;

/** A locally drawn zone with a temporary id; `savedAs`: its id after saving. */
export type Draft = { id: string; fields: ZoneFields; ring: Ring; savedAs: string | null };

const draftId = (): string => `new-${Date.now()}`;

/** The displayed outline: the local change, until the loaded zone contains it. */
function ringNow({ id, version, area }: Zone, changes: ReadonlyMap<string, Change>): Ring {
  const change = changes.get(id);
  if (change === undefined || (change.saved !== null && version >= change.saved)) return ringOf(area);
  return change.ring;
}

const isSameOutline = (one: Pick<Zone, 'area'>, other: Pick<Zone, 'area'>): boolean =>
  toText(ringOf(one.area)) === toText(ringOf(other.area));

/** Whether another user has changed the outline since the local change. */
const isContested = (zone: Zone, { began }: Change): boolean =>
  zone.version > began.version && !isSameOutline(zone, began);

/** The version that a changed outline replaces: the latest, unless another user has changed the outline since. */
export const versionOf = (zone: Zone, change: Change): number =>
  isContested(zone, change) ? change.began.version : Math.max(zone.version, change.began.version);

/** Changed outlines and drawn zones, beside the zones as they were loaded. */
export function useZoneEdits(zones: readonly Zone[]) {
  // Includes zones that another user has removed meanwhile.
  const seen = useRef(new Map<string, Zone>()).current;
  for (const zone of zones) seen.set(zone.id, zone);
  const [changes, setChanges] = useState<ReadonlyMap<string, Change>>(new Map());
  const [allDrafts, setDrafts] = useState<readonly Draft[]>([]);
  // A saved draft is shown until the loaded zones contain it.
  const drafts = allDrafts.filter(({ savedAs }) => !zones.some(({ id }) => id === savedAs));
  useEffect(() => {
    if (drafts.length < allDrafts.length) setDrafts(drafts);
  }, [zones, allDrafts]);
  const removed = [...changes].flatMap(([id, one]) =>
    isUnsaved(one) && !zones.some((zone) => zone.id === id) ? seen.get(id)! : [],
  );
  const colours = coloursOf([...zones, ...removed, ...drafts].map(({ id }) => id));
  const outlines = useMemo(
    () =>
      [
        ...zones.map((zone) => ({ ...zone, ring: ringNow(zone, changes) })),
        ...drafts.map(({ id, fields, ring }) => ({ ...fields, id, ring })),
        ...removed.map((zone) => ({ ...zone, ring: ringNow(zone, changes) })),
      ].map(
        ({ id, ring, isActive, ...names }): Outline => ({
          id,
          name: nameOf(names),
          ring,
          colour: colours.get(id)!,
          isActive,
        }),
      ),
    [zones, changes, allDrafts, language.value],
  );
  const edited = zones.filter(({ id }) => isUnsaved(changes.get(id)));
  const unsaved = drafts.filter(({ savedAs }) => savedAs === null);
  const contested = edited.filter((zone) => isContested(zone, changes.get(zone.id)!));
  const addDraft = (fields: ZoneFields, ring: Ring): void =>
    setDrafts((before) => [...before, { id: draftId(), fields, ring, savedAs: null }]);
  const forget = (id: string): void =>
    setChanges((before) => {
      const after = new Map(before);
      after.delete(id);
      return after;
    });

  return {
    changes,
    drafts,
    removed,
    outlines,
    edited,
    unsaved,
    contested,
    addDraft,
    forget,
    zoneOf: (id: string): Zone | undefined => seen.get(id),
    ringOf: (zone: Zone): Ring => ringNow(zone, changes),
    change(rings: Iterable<[string, Ring]>, began?: Zone): void {
      const given = new Map(rings);
      setDrafts((before) => before.map((draft) => ({ ...draft, ring: given.get(draft.id) ?? draft.ring })));
      setChanges((before) => changedBy(given, before, (id) => began ?? seen.get(id)));
    },
    changeDraft: (id: string, changed: Pick<Draft, 'fields' | 'ring'>): void =>
      setDrafts((before) => before.map((draft) => (draft.id === id ? { ...draft, ...changed } : draft))),
    removeDraft: (id: string): void => setDrafts((before) => before.filter((draft) => draft.id !== id)),
    /** Draws a zone again that another user has removed. */
    addAgain(zone: Zone): void {
      const { name, nameAr, priority, slotGridMinutes, serviceIds, isActive } = zone;
      addDraft({ name, nameAr, priority, slotGridMinutes, serviceIds, isActive }, ringNow(zone, changes));
      forget(zone.id);
    },
    /** Keeps the local outline, on top of the other user's version. */
    keepMine: (zone: Zone): void =>
      setChanges((before) => new Map(before).set(zone.id, { ...before.get(zone.id)!, began: zone })),
    discard(): void {
      setChanges(new Map());
      setDrafts([]);
    },
    /** Takes over what was saved: the changed zones, and behind them the new ones. */
    saved(zones: readonly Zone[]): void {
      const made = zones.slice(edited.length);
      setDrafts([
        ...drafts.filter(({ savedAs }) => savedAs !== null),
        ...unsaved.map((draft, index) => ({ ...draft, savedAs: made[index]?.id ?? null })),
      ]);
      setChanges((before) => {
        const after = new Map(before);
        for (const { id, version, area } of zones.slice(0, edited.length))
          after.set(id, { ring: changes.get(id)!.ring, began: { version, area }, saved: version });
        return after;
      });
    },
  };
}

function changedBy(
  rings: ReadonlyMap<string, Ring>,
  before: ReadonlyMap<string, Change>,
  zoneOf: (id: string) => Zone | undefined,
): ReadonlyMap<string, Change> {
  const after = new Map(before);
  for (const [id, ring] of rings) {
    const zone = zoneOf(id);
    const earlier = before.get(id);
    if (zone === undefined) continue;
    // The loaded zones may predate the save.
    const goesOn = earlier && (earlier.saved === null || zone.version < earlier.saved);
    after.set(id, { ring, began: goesOn ? earlier.began : zone, saved: null });
  }
  return after;
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { changed } from '../changes.ts';
import type { Zone } from '../contract.ts';
import { number } from '../format.ts';
import { direction, t } from '../language.ts';
import { areaOf, overlapOf, type Ring, ringOf, toText } from '../map/outlines.ts';
import { createZoneMap, type Outline, type ZoneMap } from '../map/zone-map.ts';
import { Failed, Loaded } from '../parts/failed.tsx';
import { Page } from '../parts/page.tsx';
import { toast } from '../parts/toasts.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { asFailure, useAction, useAll } from '../query.ts';
import { may } from '../session.ts';
import { DraftDialog, ZoneDialog, type ZoneFields } from './zone-dialog.tsx';
import { confirmingOverlaps } from './zone-overlaps.ts';
import { type Effects, ZonePreview } from './zone-preview.tsx';

/** Colours that tell zones apart; dispatch.css has them for each theme. */
const COLOURS = Array.from({ length: 8 }, (_none, index) => `var(--zone-${index})`);

/** Where the service works: zones on a map, drawn and changed together. */
export default function Zones() {
  const query = useAll('listZones', { query: {} }, ['catalogue', 'availability']);
  return (
    <Page title={t('nav.zones')} about={t('zones.about')}>
      <Loaded query={query}>{(zones) => <Editor zones={zones} />}</Loaded>
    </Page>
  );
}

type Mode = 'look' | 'edit' | 'draw';

/** An outline that was changed here, from what `began` had; `saved` is the version that saving it has made. */
type Change = { ring: Ring; began: Pick<Zone, 'version' | 'area'>; saved: number | null };

const isUnsaved = (change: Change | undefined): boolean => change?.saved === null;

/** A zone that was drawn here, under an id of this page's own; `savedAs`: the one that saving it has given. */
type Draft = { id: string; fields: ZoneFields; ring: Ring; savedAs: string | null };

const draftId = (): string => `new-${Date.now()}`;

/** The outline as it is shown: what was changed, until the zone comes with what was saved. */
function ringNow({ id, version, area }: Zone, changes: ReadonlyMap<string, Change>): Ring {
  const change = changes.get(id);
  if (change === undefined || (change.saved !== null && version >= change.saved)) return ringOf(area);
  return change.ring;
}

const isSameOutline = (one: Pick<Zone, 'area'>, other: Pick<Zone, 'area'>): boolean =>
  toText(ringOf(one.area)) === toText(ringOf(other.area));

/** Whether somebody else has changed the outline since it was changed here. */
const isContested = (zone: Zone, { began }: Change): boolean =>
  zone.version > began.version && !isSameOutline(zone, began);

/** The version that a changed outline replaces: the latest, unless somebody else has changed the outline since. */
const versionOf = (zone: Zone, change: Change): number =>
  isContested(zone, change) ? change.began.version : Math.max(zone.version, change.began.version);

function Editor({ zones }: { zones: readonly Zone[] }) {
  // Those that somebody else has removed meanwhile included.
  const seen = useRef(new Map<string, Zone>()).current;
  for (const zone of zones) seen.set(zone.id, zone);
  const [changes, setChanges] = useState<ReadonlyMap<string, Change>>(new Map());
  const change = (rings: Iterable<[string, Ring]>, began?: Zone): void => {
    setCrossing(false);
    const given = new Map(rings);
    setDrafts((before) => before.map((draft) => ({ ...draft, ring: given.get(draft.id) ?? draft.ring })));
    setChanges((before) => {
      const after = new Map(before);
      for (const [id, ring] of given) {
        const zone = began ?? seen.get(id);
        const earlier = before.get(id);
        if (zone === undefined) continue;
        // What was saved may not have been there yet when it was seen.
        const goesOn = earlier && (earlier.saved === null || zone.version < earlier.saved);
        after.set(id, { ring, began: goesOn ? earlier.began : zone, saved: null });
      }
      return after;
    });
  };
  const [allDrafts, setDrafts] = useState<readonly Draft[]>([]);
  // Once saved, it is shown until it comes with the zones; then it is one of them, whatever becomes of that.
  const drafts = allDrafts.filter(({ savedAs }) => !zones.some(({ id }) => id === savedAs));
  useEffect(() => {
    if (drafts.length < allDrafts.length) setDrafts(drafts);
  }, [zones, allDrafts]);
  const removed = [...changes].flatMap(([id, one]) =>
    isUnsaved(one) && !zones.some((zone) => zone.id === id) ? seen.get(id)! : [],
  );
  const [mode, setMode] = useState<Mode>('look');
  const [drawn, setDrawn] = useState<Ring | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const [isCrossing, setCrossing] = useState(false);
  const map = useRef<ZoneMap | null>(null);
  const outlines = useMemo(
    () =>
      [
        ...zones.map((zone) => ({ ...zone, ring: ringNow(zone, changes) })),
        ...drafts.map(({ id, fields, ring }) => ({ ...fields, id, ring })),
        ...removed.map((zone) => ({ ...zone, ring: ringNow(zone, changes) })),
      ].map(
        ({ id, name, ring, isActive }, index): Outline => ({
          id,
          name,
          ring,
          colour: COLOURS[index % COLOURS.length]!,
          isActive,
        }),
      ),
    [zones, changes, allDrafts],
  );
  const overlaps = useMemo(() => overlapsOf(outlines), [outlines]);
  const mayEdit = may('updateZone');
  const edited = zones.filter(({ id }) => isUnsaved(changes.get(id)));
  const unsaved = drafts.filter(({ savedAs }) => savedAs === null);
  const openedZone = opened === null ? undefined : seen.get(opened);
  const openedDraft = unsaved.find(({ id }) => id === opened);
  const contested = edited.filter((zone) => isContested(zone, changes.get(zone.id)!));
  const saving = useSaving(edited, changes, unsaved, (saved) => {
    // The zones that are new follow those that were changed.
    const made = saved.slice(edited.length);
    setDrafts([
      ...drafts.filter(({ savedAs }) => savedAs !== null),
      ...unsaved.map((draft, index) => ({ ...draft, savedAs: made[index]?.id ?? null })),
    ]);
    setChanges((before) => {
      const after = new Map(before);
      for (const { id, version, area } of saved.slice(0, edited.length))
        after.set(id, { ring: changes.get(id)!.ring, began: { version, area }, saved: version });
      return after;
    });
  });
  const forget = (id: string): void => {
    saving.clear();
    setChanges((before) => {
      const after = new Map(before);
      after.delete(id);
      return after;
    });
  };
  const addAgain = (zone: Zone): void => {
    const { name, priority, slotGridMinutes, serviceIds, isActive } = zone;
    const fields = { name, priority, slotGridMinutes, serviceIds, isActive };
    setDrafts([...drafts, { id: draftId(), fields, ring: ringNow(zone, changes), savedAs: null }]);
    forget(zone.id);
  };
  /** Theirs is what is decided on now: mine goes over it. */
  const keepMine = (zone: Zone): void => {
    saving.clear();
    setChanges((before) => new Map(before).set(zone.id, { ...before.get(zone.id)!, began: zone }));
  };
  const isSavable = edited.length + unsaved.length > 0;
  const isDirty = isSavable || removed.length > 0;
  useUnsaved(isDirty);

  return (
    <>
      {mayEdit && (
        <div class="actions">
          <button
            type="button"
            aria-pressed={mode === 'draw'}
            onClick={() => setMode(mode === 'draw' ? 'look' : 'draw')}
          >
            {t('zones.draw')}
          </button>
          <button
            type="button"
            aria-pressed={mode === 'edit'}
            onClick={() => setMode(mode === 'edit' ? 'look' : 'edit')}
          >
            {mode === 'edit' ? t('zones.stopEditing') : t('zones.edit')}
          </button>
        </div>
      )}
      <div role="status">
        {mode === 'edit' && <p>{t('zones.hint')}</p>}
        {mode === 'draw' && <p>{t('zones.drawHint')}</p>}
      </div>
      {isDirty && (
        <div class="lost">
          {edited.length > 0 && (
            <p>{t('zones.changed', { names: edited.map(({ name }) => name).join(', ') })}</p>
          )}
          {unsaved.length > 0 && (
            <p>{t('zones.added', { names: unsaved.map(({ fields }) => fields.name).join(', ') })}</p>
          )}
          {saving.failure && <Failed failure={saving.failure} />}
          <div role="status">
            {contested.length > 0 && <Contested zones={contested} keepMine={keepMine} forget={forget} />}
            {removed.length > 0 && <Removed zones={removed} addAgain={addAgain} forget={forget} />}
          </div>
          <div class="buttons">
            <button
              type="button"
              class="primary"
              disabled={saving.busy || !isSavable}
              onClick={() => void saving.save()}
            >
              {t('act.save')}
            </button>
            <button type="button" disabled={saving.busy || !isSavable} onClick={() => void saving.preview()}>
              {t('zones.preview')}
            </button>
            <button
              type="button"
              disabled={saving.busy}
              onClick={() => {
                saving.clear();
                setChanges(new Map());
                setDrafts([]);
              }}
            >
              {t('unsaved.discard')}
            </button>
          </div>
        </div>
      )}
      {/* What is sent is what is shown: nothing is drawn meanwhile, to be lost when the answer comes. */}
      <div class="zone-page" inert={saving.busy}>
        <MapOf
          outlines={outlines}
          overlaps={overlaps.flatMap(({ rings }) => rings)}
          theirs={contested.map(({ area }) => ringOf(area))}
          mode={mode}
          isCrossing={isCrossing}
          map={map}
          onEdited={change}
          onDrawn={(ring) => {
            setMode('look');
            setCrossing(false);
            setDrawn(ring);
          }}
          onCrossing={setCrossing}
          onChosen={(id) => {
            if (!removed.some((zone) => zone.id === id)) setOpened(id);
          }}
        />
        <List
          zones={zones}
          drafts={drafts}
          outlines={outlines}
          overlaps={overlaps}
          open={setOpened}
          goTo={(id) => map.current?.goTo(id)}
        />
      </div>
      {saving.effects !== null && (
        <ZonePreview
          effects={saving.effects}
          zones={[...zones, ...saving.effects.zones]}
          onSave={() => void saving.save()}
          onClose={saving.closePreview}
        />
      )}
      {openedZone !== undefined && (
        <ZoneDialog
          key={openedZone.id}
          zone={openedZone}
          ring={ringNow(openedZone, changes)}
          onRing={(ring, zone) => change([[openedZone.id, ring]], zone)}
          onRemoved={() => forget(openedZone.id)}
          onClose={() => setOpened(null)}
        />
      )}
      {drawn !== null && (
        <DraftDialog
          draft={null}
          ring={drawn}
          keep={(draft) => setDrafts((before) => [...before, { ...draft, id: draftId(), savedAs: null }])}
          onClose={() => setDrawn(null)}
        />
      )}
      {openedDraft !== undefined && (
        <DraftDialog
          key={openedDraft.id}
          draft={openedDraft.fields}
          ring={openedDraft.ring}
          keep={(kept) =>
            setDrafts((before) =>
              before.map((one) => (one.id === openedDraft.id ? { ...one, ...kept } : one)),
            )
          }
          onRemove={() => setDrafts((before) => before.filter(({ id }) => id !== openedDraft.id))}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** Outlines that somebody else has changed as well: theirs is on the map beside what was drawn here. */
function Contested({
  zones,
  keepMine,
  forget,
}: {
  zones: readonly Zone[];
  keepMine: (zone: Zone) => void;
  forget: (id: string) => void;
}) {
  return (
    <ul class="place-list">
      {zones.map((zone) => (
        <li key={zone.id}>
          <p>{t('zones.contested', { name: zone.name })}</p>
          <div class="buttons">
            <button type="button" onClick={() => keepMine(zone)}>
              {t('zones.keepMine')}
              <ZoneName zone={zone} />
            </button>
            <button type="button" onClick={() => forget(zone.id)}>
              {t('zones.takeTheirs')}
              <ZoneName zone={zone} />
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Zones that somebody else has removed while their outlines were changed here. */
function Removed({
  zones,
  addAgain,
  forget,
}: {
  zones: readonly Zone[];
  addAgain: (zone: Zone) => void;
  forget: (id: string) => void;
}) {
  return (
    <ul class="place-list">
      {zones.map((zone) => (
        <li key={zone.id}>
          <p>{t('zones.removed', { name: zone.name })}</p>
          <div class="buttons">
            <button type="button" onClick={() => addAgain(zone)}>
              {t('zones.addAgain')}
              <ZoneName zone={zone} />
            </button>
            <button type="button" onClick={() => forget(zone.id)}>
              {t('unsaved.discard')}
              <ZoneName zone={zone} />
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Of which zone a button is, for those who do not see where it stands. */
const ZoneName = ({ zone: { name } }: { zone: Pick<Zone, 'name'> }) => (
  <span class="unseen">
    {' '}
    <bdi>{name}</bdi>
  </span>
);

type Overlap = { one: string; other: string; rings: Ring[] };

function overlapsOf(outlines: readonly Outline[]): Overlap[] {
  return outlines.flatMap((one, index) =>
    outlines.slice(index + 1).flatMap((other): Overlap[] => {
      const rings = overlapOf(one.ring, other.ring);
      return rings.length === 0 ? [] : [{ one: one.name, other: other.name, rings }];
    }),
  );
}

/** Saves the outlines that were changed and the zones that were drawn, all or none; before that, what would come of it. */
function useSaving(
  edited: readonly Zone[],
  changes: ReadonlyMap<string, Change>,
  drafts: readonly Draft[],
  onSaved: (zones: readonly Zone[]) => void,
) {
  const saving = useAction(['catalogue', 'availability', 'appointments']);
  const previewing = useAction([]);
  const [effects, setEffects] = useState<Effects | null>(null);
  const send = (preview: 'true' | 'false', confirm: { confirmOverlap?: true } = {}) =>
    call('changeZones', {
      query: { preview },
      body: {
        ...confirm,
        zones: [
          ...edited.map((zone) => {
            const change = changes.get(zone.id)!;
            return { id: zone.id, version: versionOf(zone, change), area: areaOf(change.ring) };
          }),
          ...drafts.map(({ fields, ring }) => ({ ...fields, area: areaOf(ring) })),
        ],
      },
    });
  return {
    busy: saving.busy || previewing.busy,
    failure: saving.failure ?? previewing.failure,
    effects,
    closePreview: () => setEffects(null),
    clear() {
      saving.clear();
      previewing.clear();
    },
    async preview() {
      saving.clear();
      await previewing.run(async () => setEffects((await send('true')).data));
    },
    async save() {
      setEffects(null);
      previewing.clear();
      await saving.run(async () => {
        const { data } = await confirmingOverlaps((confirm) => send('false', confirm)).catch(
          (error: unknown) => {
            // A zone that is removed: the others say which one.
            if (asFailure(error).status === 404) changed(['catalogue']);
            throw error;
          },
        );
        onSaved(data.zones);
        toast(t('act.saved'));
      });
    },
  };
}

function MapOf({
  outlines,
  overlaps,
  theirs,
  mode,
  isCrossing,
  map,
  ...events
}: {
  outlines: readonly Outline[];
  overlaps: readonly Ring[];
  theirs: readonly Ring[];
  mode: Mode;
  isCrossing: boolean;
  map: { current: ZoneMap | null };
} & Parameters<typeof createZoneMap>[2]) {
  const element = useRef<HTMLDivElement>(null);
  const current = useRef(events);
  current.current = events;
  useEffect(() => {
    const { tiles = '', tilesAttribution = '' } = document.documentElement.dataset;
    const made = createZoneMap(
      element.current!,
      {
        tiles: tiles === '' ? null : tiles,
        attribution: tilesAttribution,
        zoomIn: t('zones.zoomIn'),
        zoomOut: t('zones.zoomOut'),
      },
      {
        onEdited: (rings) => current.current.onEdited(rings),
        onDrawn: (ring) => current.current.onDrawn(ring),
        onCrossing: (crosses) => current.current.onCrossing(crosses),
        onChosen: (id) => current.current.onChosen(id),
      },
    );
    map.current = made;
    return () => {
      map.current = null;
      made.remove();
    };
  }, [direction()]);
  useEffect(() => map.current?.show(outlines, overlaps, theirs), [outlines, theirs.length, direction()]);
  useEffect(() => {
    map.current?.edit(mode === 'edit');
    map.current?.draw(mode === 'draw');
  }, [mode, direction()]);
  return (
    <div class="map-frame">
      <section class="map" dir="ltr" ref={element} aria-label={t('zones.map')} />
      {/* Over the map: above it, it would push the next corner away from under the pointer. */}
      <div class="map-note" role="status">
        {isCrossing && <p class="lost">{t('zones.crossing')}</p>}
      </div>
    </div>
  );
}

function List({
  zones,
  drafts,
  outlines,
  overlaps,
  open,
  goTo,
}: {
  zones: readonly Zone[];
  drafts: readonly Draft[];
  outlines: readonly Outline[];
  overlaps: readonly Overlap[];
  open: (id: string) => void;
  goTo: (id: string) => void;
}) {
  const rows = [
    ...zones.map((zone) => ({ ...zone, isNew: false })),
    ...drafts.map(({ id, fields }) => ({ ...fields, id, isNew: true })),
  ];
  if (rows.length === 0) return <p class="empty">{t('zones.empty')}</p>;
  return (
    <section class="section" aria-label={t('nav.zones')}>
      {overlaps.map(({ one, other }) => (
        <p key={`${one} ${other}`} class="fault">
          {t('zones.overlaps', { one, other })}
        </p>
      ))}
      <ul class="place-list">
        {rows.map((zone, index) => (
          <li key={zone.id} class="actions">
            <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
              <rect width={1} height={1} fill={outlines[index]!.colour} />
            </svg>
            <button type="button" class="quiet" title={t('zones.show')} onClick={() => goTo(zone.id)}>
              <bdi>{zone.name}</bdi>
            </button>
            {zone.isNew && <span class="badge notice">{t('zones.unsaved')}</span>}
            {!zone.isActive && <span class="badge bad">{t('teams.inactive')}</span>}
            <span class="faint small">
              {t('zones.priority')} {number(zone.priority)}
            </span>
            <button type="button" class="small" onClick={() => open(zone.id)}>
              {may('updateZone') ? t('act.edit') : t('zones.details')}
              <ZoneName zone={zone} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

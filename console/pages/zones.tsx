import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { changed } from '../changes.ts';
import type { Zone } from '../contract.ts';
import { number } from '../format.ts';
import { direction, listed, type Named, nameOf, t } from '../language.ts';
import { areaOf, overlapOf, type Ring, ringOf } from '../map/outlines.ts';
import { createZoneMap, type Outline, type ZoneMap } from '../map/zone-map.ts';
import { previewed } from '../parts/change-preview.tsx';
import { Failed, Loaded } from '../parts/failed.tsx';
import { type Gap, Gaps } from '../parts/gaps.tsx';
import { Page } from '../parts/page.tsx';
import { toast } from '../parts/toasts.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { asFailure, useAction, useAll } from '../query.ts';
import { place, setQuery } from '../router.ts';
import { may } from '../session.ts';
import { useZoneGaps } from './setup-gaps.ts';
import { DraftDialog, ZoneDialog } from './zone-dialog.tsx';
import { type Draft, useZoneEdits, versionOf } from './zone-edits.ts';
import { zoneEffects } from './zone-preview.tsx';

/** Zones on a map, drawn and changed together. */
export default function Zones() {
  const query = useAll('listZones', { query: {} }, ['catalogue', 'availability']);
  return (
    <Page title={t('nav.zones')} about={t('zones.about')}>
      <Loaded query={query}>{(zones) => <Editor zones={zones} />}</Loaded>
    </Page>
  );
}

type Mode = 'look' | 'edit' | 'draw';

type Edits = ReturnType<typeof useZoneEdits>;
type Saving = ReturnType<typeof useSaving>;

function Editor({ zones }: { zones: readonly Zone[] }) {
  const edits = useZoneEdits(zones);
  const [mode, setMode] = useState<Mode>('look');
  const [drawn, setDrawn] = useState<Ring | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const gapsOf = useZoneGaps(zones);
  const asked = place.value.query.get('zone');
  useEffect(() => {
    if (asked === null) return;
    setOpened(asked);
    setQuery({ zone: null }, { replace: true });
  }, [asked]);
  const [isCrossing, setCrossing] = useState(false);
  const map = useRef<ZoneMap | null>(null);
  const { outlines, drafts, removed, contested } = edits;
  const overlaps = useMemo(() => overlapsOf(outlines), [outlines]);
  const saving = useSaving(edits, zones);
  const change: Edits['change'] = (rings, began) => {
    setCrossing(false);
    edits.change(rings, began);
  };

  return (
    <>
      {may('updateZone') && <ModeButtons mode={mode} setMode={setMode} />}
      <div role="status">
        {mode === 'edit' && <p>{t('zones.hint')}</p>}
        {mode === 'draw' && <p>{t('zones.drawHint')}</p>}
      </div>
      <Unsaved edits={edits} saving={saving} />
      {/* Inert while saving: outlines drawn meanwhile would be lost with the response. */}
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
          gapsOf={gapsOf}
          open={setOpened}
          goTo={(id) => map.current?.goTo(id)}
        />
      </div>
      <OpenedZone
        id={opened}
        edits={{ ...edits, change }}
        saving={saving}
        gapsOf={gapsOf}
        onClose={() => setOpened(null)}
      />
      {drawn !== null && (
        <DraftDialog
          draft={null}
          ring={drawn}
          keep={({ fields, ring }) => edits.addDraft(fields, ring)}
          onClose={() => setDrawn(null)}
        />
      )}
    </>
  );
}

function ModeButtons({ mode, setMode }: { mode: Mode; setMode: (mode: Mode) => void }) {
  return (
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
  );
}

/** Unsaved edits, with the buttons that save or discard them. */
function Unsaved({ edits, saving }: { edits: Edits; saving: Saving }) {
  const { edited, unsaved, contested, removed } = edits;
  const isSavable = edited.length + unsaved.length > 0;
  const isDirty = isSavable || removed.length > 0;
  useUnsaved(isDirty);
  if (!isDirty) return null;

  const forget = (id: string): void => {
    saving.clear();
    edits.forget(id);
  };
  const keepMine = (zone: Zone): void => {
    saving.clear();
    edits.keepMine(zone);
  };
  const addAgain = (zone: Zone): void => {
    saving.clear();
    edits.addAgain(zone);
  };
  return (
    <div class="lost">
      {edited.length > 0 && <p>{t('zones.changed', { names: listed(...edited.map(nameOf)) })}</p>}
      {unsaved.length > 0 && (
        <p>{t('zones.added', { names: listed(...unsaved.map(({ fields }) => nameOf(fields))) })}</p>
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
        <button
          type="button"
          disabled={saving.busy}
          onClick={() => {
            saving.clear();
            edits.discard();
          }}
        >
          {t('unsaved.discard')}
        </button>
      </div>
    </div>
  );
}

/** The dialog of a zone, or of one that was drawn and is not saved yet. */
function OpenedZone({
  id,
  edits,
  saving,
  gapsOf,
  onClose,
}: {
  id: string | null;
  edits: Edits;
  saving: Saving;
  gapsOf: (zone: Zone) => Gap[];
  onClose: () => void;
}) {
  const zone = id === null ? undefined : edits.zoneOf(id);
  const draft = edits.unsaved.find((one) => one.id === id);
  return (
    <>
      {zone !== undefined && (
        <ZoneDialog
          key={zone.id}
          zone={zone}
          gaps={gapsOf(zone)}
          ring={edits.ringOf(zone)}
          onRing={(ring, began) => edits.change([[zone.id, ring]], began)}
          onRemoved={() => {
            saving.clear();
            edits.forget(zone.id);
          }}
          onClose={onClose}
        />
      )}
      {draft !== undefined && (
        <DraftDialog
          key={draft.id}
          draft={draft.fields}
          ring={draft.ring}
          keep={(kept) => edits.changeDraft(draft.id, kept)}
          onRemove={() => edits.removeDraft(draft.id)}
          onClose={onClose}
        />
      )}
    </>
  );
}

/** Outlines that another user has changed too: theirs is on the map beside the local one. */
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
          <p>{t('zones.contested', { name: nameOf(zone) })}</p>
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

/** Zones that another user has removed during the local change. */
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
          <p>{t('zones.removed', { name: nameOf(zone) })}</p>
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

/** The zone of a button, for screen readers. */
const ZoneName = ({ zone }: { zone: Named }) => (
  <span class="unseen">
    {' '}
    <bdi>{nameOf(zone)}</bdi>
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

/** Saves changed outlines and drawn zones, all or none, after a preview of the effects. */
function useSaving({ edited, changes, unsaved, saved }: Edits, known: readonly Zone[]) {
  const saving = useAction(['catalogue', 'availability', 'appointments']);
  return {
    ...saving,
    async save() {
      const zones = [
        ...edited.map((zone) => {
          const change = changes.get(zone.id)!;
          return { id: zone.id, version: versionOf(zone, change), area: areaOf(change.ring) };
        }),
        ...unsaved.map(({ fields, ring }) => ({ ...fields, area: areaOf(ring) })),
      ];
      // Overlaps are in the preview: who saves them wants them.
      let confirm: { confirmOverlap?: true } = {};
      await saving.run(async () => {
        const data = await previewed(
          async (query) => {
            const { data } = await call('changeZones', { query, body: { ...confirm, zones } });
            if (data.overlaps.length > 0) confirm = { confirmOverlap: true };
            return data;
          },
          {
            about: (effects) => zoneEffects(effects, known),
            confirm: ({ overlaps }) => t(overlaps.length > 0 ? 'zones.saveOverlap' : 'act.save'),
          },
        ).catch((error: unknown) => {
          // A zone was removed: after reloading, the remaining changes show which.
          if (asFailure(error).status === 404) changed(['catalogue']);
          throw error;
        });
        saved(data.zones);
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
      {/* Over the map: above it, it would move the map under the pointer. */}
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
  gapsOf,
  open,
  goTo,
}: {
  zones: readonly Zone[];
  drafts: readonly Draft[];
  outlines: readonly Outline[];
  overlaps: readonly Overlap[];
  gapsOf: (zone: Zone) => Gap[];
  open: (id: string) => void;
  goTo: (id: string) => void;
}) {
  const rows = [
    ...zones.map((zone) => ({ ...zone, isNew: false, gaps: gapsOf(zone) })),
    ...drafts.map(({ id, fields }) => ({ ...fields, id, isNew: true, gaps: [] })),
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
              <bdi>{nameOf(zone)}</bdi>
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
            <Gaps title={t('setup.zone')} gaps={zone.gaps} />
          </li>
        ))}
      </ul>
    </section>
  );
}

import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { Failure } from '../calls.ts';
import type { Zone } from '../contract.ts';
import { number } from '../format.ts';
import { listed, nameOf, t } from '../language.ts';
import { areaOf, type Corner, crossesItself, fromText, type Ring, toText } from '../map/outlines.ts';
import { useServiceOptions } from '../options.ts';
import { previewed } from '../parts/change-preview.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Failed } from '../parts/failed.tsx';
import { CheckField, ChoicesField, Form, type FormState, TextField, useForm } from '../parts/fields.tsx';
import { type Gap, Gaps } from '../parts/gaps.tsx';
import { ask } from '../parts/questions.tsx';
import { ZoneHours } from '../parts/team-hours.tsx';
import { toast } from '../parts/toasts.tsx';
import { asFailure, useAction } from '../query.ts';
import { may } from '../session.ts';
import { requiredNumber } from '../values.ts';
import { confirmingOverlaps } from './zone-overlaps.ts';

/** A zone's settings, and its corners as text, an alternative to the map. */

export type ZoneFields = Pick<
  Zone,
  'name' | 'nameAr' | 'priority' | 'slotGridMinutes' | 'serviceIds' | 'isActive'
>;

type Values = {
  name: string;
  nameAr: string;
  priority: string;
  slotGridMinutes: string;
  serviceIds: readonly string[];
  isActive: boolean;
  corners: string;
};

const NEW: ZoneFields = {
  name: '',
  nameAr: null,
  priority: 100,
  slotGridMinutes: 30,
  serviceIds: [],
  isActive: true,
};

const valuesOf = (fields: ZoneFields, ring: Ring): Values => ({
  name: fields.name,
  nameAr: fields.nameAr ?? '',
  priority: String(fields.priority),
  slotGridMinutes: String(fields.slotGridMinutes),
  serviceIds: fields.serviceIds,
  isActive: fields.isActive,
  corners: toText(ring),
});

const fieldsOf = ({ name, nameAr, priority, slotGridMinutes, serviceIds, isActive }: Values): ZoneFields => ({
  name,
  nameAr: nameAr.trim() === '' ? null : nameAr,
  isActive,
  priority: requiredNumber(priority),
  slotGridMinutes: requiredNumber(slotGridMinutes),
  serviceIds: [...serviceIds],
});

/** The typed corners; null: they are invalid, or the outline crosses itself. */
function outlineOf({ corners }: Values): Corner[] | null {
  const ring = fromText(corners);
  return ring === null || crossesItself(ring) ? null : ring;
}

/** As outlineOf. Throws Failure. */
function outlineOrThrow(values: Values): Corner[] {
  const ring = outlineOf(values);
  if (ring === null) throw new Failure(400, 'VALIDATION_ERROR', t('zones.crossing'), { isWorded: true });
  return ring;
}

type ZoneProps = {
  zone: Zone;
  ring: Ring;
  gaps: readonly Gap[];
  /** With the zone whose outline was changed, as it was then. */
  onRing: (ring: Ring, zone: Zone) => void;
  onRemoved: () => void;
  onClose: () => void;
};

/** The dialog of an existing zone. */
export function ZoneDialog(props: ZoneProps) {
  return may('updateZone') ? <EditZone {...props} /> : <ZoneDetails {...props} />;
}

/** Read-only details. */
function ZoneDetails({ zone, ring, gaps, onClose }: ZoneProps) {
  const services = useServiceOptions();
  return (
    <Dialog title={nameOf(zone)} onClose={onClose}>
      <Gaps title={t('setup.zone')} gaps={gaps} />
      <Facts
        facts={[
          { label: t('zones.priority'), value: number(zone.priority) },
          { label: t('zones.grid'), value: number(zone.slotGridMinutes) },
          { label: t('zones.isActive'), value: zone.isActive ? t('field.yes') : t('field.no') },
        ]}
      />
      <h3>{t('zones.services')}</h3>
      <ul class="plain-list">
        {services
          .filter(({ value }) => zone.serviceIds.includes(value))
          .map(({ value, label }) => (
            <li key={value}>
              <bdi>{label}</bdi>
            </li>
          ))}
      </ul>
      <h3>{t('zones.corners')}</h3>
      <pre>{toText(ring)}</pre>
      <ZoneHours zoneId={zone.id} />
    </Dialog>
  );
}

/** Saves the settings at once; the outline is saved with the other changed outlines. */
function EditZone({ zone, ring, gaps, onRing, onRemoved, onClose }: ZoneProps) {
  // The values when the dialog opened: later changes by others must cause a conflict.
  const [began] = useState({ zone, ring });
  const [version, setVersion] = useState(zone.version);
  const form: FormState<Values> = useForm(valuesOf(zone, ring), [
    'catalogue',
    'availability',
    'appointments',
  ]);
  const removal = useAction(['catalogue', 'availability']);
  async function remove(): Promise<void> {
    const title = t('zones.remove', { name: nameOf(zone) });
    if ((await ask({ title, confirm: t('act.remove'), danger: true })) === null) return;
    if (!(await removal.run(() => call('removeZone', { id: zone.id })))) return;
    onRemoved();
    onClose();
  }
  return (
    <Dialog title={nameOf(zone)} onClose={onClose} wide>
      <Gaps title={t('setup.zone')} gaps={gaps} />
      <KeepOverlap zone={zone} names={gaps.flatMap(({ overlaps = [] }) => overlaps)} />
      {removal.failure && <Failed failure={removal.failure} />}
      <Form
        form={form}
        submit={t('act.save')}
        onClose={onClose}
        onDone={onClose}
        send={async (values) => {
          const corners = outlineOrThrow(values);
          const body = form.changed(fieldsOf(values));
          if (Object.keys(body).length > 0) {
            await confirmingOverlaps((confirm) =>
              previewed(async (query) => {
                const sent = { id: zone.id, query, body: { ...body, ...confirm } };
                return (await call('updateZone', sent, { ifMatch: version })).data;
              }),
            ).catch((error: unknown) => {
              setVersion(asFailure(error).details.version ?? version);
              throw error;
            });
            toast(t('act.saved'));
          }
          if (toText(corners) !== toText(began.ring)) onRing(corners, began.zone);
        }}
      >
        <Fields form={form} />
      </Form>
      <ZoneHours zoneId={zone.id} />
      {may('removeZone') && (
        <button type="button" class="small" disabled={removal.busy} onClick={() => void remove()}>
          {t('act.remove')}
        </button>
      )}
    </Dialog>
  );
}

/** The decision about overlaps at the same priority, which the service stores. */
function KeepOverlap({ zone, names }: { zone: Zone; names: readonly string[] }) {
  const confirming = useAction(['catalogue']);
  if (names.length === 0) return null;
  async function confirm(): Promise<void> {
    const answer = await ask({
      title: t('zones.keepOverlapTitle'),
      text: t('zones.keepOverlapText', { zone: nameOf(zone), names: listed(...names) }),
      confirm: t('zones.keepOverlap'),
    });
    if (answer === null) return;
    await confirming.run(() => call('updateZone', { id: zone.id, body: { confirmOverlap: true } }));
  }
  return (
    <>
      {confirming.failure && <Failed failure={confirming.failure} />}
      <button type="button" class="small" disabled={confirming.busy} onClick={() => void confirm()}>
        {t('zones.keepOverlap')}
      </button>
    </>
  );
}

/** The dialog of a drawn zone (`draft` null: a new one). It is saved with the other changes, after a preview. */
export function DraftDialog({
  draft,
  ring,
  keep,
  onRemove,
  onClose,
}: {
  draft: ZoneFields | null;
  ring: Ring;
  keep: (draft: { fields: ZoneFields; ring: Ring }) => void;
  onRemove?: () => void;
  onClose: () => void;
}) {
  const form: FormState<Values> = useForm(valuesOf(draft ?? NEW, ring), []);
  return (
    <Dialog title={draft === null ? t('zones.new') : nameOf(draft)} onClose={onClose} wide>
      <Form
        form={form}
        submit={t(draft === null ? 'act.add' : 'act.save')}
        onClose={onClose}
        onDone={onClose}
        send={async (values) => {
          const corners = outlineOrThrow(values);
          const fields = fieldsOf(values);
          await assertPossible(fields, corners);
          keep({ fields, ring: corners });
        }}
      >
        <Fields form={form} />
      </Form>
      {onRemove && (
        <button
          type="button"
          class="small"
          onClick={() => {
            onRemove();
            onClose();
          }}
        >
          {t('act.remove')}
        </button>
      )}
    </Dialog>
  );
}

/** Validates the zone by a dry run. Throws Failure with messages by field. */
async function assertPossible(fields: ZoneFields, ring: Ring): Promise<void> {
  try {
    await call('changeZones', {
      query: { preview: 'true' },
      body: { zones: [{ ...fields, area: areaOf(ring) }] },
    });
  } catch (error) {
    const { status, code, message, details, ...rest } = asFailure(error);
    const faults = (details.message ?? []).map((fault) => fault.replace('zones.0.', ''));
    throw new Failure(status, code, message, { ...rest, details: { ...details, message: faults } });
  }
}

function Fields({ form }: { form: FormState<Values> }) {
  const services = useServiceOptions();
  return (
    <>
      <div class="columns">
        <TextField form={form} name="name" label={t('cat.nameEn')} required />
        <TextField form={form} name="nameAr" rtl label={t('cat.nameAr')} />
        <TextField form={form} name="priority" type="number" label={t('zones.priority')} />
        <TextField form={form} name="slotGridMinutes" type="number" label={t('zones.grid')} />
      </div>
      <CheckField form={form} name="isActive" label={t('zones.isActive')} />
      <ChoicesField form={form} name="serviceIds" label={t('zones.services')} options={services} />
      <TextField
        form={form}
        name="corners"
        rows={6}
        ltr
        label={t('zones.corners')}
        hint={t('zones.cornersHint')}
      />
      {outlineOf(form.values) === null && (
        <p class="fault" role="alert">
          {t('zones.crossing')}
        </p>
      )}
    </>
  );
}

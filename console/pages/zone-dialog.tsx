import { useRef, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { Failure } from '../calls.ts';
import type { ChangeZonesRequest, Zone } from '../contract.ts';
import { t } from '../language.ts';
import { areaOf, crossesItself, fromText, type Ring, toText } from '../map/outlines.ts';
import { useServiceOptions } from '../options.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failed } from '../parts/failed.tsx';
import { CheckField, ChoicesField, Form, TextField, useForm } from '../parts/fields.tsx';
import { ask } from '../parts/questions.tsx';
import { toast } from '../parts/toasts.tsx';
import { useAction } from '../query.ts';
import { may } from '../session.ts';
import { type Effects, ZonePreview } from './zone-preview.tsx';

/** A zone's settings, and its corners for those who do not draw. A new one when `zone` is null. */
export function ZoneDialog({
  zone,
  zones,
  ring,
  onRing,
  onClose,
}: {
  zone: Zone | null;
  zones: readonly Zone[];
  ring: Ring;
  onRing: (ring: Ring) => void;
  onClose: () => void;
}) {
  const services = useServiceOptions();
  const form = useForm(
    {
      name: zone?.name ?? '',
      priority: String(zone?.priority ?? 100),
      slotGridMinutes: String(zone?.slotGridMinutes ?? 30),
      serviceIds: (zone?.serviceIds ?? []) as readonly string[],
      isActive: zone?.isActive ?? true,
      corners: toText(ring),
    },
    ['catalogue', 'availability'],
  );
  const removal = useAction(['catalogue', 'availability']);
  const making = useAction(['catalogue', 'availability', 'appointments']);
  /** A new zone that would take addresses from others: saved when that has been looked at. */
  const waiting = useRef<ChangeZonesRequest['zones'] | null>(null);
  const [effects, setEffects] = useState<Effects | null>(null);
  const corners = fromText(form.values.corners);
  const isFaulty = corners === null || crossesItself(corners);
  async function remove(): Promise<void> {
    const title = t('zones.remove', { name: zone!.name });
    if ((await ask({ title, confirm: t('act.remove'), danger: true })) === null) return;
    if (await removal.run(() => call('removeZone', { id: zone!.id }))) onClose();
  }
  const notNow = (): void => {
    waiting.current = null;
    setEffects(null);
  };
  async function make(): Promise<void> {
    const made = waiting.current!;
    notNow();
    if (!(await making.run(() => call('changeZones', { body: { zones: made } })))) return;
    toast(t('act.saved'));
    onClose();
  }
  if (!may('updateZone')) {
    return (
      <Dialog title={zone?.name ?? ''} onClose={onClose}>
        <pre>{toText(ring)}</pre>
      </Dialog>
    );
  }
  return (
    <Dialog title={zone?.name ?? t('zones.new')} onClose={onClose} wide>
      {removal.failure && <Failed failure={removal.failure} />}
      <Form
        form={form}
        submit={t('act.save')}
        onClose={onClose}
        onDone={() => waiting.current === null && onClose()}
        send={async ({ priority, slotGridMinutes, serviceIds, name, isActive }) => {
          const fields = {
            name,
            isActive,
            priority: Number(priority),
            slotGridMinutes: Number(slotGridMinutes),
            serviceIds: [...serviceIds],
          };
          if (isFaulty) throw new Failure(400, 'VALIDATION_ERROR', t('zones.crossing'));
          const area = corners;
          if (zone === null) {
            const made = [{ ...fields, area: areaOf(area) }];
            const { data } = await call('changeZones', { query: { preview: 'true' }, body: { zones: made } });
            if (data.addresses.moved > 0) {
              waiting.current = made;
              return setEffects(data);
            }
            await call('changeZones', { body: { zones: made } });
          } else await call('updateZone', { id: zone.id, body: fields }, { ifMatch: zone.version });
          // An outline is saved with the others that were changed.
          if (zone !== null && toText(area) !== toText(ring)) onRing(area);
          toast(t('act.saved'));
        }}
      >
        <div class="columns">
          <TextField form={form} name="name" label={t('zones.name')} required />
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
        {isFaulty && (
          <p class="fault" role="alert">
            {t('zones.crossing')}
          </p>
        )}
      </Form>
      {making.failure && <Failed failure={making.failure} />}
      {effects !== null && (
        <ZonePreview
          effects={effects}
          zones={[...zones, ...effects.zones]}
          onSave={() => void make()}
          onClose={notNow}
        />
      )}
      {zone !== null && may('removeZone') && (
        <button type="button" class="small" onClick={() => void remove()}>
          {t('act.remove')}
        </button>
      )}
    </Dialog>
  );
}

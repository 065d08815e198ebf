import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { t } from '../language.ts';
import { type Place, placeIn } from '../place-text.ts';
import { useAction } from '../query.ts';
import { Failed } from './failed.tsx';
import { type FormState, TextField } from './fields.tsx';
import { PlaceMap } from './place-map.tsx';

type Values = Record<string, string | boolean | readonly unknown[]>;

/** A place as people have it, or as a pin. `short`: the field of the short address, which a found one fills in. */
export function PlaceField<T extends Values>({
  form,
  name,
  short,
  required,
}: {
  form: FormState<T>;
  name: keyof T & string;
  short: keyof T & string;
  required?: boolean;
}) {
  const action = useAction([]);
  const [outcome, setOutcome] = useState<'UNKNOWN' | 'NO_ANSWER' | 'NO_RESOLVER' | null>(null);
  const found = placeIn(form.values[name] as string);
  function put({ latitude, longitude }: { [Name in keyof Place]: string | number }): void {
    setOutcome(null);
    form.set(name, `${latitude}, ${longitude}` as T[typeof name]);
  }
  const locate = (shortAddress: string): Promise<boolean> =>
    action.run(async () => {
      const { data } = await call('locateShortAddress', { body: { shortAddress } });
      form.set(short, shortAddress as T[typeof short]);
      if (data.latitude !== null && data.longitude !== null) put(data as Place);
      else setOutcome(data.outcome as 'UNKNOWN');
    });
  const pin = found?.is === 'place' ? found.place : null;
  return (
    <>
      <TextField
        form={form}
        name={name}
        label={t('new.location')}
        hint={t('new.locationHint')}
        ltr
        required={required ?? false}
      />
      <div role="status">
        {(found?.is === 'short' || found?.is === 'outside') && <p class="fault">{t(`place.${found.is}`)}</p>}
        {found?.is === 'swapped' && (
          <p>
            {t('place.swapped')}{' '}
            <button type="button" onClick={() => put(found.place)}>
              {t('place.exchange')}
            </button>
          </p>
        )}
        {found?.is === 'code' && (
          <p>
            <button type="button" disabled={action.busy} onClick={() => void locate(found.shortAddress)}>
              {t('place.find', { code: found.shortAddress })}
            </button>{' '}
            {outcome && <span class="fault">{t(`place.${outcome}`)}</span>}
          </p>
        )}
        {action.failure && <Failed failure={action.failure} />}
      </div>
      <PlaceMap
        points={
          pin === null
            ? []
            : [{ latitude: Number(pin.latitude), longitude: Number(pin.longitude), label: t('place.pin') }]
        }
        onPick={put}
      />
    </>
  );
}

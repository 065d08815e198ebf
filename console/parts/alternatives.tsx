import type { AlternativeSlot } from '../contract.ts';
import { dayOf } from '../format.ts';
import { t } from '../language.ts';

/** Free alternatives to a refused choice, as buttons. */
export function Alternatives({
  slots,
  choose,
}: {
  slots: readonly AlternativeSlot[];
  choose: (slot: AlternativeSlot) => void;
}) {
  if (slots.length === 0) return null;
  return (
    <div>
      <p>{t('error.alternatives')}</p>
      <div class="buttons">
        {slots.map((slot) => (
          <button key={`${slot.date} ${slot.startAt}`} type="button" onClick={() => choose(slot)}>
            {dayOf(slot.date)} <bdi dir="ltr">{slot.startAt}</bdi>
          </button>
        ))}
      </div>
    </div>
  );
}

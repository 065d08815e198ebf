import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from './language.ts';

/** Milliseconds for which the button is held. */
const HOLD = 1_000;

/** Whether a hold has acted and its finger is not up: the click that ends it belongs to no button. */
let acted = false;
for (const begins of ['pointerdown', 'keydown'])
  addEventListener(
    begins,
    () => {
      acted = false;
    },
    true,
  );

/** The handler of clicks of their own, which did not begin as a hold of another button. */
export const ownClick =
  (handle: () => void): (() => void) =>
  () => {
    if (!acted) handle();
  };

/**
 * A button that acts after it was held for a second. A tap, a key or a screen reader asks instead, with a second button,
 * so that it needs neither patience nor a pointer. The question stays until the step is kept.
 */
export function HoldButton({
  label,
  icon,
  tone,
  onTaken,
}: {
  label: string;
  icon: ComponentChildren;
  tone: 'go' | 'stop';
  /** Resolves once the step is kept. */
  onTaken: () => Promise<void>;
}) {
  const [holding, setHolding] = useState(false);
  const [asks, setAsks] = useState(false);
  const [keeping, setKeeping] = useState(false);
  const [slipped, setSlipped] = useState(false);
  useEffect(() => {
    if (!holding) return;
    const timer = setTimeout(() => {
      setHolding(false);
      setAsks(false);
      acted = true;
      void onTaken().then(() => navigator.vibrate?.(60));
    }, HOLD);
    return () => clearTimeout(timer);
  }, [holding]);
  const slip = (): void => {
    if (holding) setSlipped(true);
    setHolding(false);
  };
  return (
    <div class="hold-group">
      <button
        type="button"
        class={`big ${tone} ${holding ? 'holding' : ''}`}
        aria-expanded={asks}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          setSlipped(false);
          setHolding(true);
        }}
        onPointerUp={() => setHolding(false)}
        onPointerLeave={slip}
        onPointerCancel={slip}
        onContextMenu={(event) => event.preventDefault()}
        onClick={ownClick(() => setAsks(true))}
      >
        {icon}
        <span>{label}</span>
        <small role="status">{t(slipped ? 'slipped' : 'hold')}</small>
      </button>
      {asks && (
        <div class="pair">
          <button
            type="button"
            class={`big ${tone}`}
            disabled={keeping}
            onClick={ownClick(() => {
              setKeeping(true);
              void onTaken().finally(() => {
                setKeeping(false);
                setAsks(false);
              });
            })}
          >
            <span>{t('confirm', { step: label })}</span>
          </button>
          <button type="button" class="big plain" onClick={() => setAsks(false)}>
            <span>{t('back')}</span>
          </button>
        </div>
      )}
    </div>
  );
}

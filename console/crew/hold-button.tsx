import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from './language.ts';

/** Milliseconds for which the button is held. */
const HOLD = 1_000;

/**
 * A button that acts after it was held for a second. A tap, a key or a screen reader asks instead, with a second button,
 * so that it needs neither patience nor a pointer.
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
  useEffect(() => {
    if (!holding) return;
    const timer = setTimeout(() => {
      setHolding(false);
      setAsks(false);
      void onTaken().then(() => navigator.vibrate?.(60));
    }, HOLD);
    return () => clearTimeout(timer);
  }, [holding]);
  const letGo = (): void => setHolding(false);
  return (
    <div class="hold-group">
      <button
        type="button"
        class={`big ${tone} ${holding ? 'holding' : ''}`}
        aria-expanded={asks}
        onPointerDown={(event) => {
          if (event.button === 0) setHolding(true);
        }}
        onPointerUp={letGo}
        onPointerLeave={letGo}
        onPointerCancel={letGo}
        onContextMenu={(event) => event.preventDefault()}
        onClick={() => setAsks(true)}
      >
        {icon}
        <span>{label}</span>
        <small>{t('hold')}</small>
      </button>
      {asks && (
        <div class="pair">
          <button
            type="button"
            class={`big ${tone}`}
            onClick={() => {
              setAsks(false);
              void onTaken();
            }}
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

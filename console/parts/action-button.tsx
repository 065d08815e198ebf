import type { ComponentChildren } from 'preact';
import type { Action } from '../query.ts';
import { toast } from './toasts.tsx';

/** A button that makes a change and cannot be pressed meanwhile; `done` is shown when it has succeeded. */
export function ActionButton({
  action,
  run,
  done,
  kind,
  children,
}: {
  action: Action;
  run: () => Promise<unknown>;
  done?: string;
  kind?: 'small' | 'quiet' | 'primary' | 'danger';
  children: ComponentChildren;
}) {
  async function press(): Promise<void> {
    if ((await action.run(run)) && done !== undefined) toast(done);
  }
  return (
    <button type="button" class={kind} disabled={action.busy} onClick={() => void press()}>
      {children}
    </button>
  );
}

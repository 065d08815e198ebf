import { t } from '../language.ts';

/** Whether something is in use. */
export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return (
    <span class={`badge ${isActive ? 'good' : 'plain'}`}>
      {isActive ? t('hooks.active') : t('hooks.inactive')}
    </span>
  );
}

import { t } from '../language.ts';

/** Active or inactive. */
export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return (
    <span class={`badge ${isActive ? 'good' : 'plain'}`}>
      {isActive ? t('hooks.active') : t('hooks.inactive')}
    </span>
  );
}

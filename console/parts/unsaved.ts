import { useEffect } from 'preact/hooks';
import { t } from '../language.ts';
import { askBeforeLeaving } from '../router.ts';
import { ask } from './questions.tsx';

/** While something on the page is not saved, it is not left without a question. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    return askBeforeLeaving(
      async () =>
        (await ask({
          title: t('unsaved.title'),
          text: t('unsaved.text'),
          confirm: t('unsaved.leave'),
          danger: true,
        })) !== null,
    );
  }, [isUnsaved]);
}

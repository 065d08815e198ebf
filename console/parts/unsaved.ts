import { useEffect, useRef } from 'preact/hooks';
import { t } from '../language.ts';
import { askBeforeLeaving } from '../router.ts';
import { ask } from './questions.tsx';

/**
 * While there are unsaved changes, asks before the page is left or the `parameters` of its query change. Returns a
 * function that stops this at once, for navigation after saving.
 */
export function useUnsaved(isUnsaved: boolean, parameters: readonly string[] = []): () => void {
  const end = useRef(() => {});
  useEffect(() => {
    if (!isUnsaved) return;
    end.current = askBeforeLeaving(
      async () =>
        (await ask({
          title: t('unsaved.title'),
          text: t('unsaved.text'),
          confirm: t('unsaved.leave'),
          danger: true,
        })) !== null,
      parameters,
    );
    return end.current;
  }, [isUnsaved]);
  return () => end.current();
}

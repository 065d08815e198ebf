import { useEffect, useRef } from 'preact/hooks';
import { t } from '../language.ts';
import { askBeforeLeaving } from '../router.ts';
import { ask } from './questions.tsx';

/**
 * While something on the page is not saved, it is not left without a question, nor are the `parameters` of its query
 * changed. Returns what ends that at once, for a page that leads to another one when it has saved.
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

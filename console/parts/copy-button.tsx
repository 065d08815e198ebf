import { useState } from 'preact/hooks';
import { t } from '../language.ts';

/** Copies a text. */
export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {copied ? t('act.copied') : t('act.copy')}
    </button>
  );
}

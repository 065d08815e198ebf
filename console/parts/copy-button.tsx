import { useState } from 'preact/hooks';
import { t } from '../language.ts';

const CONFIRMATION_MS = 2_000;

/** Copies a text, and shows if the browser refuses, as it does over plain HTTP. */
export function CopyButton({ text }: { text: string }) {
  const [said, setSaid] = useState<'act.copy' | 'act.copied' | 'act.notCopied'>('act.copy');
  async function copy(): Promise<void> {
    const clipboard: Clipboard | undefined = navigator.clipboard;
    const worked = await clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(worked ? 'act.copied' : 'act.notCopied');
    if (worked) setTimeout(() => setSaid('act.copy'), CONFIRMATION_MS);
  }
  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {t(said)}
    </button>
  );
}

/** A text to read, with the button that copies it. */
export function Copied({ text }: { text: string }) {
  return (
    <>
      <code>{text}</code> <CopyButton text={text} />
    </>
  );
}

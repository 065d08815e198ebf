import type { ComponentChildren } from 'preact';
import { t } from '../language.ts';
import { Copied } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** A new secret, which is shown only once: Escape does not close it. */
export function SecretDialog({
  title,
  secret,
  about = <p>{t('secret.once')}</p>,
  onClose,
}: {
  title: string;
  secret: string;
  about?: ComponentChildren;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} lasting>
      {about}
      <p class="secret">
        <Copied text={secret} />
      </p>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {t('secret.stored')}
        </button>
      </div>
    </Dialog>
  );
}

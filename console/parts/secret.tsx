import { t } from '../language.ts';
import { Copied } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** A new secret, which is shown only once: Escape does not close it. */
export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} lasting>
      <p>{t('secret.once')}</p>
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

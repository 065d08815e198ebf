import { t } from '../language.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** A secret that was just made, which nobody can read again. */
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
    <Dialog title={title} onClose={onClose}>
      <p>{t('secret.once')}</p>
      <p class="secret">
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
    </Dialog>
  );
}

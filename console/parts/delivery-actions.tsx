import { t } from '../language.ts';
import { useAction } from '../query.ts';
import { go, href } from '../router.ts';
import { ActionButton } from './action-button.tsx';
import { Failed } from './failed.tsx';
import { toast } from './toasts.tsx';

/** The actions on a delivery by status; null: the role may not. */
export function DeliveryActions({
  status,
  retry,
  replay,
}: {
  status: string;
  retry: (() => Promise<unknown>) | null;
  /** Resolves to the new delivery. */
  replay: (() => Promise<{ data: { id: string } }>) | null;
}) {
  const action = useAction(['deliveries']);
  return (
    <>
      {status === 'FAILED' && retry !== null && (
        <div class="buttons">
          <ActionButton action={action} run={retry} done={t('delivery.retried')} kind="primary">
            {t('delivery.retry')}
          </ActionButton>
        </div>
      )}
      {status === 'DELIVERED' && replay !== null && (
        <div class="buttons">
          <ActionButton
            action={action}
            run={async () => {
              const made = await replay();
              toast(t('delivery.replayed'));
              go(href(`/deliveries/${made.data.id}`));
            }}
          >
            {t('delivery.replay')}
          </ActionButton>
          <span class="small">{t('delivery.replayAbout')}</span>
        </div>
      )}
      {action.failure && <Failed failure={action.failure} />}
    </>
  );
}

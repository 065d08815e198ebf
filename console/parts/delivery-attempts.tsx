import { t } from '../language.ts';
import { useQuery } from '../query.ts';
import { AttemptList } from './attempt-list.tsx';
import { Loaded } from './failed.tsx';

/** The attempts of a delivery with request and response. */
export function DeliveryAttempts({ id }: { id: string }) {
  const query = useQuery('getDelivery', { id }, ['deliveries']);
  return (
    <Loaded query={query}>
      {({ data: { attempts, payload } }) => (
        <div class="stale">
          <AttemptList attempts={attempts} />
          <details>
            <summary>{t('delivery.payload')}</summary>
            <pre>{JSON.stringify(payload, null, 2)}</pre>
          </details>
        </div>
      )}
    </Loaded>
  );
}

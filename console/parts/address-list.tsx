import type { Address } from '../contract.ts';
import { t } from '../language.ts';
import { addressText } from './address-text.ts';

/** The address on one line, or its coordinates. */
export const textOf = (address: Address): string =>
  addressText(address) ?? `${address.latitude}, ${address.longitude}`;

/** A customer's addresses; with `onEdit` each can be corrected. */
export function AddressList({
  addresses,
  onEdit,
}: {
  addresses: readonly Address[];
  onEdit?: ((address: Address) => void) | undefined;
}) {
  if (addresses.length === 0) return <p class="empty">{t('customer.noAddress')}</p>;
  return (
    <ul class="plain-list">
      {addresses.map((address) => (
        <li key={address.id}>
          <bdi>{textOf(address)}</bdi>{' '}
          {addressText(address) !== null && address.latitude !== null && (
            <bdi dir="ltr" class="small faint">
              {address.latitude}, {address.longitude}
            </bdi>
          )}{' '}
          {onEdit && (
            <button
              type="button"
              class="quiet"
              aria-label={`${t('act.edit')}: ${textOf(address)}`}
              onClick={() => onEdit(address)}
            >
              {t('act.edit')}
            </button>
          )}
          {address.directions !== null && (
            <p class="faint">
              {t('address.directions')}: <bdi>{address.directions}</bdi>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

import { isMoney, MAX_MONEY } from '../base/money.ts';
import type { Rule } from '../http/validation.ts';

/** A partner's price of a service. */
export const AMOUNT: Rule<number> = {
  check: isMoney,
  message: `must be an amount from 0 to ${MAX_MONEY} with at most 2 decimals`,
};

/** Messages about services that the list repeats. */
export function duplicateServiceFaults({
  services = [],
}: {
  services?: readonly ({ serviceId?: string } | undefined)[];
}): string[] {
  const seen = new Set<string>();
  return services.flatMap((service, index) => {
    const id = service?.serviceId?.toLowerCase();
    if (id === undefined) return [];
    if (seen.has(id)) return [`services.${index}.serviceId must not be listed twice`];
    seen.add(id);
    return [];
  });
}

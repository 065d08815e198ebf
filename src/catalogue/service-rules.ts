import { isMoney } from '../base/money.ts';
import type { Rule } from '../http/validation.ts';

/** The orders of the operator's list. */
export const SERVICE_ORDERS = [
  'nameEn',
  'nameAr',
  'assignment',
  'durationMinutes',
  'defaultPrice',
  'isActive',
  'createdAt',
] as const;

type ServiceInput = { name?: string; nameEn?: string };

/** The messages about a new service beyond its form; `given` are the fields of the body, the invalid ones included. */
export function serviceFaults(input: ServiceInput, given: readonly string[] = Object.keys(input)): string[] {
  const isNamed = given.includes('name') || given.includes('nameEn');
  return [...(isNamed ? [] : ['nameEn should not be empty']), ...serviceChangeFaults(input)];
}

/** The messages about the changes of a service beyond their form. */
export function serviceChangeFaults({ name, nameEn }: ServiceInput): string[] {
  const areTwo = name !== undefined && nameEn !== undefined && name.trim() !== nameEn.trim();
  return areTwo ? ['name must be the same as nameEn when both are given'] : [];
}

/** The price of a service. */
export const EXACT_PRICE: Rule<number> = {
  check: isMoney,
  message: 'must be a number with at most 2 decimal places',
};

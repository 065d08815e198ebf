import type { RequestFaults } from '../http/validation.ts';

/** The orders of the operator's list. */
export const PARTNER_ORDERS = [
  'createdAt',
  'name',
  'status',
  'paymentResponsibility',
  'rateLimitPerMinute',
] as const;

/** Kinds of messages that a partner chooses for its customers. */
export const CHOSEN_KINDS = ['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'LATE', 'DONE'] as const;
export type ChosenKind = (typeof CHOSEN_KINDS)[number];

/** Kinds of messages to customers: the others correct what a customer was told, whatever the partner chose. */
export const MESSAGE_KINDS = [
  ...CHOSEN_KINDS,
  'MOVED',
  'NOT_YET',
  'ANOTHER_VISIT',
  'CANCELLED',
  'NOT_DONE',
  'UNPAID',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Whether something collects payments, and whether something sends messages. */
export type Providers = { hasGateway: boolean; hasNotifier: boolean };

/** The providers of a configuration. */
export function providersOf(payments: { gateway: string; notifier: { name: string } }): Providers {
  return { hasGateway: payments.gateway !== 'none', hasNotifier: payments.notifier.name !== 'none' };
}

type AccountSettings = { paymentResponsibility?: string; customerMessages?: readonly ChosenKind[] };

/** What an account is to have that nothing provides: payment links, messages to customers. */
export function accountFaults(
  { paymentResponsibility, customerMessages = [] }: AccountSettings,
  { hasGateway, hasNotifier }: Providers,
): RequestFaults {
  const messages: string[] = [];
  const hints: string[] = [];
  if (paymentResponsibility === 'PLATFORM' && !hasGateway) {
    messages.push('paymentResponsibility must be PARTNER while there is no payment gateway');
    hints.push(
      'paymentResponsibility: PLATFORM needs PAYMENT_GATEWAY=moyasar in the configuration of the service',
    );
  }
  if (customerMessages.length > 0 && !hasNotifier) {
    messages.push('customerMessages must be empty while nothing sends messages to customers');
    hints.push('customerMessages: needs NOTIFIER=webhook or unifonic in the configuration of the service');
  }
  return { messages, hints };
}

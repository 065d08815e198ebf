import type { RequestFaults } from '../http/validation.ts';

/** The orders of the operator's list. */
export const PARTNER_ORDERS = [
  'createdAt',
  'name',
  'status',
  'paymentResponsibility',
  'rateLimitPerMinute',
] as const;

/** Kinds of messages to a partner's customers. */
export const MESSAGE_KINDS = ['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'DONE'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Messages about the payment responsibility: without a payment gateway it cannot be the platform. */
export function gatewayFaults(
  { paymentResponsibility }: { paymentResponsibility?: string },
  hasGateway: boolean,
): RequestFaults {
  if (paymentResponsibility !== 'PLATFORM' || hasGateway) return { messages: [], hints: [] };
  return {
    messages: ['paymentResponsibility must be PARTNER while there is no payment gateway'],
    hints: [
      'paymentResponsibility: PLATFORM needs PAYMENT_GATEWAY=moyasar in the configuration of the service',
    ],
  };
}

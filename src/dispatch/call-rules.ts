/** Customers' answers on the telephone. */
export const CALL_ANSWERS = ['AGREED', 'DECLINED', 'NO_ANSWER', 'CALL_BACK'] as const;
export type CallAnswer = (typeof CALL_ANSWERS)[number];

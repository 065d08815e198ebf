/** The closed lists of words about changes and visits. */

/** Changes of a booking that may cost something. */
export const CHANGE_ACTIONS = ['cancel', 'reschedule'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** Why a visit could not be done. */
export const OUTCOMES = ['CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED', 'UNSAFE', 'CREW', 'WEATHER'] as const;
export type Outcome = (typeof OUTCOMES)[number];

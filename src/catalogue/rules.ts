/** Why nothing is offered at a place: no zone covers it, or its zone does not have the service. */
export const UNSERVED: ['PLACE_NOT_COVERED', 'NOT_OFFERED_AT_PLACE'] = [
  'PLACE_NOT_COVERED',
  'NOT_OFFERED_AT_PLACE',
];
export type Unserved = (typeof UNSERVED)[number];

/** SQL: what was sold with a booking `b` of the service `s`, as it was called then; one of before has no names of its own. */
export const SOLD_NAME = 'coalesce(b.sold_name, s.name_before, s.name)';
/** null: there was no Arabic name. */
export const SOLD_NAME_AR = `case when b.sold_name is not null then b.sold_name_ar
  when s.name_before is not null then s.name_ar_before else s.name_ar end`;
/** In Arabic, or as it was called in English. */
export const SOLD_IN_ARABIC = `coalesce(${SOLD_NAME_AR}, ${SOLD_NAME})`;

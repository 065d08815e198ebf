import { type Named, nameOf } from '../language.ts';
import type { Option } from './filters.tsx';

/** Reasons for cancellations as options of a required field. */
export const reasonOptions = (reasons: readonly (Named & { id: string })[] = []): Option[] => [
  { value: '', label: '' },
  ...reasons.map((reason) => ({ value: reason.id, label: nameOf(reason) })),
];

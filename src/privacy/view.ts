import { toRiyadhIso } from '../base/clock.ts';
import type { Erased } from './erasure.ts';

export const erasedView = ({ id, erasedAt, requestId }: Erased) => ({
  id,
  erasedAt: toRiyadhIso(erasedAt),
  requestId,
});

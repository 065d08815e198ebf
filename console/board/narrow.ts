import { computed, signal } from '@preact/signals';
import { picked } from './moves.ts';

/** Whether the board is a list: hours side by side do not fit on a telephone. */

const media = matchMedia('(max-width: 44rem)');
const isNarrow = signal(media.matches);
media.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});

/** The hours stay while a visit is moved on them. */
export const isList = computed(() => isNarrow.value && picked.value === null);

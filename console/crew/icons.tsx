/** Pictograms, drawn on 24 by 24 with strokes of the text's colour. */

const PATHS = {
  'In The Way': 'M3 16V9l2-4h10l3 4h3v7M3 16h18M3 10h15',
  'In The location':
    'M12 21s7-6.5 7-12a7 7 0 0 0-14 0c0 5.500 7 12 7 12zM12 11.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  'In Progress': 'M19 3l-8 9M13 10l3 3M11 12c-4 0-6 2-8 8 6 0 10-1 11-5z',
  Finished: 'M4 13l5 5L20 6',
  'Cannot Complete': 'M6 6l12 12M18 6L6 18',
  Scheduled: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3',
  Cancelled: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12',
  CUSTOMER_ABSENT: 'M4 21V10l8-7 8 7v11zM10 21v-6h4v6M3 3l18 18',
  NO_ACCESS: 'M6 11h12v10H6zM8 11V7a4 4 0 0 1 8 0v4M12 15v2',
  REFUSED: 'M8 13V5M12 12V3M16 13V5M8 13l-3-3M5 10c1 6 3 11 8 11 4 0 6-3 6-7V8',
  UNSAFE: 'M12 3L2 20h20zM12 10v4M12 17v.500',
  CREW: 'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2 20c0-4 3-6 7-6s7 2 7 6M18 6v5M18 15v.500',
  call: 'M5 3h4l2 5-3 2c1 3 3 5 6 6l2-3 5 2v4c0 1-1 2-2 2C11 21 3 13 3 5c0-1 1-2 2-2z',
  map: 'M9 4L3 6v14l6-2 6 2 6-2V4l-6 2zM9 4v14M15 6v14',
  notes: 'M5 3h14v18H5zM8 8h8M8 12h8M8 16h5',
  money: 'M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 9v6M18 9v6',
  offline:
    'M3 3l18 18M5 12a10 10 0 0 1 5-2.700M2 8.500A15 15 0 0 1 7 5.600M11 5a15 15 0 0 1 11 3.500M15 10a10 10 0 0 1 4 2M9 15.500a5 5 0 0 1 6 0M12 19v.500',
  undo: 'M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
      {name === 'In The Way' && (
        <path d="M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z" />
      )}
    </svg>
  );
}

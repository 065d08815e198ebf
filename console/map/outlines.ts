import { type Geom, intersection } from 'polyclip-ts';

/** Outlines of zones. Pure; a ring is its corners as [longitude, latitude], the first not repeated at the end. */

export type Corner = [longitude: number, latitude: number];
export type Ring = readonly Corner[];

const MIN_CORNERS = 3;

/** Six decimals, about a tenth of a metre. */
export const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

export function ringOf({ coordinates }: { coordinates: number[][][] }): Ring {
  return coordinates[0]!.slice(0, -1).map(([longitude, latitude]): Corner => [longitude!, latitude!]);
}

export const areaOf = (ring: Ring): { type: 'Polygon'; coordinates: number[][][] } => ({
  type: 'Polygon',
  coordinates: [[...ring, ring[0]!].map(([longitude, latitude]) => [rounded(longitude), rounded(latitude)])],
});

/** The side of the line from `a` to `b` on which a corner lies; 0: on it. */
function side(a: Corner, b: Corner, c: Corner): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

const isWithin = (a: Corner, b: Corner, c: Corner): boolean =>
  Math.min(a[0], b[0]) <= c[0] &&
  c[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= c[1] &&
  c[1] <= Math.max(a[1], b[1]);

function meet(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  const [abc, abd, cda, cdb] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (abc !== abd && cda !== cdb) return true;
  return (
    (abc === 0 && isWithin(a, b, c)) ||
    (abd === 0 && isWithin(a, b, d)) ||
    (cda === 0 && isWithin(c, d, a)) ||
    (cdb === 0 && isWithin(c, d, b))
  );
}

/** Whether an outline crosses or touches itself, or has too few corners. */
export function crossesItself(ring: Ring): boolean {
  if (ring.length < MIN_CORNERS) return true;
  const edges = ring.map((corner, index): [Corner, Corner] => [corner, ring[(index + 1) % ring.length]!]);
  for (let one = 0; one < edges.length; one++) {
    for (let other = one + 1; other < edges.length; other++) {
      const [a, b] = edges[one]!;
      const [c, d] = edges[other]!;
      const isNext = other === one + 1;
      const isLast = one === 0 && other === edges.length - 1;
      // Adjacent edges share a corner; they must not overlap.
      if (isNext || isLast) {
        const [far, shared, end] = isNext ? [a, b, d] : [c, d, b];
        if (side(far, shared, end) === 0 && isAhead(shared, far, end)) return true;
      } else if (meet(a, b, c, d)) return true;
    }
  }
  return false;
}

const isAhead = (from: Corner, one: Corner, other: Corner): boolean =>
  (one[0] - from[0]) * (other[0] - from[0]) + (one[1] - from[1]) * (other[1] - from[1]) > 0;

/** The intersection of two outlines, as rings; a shared border is none. */
export function overlapOf(one: Ring, other: Ring): Ring[] {
  const geometry = (ring: Ring): Geom => [[...ring, ring[0]!].map(([x, y]): [number, number] => [x, y])];
  return intersection(geometry(one), geometry(other))
    .map(([ring]) => ring!.slice(0, -1) as Corner[])
    .filter((ring) => sizeOf(ring) > 1e-9);
}

/** Whether the place is inside the outline. */
export function isInside(ring: Ring, [x, y]: Corner): boolean {
  let isIn = false;
  for (const [index, [ax, ay]] of ring.entries()) {
    const [bx, by] = ring[(index + 1) % ring.length]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}

/** The middle of an outline's bounds. */
export function middleOf(ring: Ring): Corner {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const half = (all: number[]) => (Math.min(...all) + Math.max(...all)) / 2;
  return [half(xs), half(ys)];
}

const KM_PER_DEGREE = 111.2;

/** The distance in kilometres, on a plane: for places of one city. */
export function kilometres([ax, ay]: Corner, [bx, by]: Corner): number {
  const shrink = Math.cos((((ay + by) / 2) * Math.PI) / 180);
  return Math.hypot((ax - bx) * shrink, ay - by) * KM_PER_DEGREE;
}

/** The area in square degrees. */
function sizeOf(ring: Ring): number {
  const sum = ring.reduce((total, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!;
    return total + x * nextY - nextX * y;
  }, 0);
  return Math.abs(sum / 2);
}

/** `24.7136, 46.6753` on each line, latitude first. */
export const toText = (ring: Ring): string =>
  ring.map(([longitude, latitude]) => `${rounded(latitude)}, ${rounded(longitude)}`).join('\n');

/** The corners in such a text; null: a line is invalid. */
export function fromText(text: string): Corner[] | null {
  const corners: Corner[] = [];
  for (const line of text.trim().split('\n')) {
    const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)\s*[,،\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(line) ?? [];
    if (latitude === undefined || longitude === undefined) return null;
    corners.push([Number(longitude), Number(latitude)]);
  }
  return corners;
}

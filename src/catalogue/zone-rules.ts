import { isDeepStrictEqual } from 'node:util';
import { intersection } from 'polyclip-ts';
import { repeatFaults } from '../http/id-lists.ts';
import type { WellFormed } from '../http/validation.ts';

/** The orders of the operator's list. */
export const ZONE_ORDERS = ['priority', 'name', 'nameAr', 'isActive', 'createdAt'] as const;

/** Checks of a zone's area: pure, over GeoJSON, longitude first. */

export type Position = number[];
/** GeoJSON Polygon; rings of `[longitude, latitude]`, a third number is ignored. */
export type Polygon = { type: 'Polygon'; coordinates: Position[][] };

const MAX_POSITIONS = 2_000;
/** Square degrees, about a hundredth of a square metre: smaller ones are lines after rounding. */
const MIN_AREA = 1e-12;

type Point = { x: number; y: number };

/**
 * The messages about the area, which start with `area`; none when it is one closed ring of 4 to 2,000 positions within
 * range that encloses something and neither crosses nor touches itself.
 */
function areaFaults(area: Pick<Polygon, 'coordinates'>): string[] {
  const [ring, ...holes] = area.coordinates;
  if (ring === undefined) return ['area.coordinates must contain one ring'];
  if (holes.length > 0) return ['area.coordinates must contain one ring only: holes are not supported'];
  if (ring.length < 4) return ['area.coordinates.0 must contain at least 4 positions'];
  if (ring.length > MAX_POSITIONS)
    return [`area.coordinates.0 must contain no more than ${MAX_POSITIONS} positions`];

  const wrong = ring.findIndex((position) => !isPosition(position));
  if (wrong >= 0)
    return [
      `area.coordinates.0.${wrong} must be a longitude from -180 to 180 and a latitude from -90 to 90, in this order`,
    ];

  const points = ring.map(([x, y]) => ({ x: x!, y: y! }));
  if (!isSame(points[0]!, points.at(-1)!)) return ['area.coordinates.0 must end where it begins'];
  // Repeated positions are no edge.
  const corners = points.slice(1).filter((point, index) => !isSame(point, points[index]!));
  if (touchesItself(corners)) return ['area must not cross or touch itself'];
  if (enclosedArea(corners) < MIN_AREA) return ['area must enclose something'];
  return [];
}

function isPosition(position: Position): boolean {
  const [longitude, latitude] = position;
  return (
    (position.length === 2 || position.length === 3) &&
    Math.abs(longitude!) <= 180 &&
    Math.abs(latitude!) <= 90
  );
}

function isSame(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y;
}

/** Square degrees. Computed relative to the first corner, because products of whole coordinates lose small areas. */
function enclosedArea(corners: readonly Point[]): number {
  const origin = corners[0];
  if (origin === undefined) return 0;
  let twice = 0;
  for (let i = 1; i + 1 < corners.length; i++) twice += cross(origin, corners[i]!, corners[i + 1]!);
  return Math.abs(twice) / 2;
}

/** Above zero: c is to the left of the line from a to b. */
function cross(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

type Edge = { index: number; from: Point; to: Point; left: number; right: number };

function touchesItself(corners: readonly Point[]): boolean {
  const edges: Edge[] = corners.map((from, index) => {
    const to = corners[(index + 1) % corners.length]!;
    return { index, from, to, left: Math.min(from.x, to.x), right: Math.max(from.x, to.x) };
  });
  // From west to east, so that each edge is compared only with those that start before it ends.
  edges.sort((a, b) => a.left - b.left);
  for (const [i, edge] of edges.entries()) {
    for (let j = i + 1; j < edges.length && edges[j]!.left <= edge.right; j++) {
      const other = edges[j]!;
      // Neighbours share a corner. One that runs back over the other is found by the edge before or after them.
      const distance = Math.abs(edge.index - other.index);
      const areNeighbours = distance === 1 || distance === edges.length - 1;
      if (!areNeighbours && meet(edge, other)) return true;
    }
  }
  return false;
}

function meet(a: Edge, b: Edge): boolean {
  const b1 = Math.sign(cross(a.from, a.to, b.from));
  const b2 = Math.sign(cross(a.from, a.to, b.to));
  const a1 = Math.sign(cross(b.from, b.to, a.from));
  const a2 = Math.sign(cross(b.from, b.to, a.to));
  if (b1 * b2 < 0 && a1 * a2 < 0) return true;
  return (
    (b1 === 0 && isWithin(b.from, a)) ||
    (b2 === 0 && isWithin(b.to, a)) ||
    (a1 === 0 && isWithin(a.from, b)) ||
    (a2 === 0 && isWithin(a.to, b))
  );
}

/** Whether a point on the edge's line is between its ends. */
function isWithin(point: Point, { from, to, left, right }: Edge): boolean {
  return (
    point.x >= left &&
    point.x <= right &&
    point.y >= Math.min(from.y, to.y) &&
    point.y <= Math.max(from.y, to.y)
  );
}

/** Degrees, about a tenth of a metre: thinner overlaps are rounded borders. */
const MIN_THICKNESS = 1e-6;

/** Whether the areas overlap in more than a border. */
export function doOverlap(one: Polygon, other: Polygon): boolean {
  return intersection(ringOf(one), ringOf(other)).some(([ring]) => {
    const points = ring!.map(([x, y]) => ({ x, y }));
    let length = 0;
    for (const [index, { x, y }] of points.entries()) {
      const next = points[index + 1] ?? points[0]!;
      length += Math.hypot(next.x - x, next.y - y);
    }
    return (2 * enclosedArea(points)) / length > MIN_THICKNESS;
  });
}

const ringOf = ({ coordinates }: Polygon) => [
  coordinates[0]!.map(([longitude, latitude]): [number, number] => [longitude!, latitude!]),
];

/** The fields of a zone that affect overlaps. */
type Covering = { id: string; area_geojson: Polygon; priority: number; is_active: boolean };

/** Two active zones of equal priority, and which of them takes precedence where they overlap, now and before. */
export type ZonePair = { id: string; other_id: string; is_first: boolean; was_first: boolean };

/** Whether the changes of zones, given as they were before, created or altered the overlap. */
export function isPairAltered(
  pair: ZonePair,
  before: readonly Covering[],
  after: readonly Covering[],
): boolean {
  const ids = [pair.id, pair.other_id];
  const now = ids.map((id) => after.find((zone) => zone.id === id));
  const then = ids.map((id) => before.find((zone) => zone.id === id));
  const priority = now.find((zone) => zone !== undefined)!.priority;
  const wasPair = now.every((zone, index) => zone === undefined || then[index]?.is_active);
  const [one, other] = then.map((zone) => zone?.priority ?? priority);
  return (
    !wasPair ||
    one !== other ||
    pair.is_first !== pair.was_first ||
    now.some((zone, index) => zone && !isDeepStrictEqual(zone.area_geojson, then[index]?.area_geojson))
  );
}

/** The messages about the fields of a zone beyond their form. */
export function zoneFaults(input: {
  area?: WellFormed<Polygon>;
  serviceIds?: readonly (string | undefined)[];
}): string[] {
  return [
    ...(isWhole(input.area) ? areaFaults(input.area) : []),
    ...repeatFaults('serviceIds', input.serviceIds),
  ];
}

/** Whether the area has all its numbers. */
function isWhole(area: WellFormed<Polygon> | undefined): area is Polygon {
  const lists = area?.coordinates?.map((ring) => ring?.map((position) => position?.includes(undefined)));
  return lists?.every((ring) => ring?.every((lacks) => lacks === false)) ?? false;
}

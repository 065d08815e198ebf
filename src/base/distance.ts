/** Decimal degrees. */
export type Place = { latitude: number; longitude: number };

/** Mean radius of the earth (km). */
const RADIUS = 6_371;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The straight line over the ground between two places, in kilometres (haversine). */
export function kilometresBetween(one: Place, other: Place): number {
  const [north, east] = [
    radians(other.latitude - one.latitude) / 2,
    radians(other.longitude - one.longitude) / 2,
  ];
  const half =
    Math.sin(north) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east) ** 2;
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(half)));
}

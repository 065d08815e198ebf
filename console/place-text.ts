import { westernDigits } from './values.ts';

/** Places in pasted texts: coordinates, links of maps and short addresses of the National Address. Pure. */

export type Place = { latitude: string; longitude: string };
/** `swapped`: only with both exchanged it is in the country. `short`: only its service knows where the link leads. */
export type FoundPlace =
  | { is: 'place' | 'swapped'; place: Place }
  | { is: 'code'; shortAddress: string }
  | { is: 'outside' | 'short' };

/** Longer than any link of a map. */
const MAX_LENGTH = 4_000;
/** Saudi Arabia, in degrees. */
const isInCountry = (latitude: number, longitude: number): boolean =>
  latitude >= 16 && latitude <= 32.5 && longitude >= 34.3 && longitude <= 55.8;

const NUMBER = String.raw`([+-]?\d{1,3}(?:\.\d+)?)(?!e?\d|\.\d)`;
const PAIR = String.raw`${NUMBER}(?:\s*[,;،~]\s*|\s+)${NUMBER}`;
/** First the pin or destination, then the centre of the view, then any two numbers. */
const FORMS = [
  new RegExp(`.*!3d${NUMBER}!4d${NUMBER}`),
  new RegExp(`.*[?&#]mlat=${NUMBER}&mlon=${NUMBER}`),
  new RegExp(
    `.*[?&#](?:q|query|ll|latlng|coordinate|daddr|destination|to|cp|center)=(?:ll\\.|loc:)?\\s*${PAIR}`,
    'i',
  ),
  new RegExp(`.*/${PAIR}(?=/|$|\\?)`),
  new RegExp(`@${PAIR}`),
  new RegExp(`#map=[\\d.]+/${NUMBER}/${NUMBER}`),
  new RegExp(`(?:^|[^\\w.+-])${PAIR}`),
];
/** Degrees with a hemisphere: `24°42'49"N`, `24.7136° N`. */
const DEGREES =
  /(\d{1,3}(?:\.\d+)?)\s*[°º]\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′’]\s*)?(?:(\d{1,2}(?:\.\d+)?)\s*["″”]\s*)?([NSEW])/gi;
const SHORT_LINK =
  /(?:maps\.app\.goo\.gl|goo\.gl\/maps|g\.co\/kgs|maps\.apple\/p|osm\.org\/go)\/|waze\.com\/ul\/h/i;
const SHORT_ADDRESS = /(?:^|[^a-z\d])([a-z]{4})[ -]?(\d{4})(?![a-z\d])/i;

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replaceAll(/%2c/gi, ',');
  }
}

function degreesIn(text: string): Place | null {
  const found = [...text.matchAll(DEGREES)]
    .slice(0, 2)
    .map(([, degrees, minutes = 0, seconds = 0, side = '']) => {
      const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
      return { isNorth: /[NS]/i.test(side), text: (/[SW]/i.test(side) ? -value : value).toFixed(6) };
    });
  const [latitude, longitude] = [true, false].map(
    (north) => found.find(({ isNorth }) => isNorth === north)?.text,
  );
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

function pairIn(text: string): Place | null {
  for (const form of FORMS) {
    const [, latitude, longitude] = form.exec(text) ?? [];
    // Links without a place have zeros.
    if (latitude !== undefined && longitude !== undefined && (Number(latitude) || Number(longitude)))
      return { latitude: latitude.replace('+', ''), longitude: longitude.replace('+', '') };
  }
  return null;
}

/** The place that a pasted text means; null: it names none. */
export function placeIn(text: string): FoundPlace | null {
  const typed = westernDigits(decoded(text.trim().slice(0, MAX_LENGTH)));
  const place = degreesIn(typed) ?? pairIn(typed);
  if (place !== null) {
    const [latitude, longitude] = [Number(place.latitude), Number(place.longitude)];
    if (isInCountry(latitude, longitude)) return { is: 'place', place };
    if (!isInCountry(longitude, latitude)) return { is: 'outside' };
    return { is: 'swapped', place: { latitude: place.longitude, longitude: place.latitude } };
  }
  if (SHORT_LINK.test(typed)) return { is: 'short' };
  const [, letters, digits] = typed.includes('://') ? [] : (SHORT_ADDRESS.exec(typed) ?? []);
  return letters === undefined ? null : { is: 'code', shortAddress: `${letters.toUpperCase()}${digits}` };
}

/** Latitude and longitude in a text; null: there are none, or they are to be asked about. */
export function coordinatesOf(text: string): Place | null {
  const found = placeIn(text);
  return found?.is === 'place' ? found.place : null;
}

/** Red, green and blue, 0 to 1, gamma-encoded (sRGB). */
export type Rgb = readonly [number, number, number];

/** Lightness 0 to 1, chroma, hue in radians (OKLCH, after Björn Ottosson's Oklab). */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** The lightest colour there is. */
export const WHITE = '#ffffff';
/** The darkest colour there is. */
export const BLACK = '#000000';

const names: ReadonlyMap<string, string> = new Map([
  ['white', WHITE],
  ['black', BLACK],
]);

/** Brings '#ABC', '#aabbcc', 'white' and 'black' into the form '#aabbcc'; null for anything else. */
export function parseColour(text: string): string | null {
  const lower = text.trim().toLowerCase();
  const named = names.get(lower);
  if (named !== undefined) return named;
  if (/^#[0-9a-f]{6}$/.test(lower)) return lower;
  return /^#[0-9a-f]{3}$/.test(lower) ? lower.replace(/[0-9a-f]/g, '$&$&') : null;
}

/** The channels of '#rrggbb'. */
export const toRgb = (hex: string): Rgb => [channel(hex, 1), channel(hex, 3), channel(hex, 5)];

const channel = (hex: string, from: number): number => Number.parseInt(hex.slice(from, from + 2), 16) / 255;

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** Writes channels as '#rrggbb'; what lies outside 0 to 1 is cut. */
export const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(clamp(value) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

const encoded = (value: number): number =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;

/** Lightness, chroma and hue of '#rrggbb'. */
export function toOklch(hex: string): Oklch {
  const [red, green, blue] = toRgb(hex);
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { lightness, chroma: Math.hypot(a, bb), hue: Math.atan2(bb, a) };
}

function toLinearRgb({ lightness, chroma, hue }: Oklch): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Rounding noise that still counts as inside sRGB, linear light. */
const GAMUT_SLACK = 0.0005;

/** The nearest sRGB colour of that lightness and hue: chroma is lowered until it exists. */
export function fromOklch(colour: Oklch): string {
  if (colour.lightness >= 1) return WHITE;
  if (colour.lightness <= 0) return BLACK;
  let chroma = colour.chroma;
  for (let round = 0; round < 60; round += 1) {
    const [r, g, b] = toLinearRgb({ ...colour, chroma });
    const isInside = [r, g, b].every((value) => value >= -GAMUT_SLACK && value <= 1 + GAMUT_SLACK);
    if (isInside) return toHex([encoded(clamp(r)), encoded(clamp(g)), encoded(clamp(b))]);
    chroma *= 0.94;
  }
  const [r, g, b] = toLinearRgb({ ...colour, chroma: 0 });
  return toHex([encoded(clamp(r)), encoded(clamp(g)), encoded(clamp(b))]);
}

/** Relative luminance of '#rrggbb' (WCAG 2), 0 to 1. */
export function luminance(hex: string): number {
  const [r, g, b] = toRgb(hex);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Contrast of two colours (WCAG 2), 1 to 21; the order does not matter. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** The least contrast of a colour on several grounds. */
export const worstContrast = (colour: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrast(colour, ground)));

/** A colour on the straight way from one to the other; 0 is `from`, 1 is `to`. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [toRgb(from), toRgb(to)];
  return toHex([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]);
}

const LIGHTNESS_STEP = 0.005;

/**
 * Keeps hue and chroma and moves lightness away from the grounds until the colour has the contrast on each of
 * them; black or white ends the search.
 */
export function reachContrast(colour: string, grounds: readonly string[], target: number): string {
  if (worstContrast(colour, grounds) >= target) return colour;
  const isDarkBetter = worstContrast(BLACK, grounds) >= worstContrast(WHITE, grounds);
  const start = toOklch(colour);
  const step = isDarkBetter ? -LIGHTNESS_STEP : LIGHTNESS_STEP;
  for (let lightness = start.lightness; lightness > 0 && lightness < 1; lightness += step) {
    const candidate = fromOklch({ ...start, lightness });
    if (worstContrast(candidate, grounds) >= target) return candidate;
  }
  return isDarkBetter ? BLACK : WHITE;
}

/** Pulls a ground towards the surface until the ink reads on it. */
export function carryInk(ground: string, surface: string, ink: string, target: number): string {
  for (let step = 0; step <= 50; step += 1) {
    const candidate = mix(ground, surface, step / 50);
    if (contrast(candidate, ink) >= target) return candidate;
  }
  return surface;
}

/** Below this the logo's own shapes cannot be told from what is behind (WCAG 2.2, 1.4.11). */
const LEAST_RATIO = 3;
const SIDE = 16;

type Rgb = readonly [number, number, number];

const linear = (value: number): number => {
  const v = value / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
};

const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** WCAG contrast of two colours given as 0..255. */
export function ratioOf(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** What a logo stands on where the page's own ground hides it. */
export type Plate = 'none' | 'light' | 'dark';
const plates = { light: [255, 255, 255], dark: [24, 27, 30] } as const;

/**
 * The plate that a logo needs by its own colours: none, or that of the two on which more of it can be seen.
 * @param pixels RGBA, 0..255
 */
export function plateFor(pixels: Uint8ClampedArray, behind: Rgb): Plate {
  if (faintShare(pixels, behind) <= 0.5) return 'none';
  return faintShare(pixels, plates.light) <= faintShare(pixels, plates.dark) ? 'light' : 'dark';
}

/** How much of what is visible has less than 3:1 against a ground, 0 to 1. */
function faintShare(pixels: Uint8ClampedArray, ground: Rgb): number {
  let visible = 0;
  let faint = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < 128) continue;
    visible += 1;
    const pixel: Rgb = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    if (ratioOf(pixel, ground) < LEAST_RATIO) faint += 1;
  }
  return visible === 0 ? 0 : faint / visible;
}

/** Looks at a loaded logo where it stands. An image from another origin cannot be read: no plate then. */
export function plateOf(image: HTMLImageElement): Plate {
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d');
  const behind = groundBehind(image);
  if (!context || !behind) return 'none';
  try {
    context.drawImage(image, 0, 0, SIDE, SIDE);
    return plateFor(context.getImageData(0, 0, SIDE, SIDE).data, behind);
  } catch {
    return 'none';
  }
}

function groundBehind(element: Element): Rgb | undefined {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor.match(/^rgb\((\d+), (\d+), (\d+)\)$/);
    if (colour) return [Number(colour[1]), Number(colour[2]), Number(colour[3])];
  }
  return undefined;
}

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

/**
 * Whether most of a logo's visible pixels have less than 3:1 against the colour behind it.
 * @param pixels RGBA, 0..255
 */
export function isUnreadable(pixels: Uint8ClampedArray, behind: Rgb): boolean {
  let visible = 0;
  let faint = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < 128) continue;
    visible += 1;
    const pixel: Rgb = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    if (ratioOf(pixel, behind) < LEAST_RATIO) faint += 1;
  }
  return visible > 0 && faint > visible / 2;
}

/** Looks at a loaded logo where it stands. An image from another origin cannot be read: no plate then. */
export function needsPlate(image: HTMLImageElement): boolean {
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d');
  const behind = groundBehind(image);
  if (!context || !behind) return false;
  try {
    context.drawImage(image, 0, 0, SIDE, SIDE);
    return isUnreadable(context.getImageData(0, 0, SIDE, SIDE).data, behind);
  } catch {
    return false;
  }
}

function groundBehind(element: Element): Rgb | undefined {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor.match(/^rgb\((\d+), (\d+), (\d+)\)$/);
    if (colour) return [Number(colour[1]), Number(colour[2]), Number(colour[3])];
  }
  return undefined;
}

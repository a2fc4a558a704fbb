import {
  BLACK,
  carryInk,
  contrast,
  fromOklch,
  mix,
  parseColour,
  reachContrast,
  toOklch,
  WHITE,
  worstContrast,
} from './colour.ts';
import type { RoleName, Roles, Theme } from './palette-promises.ts';

export type { PromisedPair, RoleName, Roles, ShortPair, Theme } from './palette-promises.ts';
export { checkRoles, promisedPairs, promisedPairsFor, roleNames } from './palette-promises.ts';

/** Colours 1 to 7 of a brand that sets none. */
export const defaultColours: readonly string[] = [
  'white',
  '#3598db',
  '#94a1a3',
  '#def1fe',
  '#005e80',
  '#eef8fe',
  '#e7ebef',
];

/** What a person may ask for. */
export interface PaletteOptions {
  /** The person wants more contrast: text reaches 7:1 and graphics 4.5:1. */
  readonly moreContrast?: boolean | undefined;
}

/** Aims of the search; each lies a little above what is promised, so that rounding cannot undercut it. */
interface Aims {
  /** Ink on its grounds. */
  readonly ink: number;
  /** Ink on lines and status grounds. */
  readonly softInk: number;
  readonly text: number;
  readonly graphic: number;
  /** What is promised for graphics: a colour that has it is not moved. */
  readonly leastGraphic: number;
  /** From here on white may stand on a fill as it is. */
  readonly onFill: number;
}

const normalAims: Aims = { ink: 9, softInk: 8, text: 4.6, graphic: 3.1, leastGraphic: 3, onFill: 4.5 };
const strongAims: Aims = { ink: 9, softInk: 8, text: 7.05, graphic: 4.55, leastGraphic: 4.5, onFill: 7.05 };

type StatusName = 'success' | 'danger' | 'warning' | 'info';
/** Status colours never come from the brand: [text and icon, soft ground]. */
const statusColours: Readonly<Record<Theme, Readonly<Record<StatusName, readonly [string, string]>>>> = {
  light: {
    success: ['#146c43', '#e5f4eb'],
    danger: ['#b0251d', '#fdecea'],
    warning: ['#805000', '#fdf2dc'],
    info: ['#2b579a', '#e9effa'],
  },
  dark: {
    success: ['#7fd6a4', '#17301f'],
    danger: ['#ff9d92', '#3d1d1a'],
    warning: ['#f0bf6a', '#352910'],
    info: ['#a9c4f5', '#1d2a40'],
  },
};

/** Grounds and starting points of one theme, before anything is computed for contrast. */
interface Base {
  readonly surface: string;
  readonly canvas: string;
  readonly hover: string;
  readonly selected: string;
  readonly line: string;
  readonly ink: string;
  readonly header: string;
  readonly mutedFrom: string;
  readonly accentFrom: string;
  readonly lineFrom: string;
  /** Dark text for light fills, with a breath of the header's hue. */
  readonly inkDark: string;
  /** Which set of status colours suits the grounds: a brand may have a dark page in the light theme. */
  readonly status: Theme;
}

/**
 * Roles of a brand from its seven colours (specification, portal §1; look, 'Seven colours become roles').
 * A missing or unreadable colour is replaced by the default of its place; whatever the colours are, the promised
 * pairs hold.
 * @param colours colours 1 to 7: page, accent, muted text, selection, header, hover, lines
 * @returns '#rrggbb' per role
 */
export function brandRoles(colours: readonly string[], theme: Theme, options: PaletteOptions = {}): Roles {
  const aims = options.moreContrast === true ? strongAims : normalAims;
  const colour = (place: number): string =>
    parseColour(colours[place - 1] ?? '') ?? parseColour(defaultColours[place - 1] ?? '') ?? WHITE;
  return compute(theme === 'light' ? lightBase(colour, aims) : darkBase(colour), aims);
}

/** Colour of a place, 1 to 7. */
type ColourOf = (place: number) => string;

const darkInkOf = (header: string): string => {
  const { chroma, hue } = toOklch(header);
  return fromOklch({ lightness: 0.235, chroma: Math.min(0.03, chroma * 0.35), hue });
};

function lightBase(colour: ColourOf, aims: Aims): Base {
  const inkDark = darkInkOf(colour(5));
  const ink = contrast(inkDark, colour(1)) >= contrast(WHITE, colour(1)) ? inkDark : WHITE;
  // A page in a middle tone carries no text well: it is lightened or darkened first.
  const surface = reachContrast(colour(1), [ink], aims.ink);
  const hover = carryInk(colour(6), surface, ink, aims.ink);
  return {
    surface,
    canvas: hover,
    hover,
    selected: carryInk(colour(4), surface, ink, aims.ink),
    line: carryInk(colour(7), surface, ink, aims.softInk),
    ink,
    header: colour(5),
    mutedFrom: colour(3),
    accentFrom: colour(2),
    lineFrom: colour(7),
    inkDark,
    status: ink === WHITE ? 'dark' : 'light',
  };
}

/** Dark is derived, not inverted: neutral grounds with a breath of the header's hue. */
function darkBase(colour: ColourOf): Base {
  const header = toOklch(colour(5));
  const muted = toOklch(colour(3));
  const accent = toOklch(colour(2));
  const { hue } = header;
  const chroma = Math.min(0.018, header.chroma * 0.2 + 0.004);
  const neutral = (lightness: number): string => fromOklch({ lightness, chroma, hue });
  return {
    surface: neutral(0.215),
    canvas: neutral(0.175),
    hover: neutral(0.25),
    selected: fromOklch({ lightness: 0.3, chroma: Math.min(0.05, accent.chroma * 0.4), hue: accent.hue }),
    line: neutral(0.315),
    ink: fromOklch({ lightness: 0.95, chroma: 0.006, hue }),
    header: fromOklch({
      lightness: Math.min(header.lightness, 0.29),
      chroma: Math.min(header.chroma, 0.055),
      hue,
    }),
    mutedFrom: fromOklch({ lightness: 0.72, chroma: Math.min(0.02, muted.chroma), hue: muted.hue }),
    accentFrom: colour(2),
    lineFrom: neutral(0.5),
    inkDark: darkInkOf(colour(5)),
    status: 'dark',
  };
}

function compute(base: Base, aims: Aims): Roles {
  const { surface, canvas, hover, selected, line, ink, inkDark } = base;
  const grounds = [surface, canvas, hover, selected];
  const [accent, onAccent] = fillFor(base.accentFrom, inkDark, aims);
  const accentUi = reachContrast(base.accentFrom, grounds, aims.graphic);
  return {
    surface,
    canvas,
    hover,
    selected,
    line,
    ink,
    'ink-muted': reachContrast(base.mutedFrom, grounds, aims.text),
    accent,
    'on-accent': onAccent,
    'accent-hover': hoverOf(accent, onAccent, aims),
    'accent-edge': edgeOf(accent, [surface, canvas], aims),
    'accent-text': reachContrast(base.accentFrom, grounds, aims.text),
    'accent-ui': accentUi,
    'on-accent-ui': tickOn(accentUi, inkDark, aims),
    'line-strong': reachContrast(base.lineFrom, [surface, canvas, hover], aims.graphic),
    ...headerRoles(base.header, inkDark, aims),
    ...statusRoles(base, grounds, aims),
  };
}

/** Text on a fill: white, else dark ink, else black; one of the last always reads where white does not. */
function textOn(fill: string, inkDark: string, target: number): string {
  if (contrast(WHITE, fill) >= target) return WHITE;
  if (contrast(inkDark, fill) >= target) return inkDark;
  return contrast(BLACK, fill) >= contrast(WHITE, fill) ? BLACK : WHITE;
}

/**
 * The fill of buttons and what stands on it. White that reads on it stays. A middle tone is deepened until white
 * reads (a small shift). A light fill is kept and set in ink.
 */
function fillFor(colour: string, inkDark: string, aims: Aims): readonly [string, string] {
  const onWhite = contrast(WHITE, colour);
  if (onWhite >= aims.onFill) return [colour, WHITE];
  if (onWhite >= 3) return [reachContrast(colour, [WHITE], aims.text), WHITE];
  const on = textOn(colour, inkDark, aims.onFill);
  return [reachContrast(colour, [on], aims.onFill), on];
}

/** The fill under the pointer: a little darker, unless its text would no longer read. */
function hoverOf(fill: string, on: string, aims: Aims): string {
  const { lightness, chroma, hue } = toOklch(fill);
  const darker = fromOklch({ lightness: lightness - (on === WHITE ? 0.05 : 0.06), chroma, hue });
  return contrast(darker, on) >= aims.onFill ? darker : fill;
}

/** The outline of a fill that would not stand out from the page; buttons and bars stand on these grounds. */
const edgeOf = (fill: string, grounds: readonly string[], aims: Aims): string =>
  worstContrast(fill, grounds) >= aims.leastGraphic ? fill : reachContrast(fill, grounds, aims.graphic);

/** A tick inside a checked box is a graphic, not text. */
function tickOn(fill: string, inkDark: string, aims: Aims): string {
  const { leastGraphic } = aims;
  if (contrast(WHITE, fill) >= leastGraphic) return WHITE;
  return contrast(inkDark, fill) >= leastGraphic ? inkDark : BLACK;
}

type HeaderRole = 'header' | 'on-header' | 'header-muted' | 'header-raised' | 'header-line';

function headerRoles(colour: string, inkDark: string, aims: Aims): Record<HeaderRole, string> {
  const on = textOn(colour, inkDark, aims.onFill);
  // Only more contrast than black or white can give on the brand's own colour moves the header.
  const header = reachContrast(colour, [on], aims.onFill);
  const raised = mix(header, on, 0.1);
  return {
    header,
    'on-header': on,
    'header-muted': mutedOn(header, on, aims),
    'header-raised': contrast(raised, on) >= aims.onFill ? raised : header,
    'header-line': mix(header, on, 0.24),
  };
}

/** Four fifths of the way from the header to its text, or further where that does not read. */
function mutedOn(header: string, on: string, aims: Aims): string {
  for (let step = 0; step <= 10; step += 1) {
    const candidate = mix(header, on, 0.8 + step * 0.02);
    if (contrast(candidate, header) >= aims.text) return candidate;
  }
  return on;
}

function statusRoles(
  { surface, ink, status }: Base,
  grounds: readonly string[],
  aims: Aims,
): Record<StatusName | `${StatusName}-soft`, string> {
  const soft = (name: StatusName): string =>
    carryInk(statusColours[status][name][1], surface, ink, aims.softInk);
  const text = (name: StatusName): string =>
    reachContrast(statusColours[status][name][0], [...grounds, soft(name)], aims.text);
  return {
    success: text('success'),
    danger: text('danger'),
    warning: text('warning'),
    info: text('info'),
    'success-soft': soft('success'),
    'danger-soft': soft('danger'),
    'warning-soft': soft('warning'),
    'info-soft': soft('info'),
  };
}

/** The roles as CSS declarations, '--surface:#ffffff;--canvas:…', for a style sheet or `style` of the root. */
export const toCssCustomProperties = (roles: Roles): string =>
  (Object.entries(roles) as [RoleName, string][]).map(([name, value]) => `--${name}:${value};`).join('');

import { contrast, parseColour, WHITE } from '@counterfoil/domain/text/colour.ts';
import { brandRoles, checkRoles, type RoleName } from '@counterfoil/domain/text/palette.ts';

interface Pair {
  readonly id: 'button' | 'link' | 'focus' | 'quiet' | 'quietSelected' | 'edge' | 'header' | 'ink';
  readonly foreground: RoleName;
  readonly ground: RoleName;
  readonly least: number;
  /** Places of the given colours, from 0, that the pair would be drawn in; null: white, the first choice on a fill. */
  readonly given: readonly [number | null, number] | null;
}

/** The pairs that people notice first, of all that are promised. */
const pairs: readonly Pair[] = [
  { id: 'button', foreground: 'on-accent', ground: 'accent', least: 4.5, given: [null, 1] },
  { id: 'link', foreground: 'accent-text', ground: 'surface', least: 4.5, given: [1, 0] },
  { id: 'focus', foreground: 'accent-ui', ground: 'surface', least: 3, given: [1, 0] },
  { id: 'quiet', foreground: 'ink-muted', ground: 'surface', least: 4.5, given: [2, 0] },
  { id: 'quietSelected', foreground: 'ink-muted', ground: 'selected', least: 4.5, given: [2, 3] },
  { id: 'edge', foreground: 'line-strong', ground: 'surface', least: 3, given: [6, 0] },
  { id: 'header', foreground: 'on-header', ground: 'header', least: 4.5, given: [null, 4] },
  { id: 'ink', foreground: 'ink', ground: 'surface', least: 7, given: null },
];

/** One pair: what the colours would give, and what they are moved to. */
export interface ContrastRow {
  readonly id: Pair['id'];
  readonly least: number;
  /** WCAG 2, 1 to 21; null where no given colour is the foreground. */
  readonly given: number | null;
  /** The foreground as given and as drawn, where these differ in the light theme. */
  readonly mended: { readonly from: string; readonly to: string } | null;
  readonly light: number;
  readonly dark: number;
}

export interface ContrastReport {
  readonly rows: readonly ContrastRow[];
  /** How many of all promised pairs do not hold, in both themes: none, whatever the colours are. */
  readonly short: number;
}

/** What becomes of seven colours. @param colours as typed; what is no colour takes the default of its place */
export function contrastReport(colours: readonly string[]): ContrastReport {
  const [light, dark] = [brandRoles(colours, 'light'), brandRoles(colours, 'dark')];
  const rows = pairs.map(({ id, foreground, ground, least, given }) => {
    const [from, on] =
      given === null ? [null, null] : [colourAt(colours, given[0]), colourAt(colours, given[1])];
    const isKept = from === null || (from === light[foreground] && on === light[ground]);
    return {
      id,
      least,
      given: from === null || on === null ? null : contrast(from, on),
      mended: isKept || from === light[foreground] ? null : { from, to: light[foreground] },
      light: contrast(light[foreground], light[ground]),
      dark: contrast(dark[foreground], dark[ground]),
    };
  });
  return { rows, short: checkRoles(light).length + checkRoles(dark).length };
}

const colourAt = (colours: readonly string[], place: number | null): string | null =>
  place === null ? WHITE : parseColour(colours[place]?.trim() ?? '');

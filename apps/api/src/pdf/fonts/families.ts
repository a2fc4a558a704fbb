import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { decodeWoff2 } from './woff2.ts';

const require = createRequire(import.meta.url);

export type Weight = 400 | 600;

/** Families beside Inter, tried for characters that Inter lacks. */
export type FamilyId = 'arabic' | 'hebrew' | 'sc' | 'jp' | 'kr';

interface Source {
  readonly package: string;
  /** Keys of `unicode.json` that are used; the rest (Latin and so on) is Inter's. */
  readonly uses: (key: string) => boolean;
  readonly file: (key: string, weight: Weight) => string;
  /** One file holds all weights. */
  readonly variable: boolean;
}

const staticFont = (script: string): Source => ({
  package: `@fontsource/noto-sans-${script}`,
  uses: (key) => key === script,
  file: (_key, weight) => `noto-sans-${script}-${script}-${weight}-normal.woff2`,
  variable: false,
});

const slicedFont = (region: string): Source => ({
  package: `@fontsource-variable/noto-sans-${region}`,
  uses: (key) => key.startsWith('['),
  file: (key) => `noto-sans-${region}-${key.slice(1, -1)}-wght-normal.woff2`,
  variable: true,
});

const sources: Record<FamilyId, Source> = {
  arabic: staticFont('arabic'),
  hebrew: staticFont('hebrew'),
  sc: slicedFont('sc'),
  jp: slicedFont('jp'),
  kr: slicedFont('kr'),
};

/** Characters `from` to `to` are in slice `key` of a family. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

const rangesOf = new Map<FamilyId, readonly Range[]>();

/** A family's ranges from its package, sorted; read when the first character outside Inter turns up. */
function familyRanges(family: FamilyId): readonly Range[] {
  const known = rangesOf.get(family);
  if (known) return known;
  const source = sources[family];
  const table = JSON.parse(readFileSync(require.resolve(`${source.package}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >;
  const ranges = Object.entries(table)
    .filter(([key]) => source.uses(key))
    .flatMap(([key, list]) => list.split(',').map((range) => parseRange(range, key)))
    .sort((a, b) => a.from - b.from);
  rangesOf.set(family, ranges);
  return ranges;
}

function parseRange(range: string, key: string): Range {
  const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-');
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), key };
}

/** The slice of a family that should hold a character, or undefined. */
export function sliceFor(family: FamilyId, codePoint: number): string | undefined {
  const ranges = familyRanges(family);
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (!range) return undefined;
    if (codePoint < range.from) high = middle - 1;
    else if (codePoint > range.to) low = middle + 1;
    else return range.key;
  }
  return undefined;
}

/** Font file of a slice, unpacked, and whether it must still be set to a weight. */
export function loadSlice(
  family: FamilyId,
  key: string,
  weight: Weight,
): { readonly bytes: Uint8Array; readonly variable: boolean } {
  const source = sources[family];
  const file = require.resolve(`${source.package}/files/${source.file(key, weight)}`);
  return { bytes: decodeWoff2(readFileSync(file)), variable: source.variable };
}

/** Font file of Inter, which holds Latin, Greek and Cyrillic. */
export function loadInter(weight: Weight): Uint8Array {
  const name = weight === 400 ? '400Regular/Inter_400Regular.ttf' : '600SemiBold/Inter_600SemiBold.ttf';
  return readFileSync(require.resolve(`@expo-google-fonts/inter/${name}`));
}

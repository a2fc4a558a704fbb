import bidiFactory, { type Bidi } from 'bidi-js';

/** The package's types describe its ES module, Node loads the CommonJS one: there the factory is the whole module. */
const bidi = (bidiFactory as unknown as () => Bidi)();

/** A stretch of one direction; `start` and `end` are positions in the paragraph. */
export interface DirectionalRun {
  readonly start: number;
  readonly end: number;
  readonly isRightToLeft: boolean;
}

/** Embedding level of each UTF-16 code unit (Unicode Standard Annex 9); the first strong letter sets the base. */
export function levelsOf(paragraph: string): Uint8Array {
  return bidi.getEmbeddingLevels(paragraph).levels;
}

/** The character shown in right-to-left text, where it has a mirror image: a parenthesis, for instance. */
export const mirrored = (char: string): string => bidi.getMirroredCharacter(char) ?? char;

/** Runs of one line from left to right (rule L2). */
export function visualRuns(levels: Uint8Array, start: number, end: number): readonly DirectionalRun[] {
  const runs: { start: number; end: number; level: number }[] = [];
  for (let i = start; i < end; i++) {
    const level = levels[i] ?? 0;
    const last = runs.at(-1);
    if (last?.level === level) last.end = i + 1;
    else runs.push({ start: i, end: i + 1, level });
  }
  const highest = runs.reduce((level, run) => Math.max(level, run.level), 0);
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < runs.length; from++) {
      let to = from;
      while ((runs[to]?.level ?? -1) >= level) to++;
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = to;
    }
  }
  return runs.map((run) => ({ start: run.start, end: run.end, isRightToLeft: run.level % 2 === 1 }));
}

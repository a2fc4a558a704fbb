export type LogoMotif = 'sail' | 'leaf' | 'bolt' | 'knot' | 'ring' | 'rock' | 'hexagon' | 'waves';
export type BannerPattern = 'waves' | 'arcs' | 'dots' | 'lines' | 'grid';

type Draw = (accent: string, deep: string) => string;

/** Marks on a field of 64 by 64, flat shapes only, so that the invoice PDF can draw them too. */
const motifs: Readonly<Record<LogoMotif, Draw>> = {
  sail: (accent, deep) =>
    `<path fill="${accent}" d="M34 6C50 20 54 34 54 44H34Z"/><path fill="${deep}" d="M29 14V44H10C12 32 18 22 29 14Z"/>` +
    `<path fill="${deep}" d="M6 49H58C54 56 48 59 42 59H20C14 59 9 56 6 49Z"/>`,
  leaf: (accent, deep) =>
    `<path fill="${accent}" d="M56 8C28 8 10 20 10 40c0 6 2 11 6 15C36 54 56 40 56 8Z"/>` +
    `<path fill="none" stroke="${deep}" stroke-width="4" stroke-linecap="round" d="M8 58C18 40 30 28 44 20"/>`,
  bolt: (accent, deep) =>
    `<rect x="4" y="4" width="56" height="56" rx="14" fill="${deep}"/>` +
    `<path fill="${accent}" d="M36 10 16 36h13l-3 18 22-28H34Z"/>`,
  knot: (accent, deep) =>
    `<g fill="none" stroke-width="7" stroke-linecap="round"><circle cx="24" cy="26" r="15" stroke="${deep}"/>` +
    `<circle cx="40" cy="38" r="15" stroke="${accent}"/></g>`,
  ring: (accent, deep) =>
    `<circle cx="32" cy="32" r="25" fill="none" stroke="${deep}" stroke-width="7"/>` +
    `<path fill="none" stroke="${accent}" stroke-width="7" stroke-linecap="round" d="M32 18v28M18 32h28"/>`,
  rock: (accent, deep) =>
    `<path fill="${deep}" d="M6 54 24 14l7 16-9 24Z"/><path fill="${accent}" d="M28 54 41 8l17 46Z"/>`,
  hexagon: (accent, deep) =>
    `<path fill="${deep}" d="M32 4 56 18v28L32 60 8 46V18Z"/><path fill="${accent}" d="M32 18 44 25v14l-12 7-12-7V25Z"/>`,
  waves: (accent, deep) =>
    `<g fill="none" stroke-width="6" stroke-linecap="round"><path stroke="${deep}" d="M6 22c9-9 17-9 26 0s17 9 26 0"/>` +
    `<path stroke="${accent}" d="M6 36c9-9 17-9 26 0s17 9 26 0"/><path stroke="${deep}" d="M6 50c9-9 17-9 26 0s17 9 26 0"/></g>`,
};

const steps = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Calm patterns on a field of 1200 by 1200. */
const patterns: Readonly<Record<BannerPattern, (ink: string) => string>> = {
  waves: (ink) =>
    `<g fill="none" stroke="${ink}" stroke-width="2" opacity=".5">${steps(9)
      .map(
        (at) =>
          `<path d="M-40 ${520 + at * 64}C260 ${300 + at * 64} 420 ${760 + at * 58} 720 ${500 + at * 60}S1120 ${340 + at * 62} 1260 ${480 + at * 60}"/>`,
      )
      .join('')}</g>`,
  arcs: (ink) =>
    `<g fill="none" stroke="${ink}" stroke-width="3" opacity=".45">${steps(8)
      .map((at) => `<circle cx="1040" cy="1120" r="${220 + at * 110}"/>`)
      .join('')}</g>`,
  dots: (ink) =>
    `<g fill="${ink}" opacity=".4">${steps(120)
      .map(
        (at) =>
          `<circle cx="${60 + (at % 12) * 98}" cy="${90 + Math.floor(at / 12) * 112}" r="${4 + ((at * 7) % 11)}"/>`,
      )
      .join('')}</g>`,
  lines: (ink) =>
    `<g stroke="${ink}" stroke-width="2" opacity=".4">${steps(16)
      .map((at) => `<path d="M${-300 + at * 110} 1260 ${100 + at * 110} -60"/>`)
      .join('')}</g>`,
  grid: (ink) =>
    `<g fill="none" stroke="${ink}" stroke-width="2" opacity=".35">${steps(30)
      .map(
        (at) =>
          `<rect x="${(at % 6) * 210 - 30}" y="${Math.floor(at / 6) * 250 - 20}" width="180" height="220" rx="${10 + ((at * 13) % 70)}"/>`,
      )
      .join('')}</g>`,
};

/** The mark of a demo brand. */
export const drawLogo = (motif: LogoMotif, accent: string, deep: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">${motifs[motif](accent, deep)}</svg>`,
  );

/** The picture beside a demo brand's sign-in form. */
export const drawBanner = (pattern: BannerPattern, motif: LogoMotif, ground: string, ink: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200" viewBox="0 0 1200 1200" preserveAspectRatio="xMidYMid slice">` +
      `<rect width="1200" height="1200" fill="${ground}"/>${patterns[pattern](ink)}` +
      `<g transform="translate(440 420) scale(5)" opacity=".92">${motifs[motif](ink, '#ffffff')}</g></svg>`,
  );

import type { SetText } from '../text/set-text.ts';
import type { BlockStyle, Sheet } from './sheet.ts';
import { colours, mm, rows, text, U } from './theme.ts';

const width = mm(84);
/** From the window's top down to the title. */
const height = (rows.title - rows.window) * U;
/** Type size and leading; the first in which everything fits. */
const sizes = [
  [10, 12],
  [9, 10.8],
  [8, 9.6],
  [7, 8.4],
  [6, 7.2],
] as const;

/** The customer's address where the envelope's window is, below the provider's in small type. */
export function drawAddress(sheet: Sheet): void {
  const { letter, paper, tree } = sheet;
  const small = { style: text, size: 6.5, leading: U, colour: colours.muted };
  const back = letter.sender.returnLine;
  if (back !== '')
    sheet.paragraph(
      tree.root,
      [sheet.cut(back, small, width)],
      [paper.window, rows.returnLine * U + 8.5],
      small,
    );
  const { lines, look } = fitted(sheet);
  sheet.paragraph(tree.root, lines, [paper.window, rows.window * U + look.size * 0.95], look);
}

function fitted(sheet: Sheet): { readonly lines: readonly SetText[]; readonly look: BlockStyle } {
  const { name, lines } = sheet.letter.recipient;
  let fit: ReturnType<typeof fitted> | undefined;
  for (const [size, leading] of sizes) {
    const look = { style: text, size, leading, colour: colours.ink };
    const most = Math.floor(height / leading + 0.01);
    const set = [name, ...lines.slice(0, most)].flatMap((line) => sheet.wrap(line, look, width));
    fit = { look, lines: set.length <= most ? set : [...set.slice(0, most - 1), sheet.set.line('…', text)] };
    if (set.length <= most) break;
  }
  return fit ?? { lines: [], look: { style: text, size: 6, leading: 7.2, colour: colours.ink } };
}

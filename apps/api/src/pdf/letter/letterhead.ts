import type { Artwork } from '../images/artwork.ts';
import { altText } from '../writer/structure.ts';
import { labels } from './labels.ts';
import type { Sheet } from './sheet.ts';
import { besideWidth, bold, colours, mm, rows, text, U } from './theme.ts';

const logoHeight = mm(12.7);
const widestLogo = mm(60);
/** A logo wider than this holds the brand's name itself; a square mark gets the name beside it. */
const wordmarkRatio = 2.2;
/** Rows down to the amount. */
const mostLines = rows.amount - rows.logo;

/** Name of the logo in every page's resources. */
export const logoName = 'Logo';

/** The brand on the left, the provider's address on the right, the fold marks at the edge. */
export function drawLetterhead(sheet: Sheet, logo: Artwork | undefined): void {
  drawBrand(sheet, logo);
  drawSender(sheet);
  sheet.canvas.artifact('Layout', () => {
    for (const y of sheet.paper.folds) sheet.canvas.line(mm(4), y, mm(8), 0.5, colours.muted);
  });
}

function drawBrand(sheet: Sheet, logo: Artwork | undefined): void {
  const { canvas, letter, paper, tree } = sheet;
  const top = rows.logo * U;
  const name = { style: bold, size: 13, leading: 16, colour: colours.ink };
  let left = paper.left;
  if (logo) {
    const width = Math.min(widestLogo, logoHeight * logo.ratio);
    const height = width / logo.ratio;
    const box = [left, top + (logoHeight - height) / 2, width, height] as const;
    const entries = altText(labels.logo(letter.sender.name));
    canvas.tagged(tree.root.add('Figure', entries), () => canvas.image(logoName, ...box));
    if (logo.ratio > wordmarkRatio) return;
    left += width + 9;
  }
  const lines = sheet.wrap(letter.sender.name, name, paper.right - besideWidth - 20 - left, 3);
  const first = top + logoHeight / 2 + 4.7 - ((lines.length - 1) * name.leading) / 2;
  sheet.paragraph(tree.root, lines, [left, first], name);
}

/** Name and address beside web, telephone, mail and tax number; one column where there is but one. */
function drawSender(sheet: Sheet): void {
  const { letter, paper, tree } = sheet;
  const look = { style: text, size: 7, leading: U, colour: colours.muted };
  const { address, contact } = letter.sender;
  const parts = [address, contact].filter((lines) => lines.length > 0);
  const width = besideWidth / Math.max(1, parts.length) - 6;
  for (const [index, part] of parts.entries()) {
    const lines = part.flatMap((line) => sheet.wrap(line, look, width, 3)).slice(0, mostLines);
    const x = paper.right - besideWidth + (index * besideWidth) / 2;
    sheet.paragraph(tree.root, lines, [x, rows.logo * U + 8], look);
  }
}

import type { Sheet } from './sheet.ts';
import { besideWidth, bold, boldFigures, colours, figures, rows, text, U } from './theme.ts';

const mostFacts = 6;
/** A longer amount is set smaller. */
const longAmount = 10;

/** The amount, what is to be known of it, and the facts, beside the address; then the title. */
export function drawHeadline(sheet: Sheet): void {
  drawAmount(sheet);
  drawFacts(sheet);
  drawTitle(sheet);
}

function drawAmount(sheet: Sheet): void {
  const { canvas, letter, paper, tree } = sheet;
  const { caption, amount, note, standing } = letter.headline;
  const isSettled = standing === 'settled';
  const left = paper.right - besideWidth;
  const top = rows.amount * U;
  const plain = { style: text, size: 9, leading: U, colour: colours.muted };
  const settled = { style: bold, size: 13, leading: U, colour: colours.ink };
  const look = standing === undefined ? plain : settled;
  const indent = isSettled ? 19 : 0;
  if (isSettled)
    canvas.artifact('Layout', () => {
      canvas.rounded([left + 0.6, top - 0.6, 12.8, 12.8], 6.4, colours.ink, 1.2);
      canvas.path(
        [
          [left + 3.9, top + 6.2],
          [left + 6.2, top + 8.4],
          [left + 10.2, top + 3.9],
        ],
        1.4,
        colours.ink,
      );
    });
  const words = [sheet.cut(caption, look, besideWidth - indent)];
  sheet.paragraph(tree.root, words, [left + indent, top + (standing === undefined ? 9 : 10.5)], look);
  const big = {
    style: boldFigures,
    leading: 24,
    colour: colours.ink,
    size: amount.length > longAmount ? 22 : 27,
  };
  const line = sheet.set.line(amount, big.style);
  // Whatever its length: a sum that is cut would be another sum.
  const size = Math.min(big.size, (besideWidth * 1000) / Math.max(1, line.width));
  canvas.tagged(tree.root.add('P'), () => canvas.text(line, [left, top + 3 * U + 4], size, big.colour));
  const below = { style: boldFigures, size: 8.5, leading: 10.5, colour: colours.ink };
  sheet.paragraph(tree.root, sheet.wrap(note, below, besideWidth, 2), [left, top + 4.75 * U], below);
}

function drawFacts(sheet: Sheet): void {
  const { letter, paper, tree } = sheet;
  const look = { style: text, size: 9, leading: 11, colour: colours.muted };
  const value = { ...look, colour: colours.ink };
  let y = rows.window * U + 3;
  for (const [index, fact] of letter.facts.slice(0, mostFacts).entries()) {
    if (y > (rows.title + 0.5) * U) break;
    const valueStyle = index === 0 ? { ...value, style: bold } : { ...value, style: figures };
    const place = [paper.right - besideWidth, y] as const;
    y += sheet.fact(tree.root, fact, place, besideWidth, { look, valueStyle }) * 11 + 1;
  }
}

function drawTitle(sheet: Sheet): void {
  const { canvas, letter, paper, tree } = sheet;
  sheet.bookmark(letter.title);
  const look = { style: bold, size: 15, leading: 18, colour: colours.ink };
  const lines = sheet.wrap(letter.title, look, paper.right - paper.left, 5);
  const top = rows.title * U + 17;
  canvas.tagged(tree.root.add('H1'), () => sheet.lines(lines, [paper.left, top], look));
  sheet.y = Math.max(sheet.y, rows.body * U + (lines.length - 1) * 1.5 * U);
}

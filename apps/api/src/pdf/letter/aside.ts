import type { Aside, Bars } from './letter.ts';
import type { Sheet } from './sheet.ts';
import { asideWidth, bold, colours, figures, U } from './theme.ts';

const barsHeight = 8 * U;

/** What stands beside the summary: the latest bills as bars, and whom to ask. */
export function drawAside(sheet: Sheet, { bars, title, lines }: Aside): void {
  const { paper, tree } = sheet;
  const left = paper.right - asideWidth;
  const head = { style: bold, size: 8, leading: U, colour: colours.ink };
  const look = { style: figures, size: 7.5, leading: U, colour: colours.muted };
  let y = sheet.y + 8.4;
  if (bars !== undefined) y = drawBars(sheet, bars, y);
  if (lines.length === 0) return;
  y = sheet.paragraph(tree.root, sheet.wrap(title, head, asideWidth, 2), [left, y], head);
  const set = lines.flatMap((line) => sheet.wrap(line, look, asideWidth, 2)).slice(0, 6);
  sheet.paragraph(tree.root, set, [left, y], look);
}

function drawBars(sheet: Sheet, { title, bars, remark }: Bars, top: number): number {
  const { canvas, letter, paper, tree } = sheet;
  const left = paper.right - asideWidth;
  const head = { style: bold, size: 8, leading: U, colour: colours.ink };
  const look = { style: figures, size: 7.5, leading: U, colour: colours.muted };
  sheet.paragraph(tree.root, sheet.wrap(title, head, asideWidth, 1), [left, top], head);
  const ground = top + 1.5 * U + barsHeight;
  const step = asideWidth / bars.length;
  const width = step * 0.76;
  canvas.artifact('Layout', () => {
    for (const [index, { share }] of bars.entries()) {
      const height = Math.max(0.5, Math.min(1, share) * barsHeight);
      const x = left + index * step;
      if (index === bars.length - 1)
        canvas.rectangle(x, ground - height, width, height, letter.sender.accent);
      else
        canvas.path(
          [
            [x, ground],
            [x, ground - height],
            [x + width, ground - height],
            [x + width, ground],
          ],
          0.6,
          colours.muted,
        );
    }
    canvas.line(left, ground, paper.right, 0.75, colours.ink);
  });
  for (const [index, { label, value }] of bars.entries()) {
    const middle = left + index * step + width / 2;
    const at = ground - Math.max(0.5, Math.min(1, bars[index]?.share ?? 0) * barsHeight);
    const isLast = index === bars.length - 1;
    canvas.tagged(tree.root.add('P'), () => {
      for (const [words, y] of [
        [label, ground + 9],
        [value, at - 2.5],
      ] as const) {
        const line = sheet.set.line(words, isLast ? bold : figures);
        canvas.text(line, [middle - (line.width * 6.5) / 2000, y], 6.5, colours.ink, true);
      }
    });
  }
  const next = ground + 2 * U;
  if (remark === '') return next + 4;
  return sheet.paragraph(tree.root, sheet.wrap(remark, look, asideWidth, 2), [left, next], look) + 6;
}

import { labels } from './labels.ts';
import type { Sheet } from './sheet.ts';
import { bold, colours, figures, slipRows, text, U } from './theme.ts';

/** Foot of every page, and from the second page on a runner that says what the page belongs to. */
export function drawFurniture(sheet: Sheet): void {
  const { letter, paper, tree } = sheet;
  const foot = { style: text, size: 6.5, leading: 9, colour: colours.muted };
  const head = { style: bold, size: 8, leading: 11, colour: colours.ink };
  const width = paper.right - paper.left;
  const name = sheet.cut(letter.sender.name, head, width * 0.4);
  const customer = sheet.cut(letter.recipient.name, { ...head, style: text }, width * 0.35);
  const nameWidth = (name.width * head.size) / 1000;
  const customerWidth = (customer.width * head.size) / 1000;
  const runner = sheet.cut(
    `  ·  ${letter.runner}`,
    { ...head, style: figures },
    width - nameWidth - customerWidth - 12,
  );
  const footLine = sheet.cut(letter.sender.foot, foot, width - 80);
  sheet.pages.forEach((canvas, index) => {
    sheet.canvas = canvas;
    const hasSlip = index === 0 && letter.slip !== undefined;
    const baseLine = paper.height - (hasSlip ? slipRows + 1 : 2.4) * U;
    const drawFoot = () => canvas.text(footLine, [paper.left, baseLine], foot.size, foot.colour);
    canvas.artifact('Pagination', () => {
      const number = sheet.set.line(labels.page(index + 1, sheet.pages.length), figures);
      canvas.textRight(number, [paper.right, baseLine], foot.size, foot.colour);
      if (index === 0) return;
      drawFoot();
      canvas.text(name, [paper.left, 44], head.size, head.colour);
      canvas.text(runner, [paper.left + nameWidth, 44], head.size, colours.muted);
      canvas.textRight(customer, [paper.right, 44], head.size, colours.muted);
      canvas.line(paper.left, 53, paper.right, 0.5, colours.fine);
    });
    if (index === 0 && letter.sender.foot !== '') canvas.tagged(tree.root.add('P'), drawFoot);
  });
}

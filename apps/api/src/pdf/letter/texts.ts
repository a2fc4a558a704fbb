import type { ColumnsBlock, TextBlock } from './letter.ts';
import type { Sheet } from './sheet.ts';
import { bold, colours, figures, U } from './theme.ts';

/** A paragraph over the width of the page, on as many pages as it needs. */
export function drawText(sheet: Sheet, { text, isMuted = false }: TextBlock): void {
  const { paper, tree } = sheet;
  const look = {
    style: figures,
    size: isMuted ? 7.5 : 9,
    leading: U,
    colour: isMuted ? colours.muted : colours.ink,
  };
  const lines = sheet.wrap(text, look, paper.right - paper.left);
  const element = tree.root.add('P');
  let from = 0;
  while (from < lines.length) {
    if (sheet.room < U) sheet.newPage();
    const fitting = lines.slice(from, from + Math.floor(sheet.room / U));
    const isFollowed = from + fitting.length < lines.length;
    sheet.canvas.tagged(element, () => sheet.lines(fitting, [paper.left, sheet.y + 9], look, isFollowed));
    sheet.y += fitting.length * U;
    from += fitting.length;
  }
}

/** Short texts beside each other, each with its title; they stay on one page. */
export function drawColumns(sheet: Sheet, { columns }: ColumnsBlock): void {
  const { paper, tree } = sheet;
  const title = { style: bold, size: 9, leading: U, colour: colours.ink };
  const look = { style: figures, size: 9, leading: U, colour: colours.ink };
  const step = (paper.right - paper.left) / columns.length;
  const parts = columns.map((column) => ({
    title: sheet.wrap(column.title, title, step - U, 2),
    lines: column.lines.flatMap((line) => sheet.wrap(line, look, step - U, 4)).slice(0, 30),
  }));
  const height = Math.max(...parts.map((part) => part.title.length + part.lines.length)) * U;
  if (height > sheet.room) sheet.newPage();
  for (const [index, part] of parts.entries()) {
    const x = paper.left + index * step;
    const next = sheet.paragraph(tree.root, part.title, [x, sheet.y + 9], title);
    sheet.paragraph(tree.root, part.lines, [x, next], look);
  }
  sheet.y += height;
}

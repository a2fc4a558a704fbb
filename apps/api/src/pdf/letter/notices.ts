import { labels } from './labels.ts';
import type { Sheet } from './sheet.ts';
import { bold, figures, U, warning } from './theme.ts';

const inset = 12;
const textSize = 8.5;

/** What the reader must know before trusting the figures, in one box above the lines. */
export function drawNotices(sheet: Sheet): void {
  const { paper, tree } = sheet;
  const textLeft = paper.left + 32;
  const title = { style: bold, size: textSize, leading: 13, colour: warning.ink };
  const body = { style: figures, size: textSize, leading: 13, colour: warning.ink };
  const width = paper.right - inset - textLeft;
  const notices = sheet.letter.notices
    .slice(0, 12)
    .map((notice) => sheet.wrap(notice, body, width, 14))
    .filter((lines) => lines.some((line) => line.pieces.length > 0));
  if (notices.length === 0) return;
  let index = 0;
  while (index < notices.length) {
    const room = sheet.room - 2 * inset - title.leading;
    let count = 0;
    let height = 0;
    for (const lines of notices.slice(index)) {
      const next = lines.length * body.leading + 3;
      if (height + next > room) break;
      height += next;
      count++;
    }
    if (count === 0) {
      sheet.newPage();
      continue;
    }
    const top = sheet.y;
    const { canvas } = sheet;
    canvas.artifact('Layout', () => {
      const box = [
        paper.left,
        top,
        paper.right - paper.left,
        height + title.leading + 2 * inset - 6,
      ] as const;
      canvas.rounded(box, 5, warning.ground);
      canvas.rounded(box, 5, warning.edge, 0.75);
      drawSign(sheet, paper.left + 18, top + inset + 4.5);
    });
    const group = tree.root.add('Note');
    let y = top + inset + 7.5;
    y = sheet.paragraph(group, sheet.wrap(labels.notice, title, width), [textLeft, y], title) + 1;
    for (const lines of notices.slice(index, index + count)) {
      y = sheet.paragraph(group, lines, [textLeft, y], body) + 3;
    }
    // Back on the grid.
    sheet.y = Math.ceil((top + height + title.leading + 2 * inset + 2) / U) * U;
    index += count;
  }
}

function drawSign(sheet: Sheet, x: number, y: number): void {
  const { canvas } = sheet;
  canvas.rounded([x - 6, y - 6, 12, 12], 6, warning.edge);
  const sign = sheet.set.line('!', bold);
  canvas.text(sign, [x - (sign.width * 9) / 2000, y + 3.2], 9, '#ffffff');
}

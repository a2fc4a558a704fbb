import type { Sheet } from './sheet.ts';
import { figures, page, size } from './theme.ts';

/** Payment terms, bank details and remarks, below the totals, on as many pages as they need. */
export function drawNotes(sheet: Sheet): void {
  const { colours, tree } = sheet;
  const look = { style: figures, size: size.body, leading: 13, colour: colours.ink };
  const notes = sheet.doc.notes ?? [];
  if (notes.length > 0) sheet.y += 28;
  for (const note of notes) {
    const lines = sheet.wrap(note, look, 440);
    const element = tree.root.add('P');
    let from = 0;
    while (from < lines.length) {
      if (sheet.room < look.leading) sheet.newPage();
      const fitting = lines.slice(from, from + Math.max(1, Math.floor(sheet.room / look.leading)));
      const y = sheet.y + 9;
      sheet.canvas.tagged(element, () =>
        sheet.lines(fitting, [page.left, y], look, from + fitting.length < lines.length),
      );
      sheet.y += fitting.length * look.leading;
      from += fitting.length;
    }
    sheet.y += 6;
  }
}

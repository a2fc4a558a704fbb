import type { Sheet } from './sheet.ts';
import { bold, figures, page, size, text } from './theme.ts';

const footTop = 792;
const headBaseLine = 46;

/** Foot of every page, and from the second page on a head that says what the page belongs to. */
export function drawPageFurniture(sheet: Sheet): void {
  const { colours, doc, labels } = sheet;
  const foot = { style: text, size: size.foot, leading: 10.5, colour: colours.inkMuted };
  const head = { style: bold, size: size.small, leading: 11, colour: colours.ink };
  const footText = (doc.brand.footer ?? []).filter((line) => line !== '').join('  ·  ');
  const footLines = sheet.wrap(footText, foot, page.right - page.left - 90, 3);
  const title = `${doc.kind === 'creditNote' ? labels.creditNote : labels.invoice} ${doc.number}`;
  const brand = sheet.wrap(doc.brand.name, head, 220, 1)[0];
  const name = sheet.wrap(title, { ...head, style: figures }, 250, 1)[0];
  sheet.pages.forEach((canvas, index) => {
    sheet.canvas = canvas;
    const drawFoot = (): void => {
      sheet.lines(footLines, [page.left, footTop + 14], foot);
    };
    canvas.artifact('Pagination', () => {
      canvas.line(page.left, footTop, page.right, 0.5, colours.line);
      const number = sheet.set.line(labels.page(index + 1, sheet.pages.length), figures);
      canvas.textRight(number, [page.right, footTop + 14], foot.size, foot.colour);
      if (index === 0) return;
      drawFoot();
      if (brand) canvas.text(brand, [page.left, headBaseLine], head.size, head.colour);
      if (name) canvas.textRight(name, [page.right, headBaseLine], head.size, colours.inkMuted);
      canvas.line(page.left, headBaseLine + 10, page.right, 0.5, colours.line);
    });
    if (index === 0 && footText !== '') canvas.tagged(sheet.tree.root.add('P'), drawFoot);
  });
}

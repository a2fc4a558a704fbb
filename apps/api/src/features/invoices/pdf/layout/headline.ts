import type { StructElement } from '../../../../pdf/writer/structure.ts';
import type { Sheet } from './sheet.ts';
import { bold, boldFigures, figures, page, size, text } from './theme.ts';

/** What it is and what is due: the largest thing on the page, with the pay link beside it. */
export function drawHeadline(sheet: Sheet): void {
  const { doc, canvas, colours, labels, tree } = sheet;
  const isCredit = doc.kind === 'creditNote';
  const title = { style: boldFigures, size: size.title, leading: 22, colour: colours.ink };
  const titles = sheet.wrap(`${isCredit ? labels.creditNote : labels.invoice} ${doc.number}`, title, 440, 5);
  const heading = tree.root.add('H1');
  const top = sheet.y + 26;
  canvas.tagged(heading, () => sheet.lines(titles, [page.left, top], title));
  const label = { style: text, size: size.body, leading: 30, colour: colours.inkMuted };
  const amount = { style: boldFigures, size: size.amount, leading: 30, colour: colours.ink };
  const note = { style: figures, size: size.body, leading: 12, colour: colours.inkMuted };
  const figure = isCredit ? doc.total : doc.amountDue;
  const below = doc.amountNote ?? (isCredit || doc.dueDate === undefined ? '' : labels.due(doc.dueDate));
  let y = top + titles.length * title.leading + 4;
  const caption = sheet.wrap(isCredit ? labels.creditAmount : labels.amountDue, label, 280, 1);
  y = sheet.paragraph(tree.root, caption, [page.left, y], label);
  y = sheet.paragraph(tree.root, sheet.wrap(figure, amount, 290, 3), [page.left, y], amount) - 12;
  y = sheet.paragraph(tree.root, sheet.wrap(below, note, 290, 3), [page.left, y], note);
  const address = payAddress(doc.payLink);
  if (address !== undefined && !isCredit) drawPayLink(sheet, address, figure, y - note.leading);
  sheet.y = y + 10;
}

/** @returns the address in ASCII, or undefined where it is none that a browser should open */
function payAddress(link: string | undefined): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const { protocol, href } = new URL(link);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= 2000 ? href : undefined;
}

/** A button and, for paper, its address below; both are one link. */
function drawPayLink(sheet: Sheet, address: string, amount: string, lastBaseLine: number): void {
  const { canvas, colours, labels, tree } = sheet;
  const caption = { style: boldFigures, size: 10.5, leading: 13, colour: colours.onAccent };
  const print = { style: text, size: size.small, leading: 11, colour: colours.accentText };
  const label = sheet.wrap(labels.pay(amount), caption, 170, 1)[0] ?? sheet.set.line('', bold);
  const lines = sheet.wrap(address, print, 250, 6);
  const labelWidth = (label.width * caption.size) / 1000;
  const width = Math.max(150, labelWidth + 48);
  const height = 36;
  const left = page.right - width;
  const top = lastBaseLine - print.leading - height - 6;
  const link: StructElement = tree.root.add('P').add('Link');
  canvas.artifact('Layout', () => canvas.rounded([left, top, width, height], 5, colours.accent));
  const widest = lines.reduce((most, line) => Math.max(most, (line.width * print.size) / 1000), width);
  canvas.tagged(link, () => {
    canvas.text(label, [left + (width - labelWidth) / 2, top + 21.8], caption.size, caption.colour, true);
    for (const [index, line] of lines.entries()) {
      canvas.textRight(line, [page.right, lastBaseLine + index * print.leading], print.size, print.colour);
    }
  });
  const depth = lastBaseLine + (lines.length - 1) * print.leading + 4 - top;
  const box = [page.right - widest, top, widest, depth] as const;
  canvas.links.push({ element: link, box, address, label: labels.pay(amount) });
}

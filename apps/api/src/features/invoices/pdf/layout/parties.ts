import type { Fact } from '../document.ts';
import type { Sheet } from './sheet.ts';
import { bold, figures, page, size, text } from './theme.ts';

const labelWidth = 96;
const mostFacts = 14;

/** The customer's address on the left, the facts of the invoice on the right. */
export function drawParties(sheet: Sheet): void {
  const top = sheet.y + 22;
  sheet.y = Math.max(drawCustomer(sheet, top), drawFacts(sheet, top));
}

function drawCustomer(sheet: Sheet, top: number): number {
  const { doc, colours, labels, tree } = sheet;
  const label = { style: text, size: size.small, leading: 15, colour: colours.inkMuted };
  const name = { style: bold, size: size.name, leading: 14.5, colour: colours.ink };
  const address = { style: text, size: size.body, leading: 13, colour: colours.ink };
  const width = page.column - page.left - 36;
  const names = sheet.wrap(doc.customer.name, name, width, 10);
  const lines = doc.customer.lines.slice(0, 12).flatMap((line) => sheet.wrap(line, address, width, 3));
  let y = sheet.paragraph(tree.root, sheet.wrap(labels.billTo, label, width), [page.left, top], label);
  y = sheet.paragraph(tree.root, names, [page.left, y], name);
  return sheet.paragraph(tree.root, lines, [page.left, y], address);
}

function factsOf({ doc, labels }: Sheet): readonly Fact[] {
  const isCredit = doc.kind === 'creditNote';
  const facts: (Fact | undefined)[] = [
    { label: isCredit ? labels.creditNoteNumber : labels.invoiceNumber, value: doc.number },
    { label: isCredit ? labels.creditNoteDate : labels.invoiceDate, value: doc.issueDate },
    isCredit && doc.dueDate === undefined ? undefined : { label: labels.dueDate, value: doc.dueDate ?? '-' },
    doc.period === undefined ? undefined : { label: labels.period, value: doc.period },
    doc.creditedInvoice === undefined
      ? undefined
      : { label: labels.creditedInvoice, value: doc.creditedInvoice },
    ...(doc.facts ?? []),
  ];
  return facts.filter((fact) => fact !== undefined).slice(0, mostFacts);
}

function drawFacts(sheet: Sheet, top: number): number {
  const { canvas, colours, tree } = sheet;
  const label = { style: text, size: size.cell, leading: 11, colour: colours.inkMuted };
  const value = { style: figures, size: size.cell, leading: 11, colour: colours.ink };
  const valueLeft = page.column + labelWidth;
  let y = top;
  for (const fact of factsOf(sheet)) {
    const labels = sheet.wrap(fact.label, label, labelWidth - 8, 3);
    const values = sheet.wrap(fact.value, value, page.right - valueLeft, 5);
    canvas.tagged(tree.root.add('P'), () => {
      sheet.lines(labels, [page.column, y], label, true);
      sheet.lines(values, [valueLeft, y], value);
    });
    y += Math.max(labels.length, values.length) * label.leading + 4;
  }
  return y;
}

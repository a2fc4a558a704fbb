import { scopeRow } from '../../../../pdf/writer/structure.ts';
import type { Fact } from '../document.ts';
import type { BlockStyle, Sheet } from './sheet.ts';
import { boldFigures, figures, page, size } from './theme.ts';

interface TotalRow extends Fact {
  readonly kind: 'part' | 'sum' | 'due';
}

const left = page.column - 22;
const inset = 8;
const heights = { part: 16.5, sum: 19, due: 26 };
const distance = 12;

function rowsOf({ doc, labels }: Sheet): readonly TotalRow[] {
  const isCredit = doc.kind === 'creditNote';
  const taxes = doc.taxes.length > 0 ? doc.taxes.map(({ label, amount }) => ({ label, value: amount })) : [];
  const parts: Fact[] = [
    { label: labels.subtotal, value: doc.subtotal },
    ...(taxes.length === 1 ? taxes : [...taxes, { label: labels.tax, value: doc.tax }]),
  ];
  const total = { label: isCredit ? labels.creditNoteAmount : labels.invoiceAmount, value: doc.total };
  return [
    ...parts.map((fact): TotalRow => ({ ...fact, kind: 'part' })),
    { ...total, kind: isCredit && doc.settlements.length === 0 ? 'due' : 'sum' },
    ...doc.settlements.map((fact): TotalRow => ({ ...fact, kind: 'part' })),
    ...(isCredit ? [] : [{ label: labels.amountDue, value: doc.amountDue, kind: 'due' } as const]),
  ];
}

/** Height of the totals where no text wraps: what must fit below the last line. */
export function totalsHeight(sheet: Sheet): number {
  return rowsOf(sheet).reduce((height, row) => height + heights[row.kind], distance);
}

/** Subtotal, taxes, total, what was settled, and what is due: one column of figures that adds up. */
export function drawTotals(sheet: Sheet): void {
  const { colours, tree } = sheet;
  const rows = rowsOf(sheet);
  if (totalsHeight(sheet) > sheet.room) sheet.newPage();
  else sheet.y += distance;
  const table = tree.root.add('Table');
  for (const row of rows) {
    const isPart = row.kind === 'part';
    const fontSize = row.kind === 'due' ? 11 : size.body;
    const label: BlockStyle = {
      style: isPart ? figures : boldFigures,
      size: fontSize,
      leading: 12.5,
      colour: isPart ? colours.inkMuted : colours.ink,
    };
    const value: BlockStyle = { ...label, colour: colours.ink };
    const values = sheet.wrap(row.value, value, 130, 6);
    const widest = values.reduce((width, line) => Math.max(width, (line.width * fontSize) / 1000), 0);
    const labels = sheet.wrap(row.label, label, page.right - 2 * inset - left - widest - 16, 6);
    const height = heights[row.kind] + (Math.max(labels.length, values.length) - 1) * label.leading;
    if (height > sheet.room) sheet.newPage();
    const { canvas, y } = sheet;
    canvas.artifact('Layout', () => {
      if (row.kind === 'due') canvas.rectangle(left, y, page.right - left, height, colours.ground);
      if (!isPart) canvas.line(left, y, page.right, 0.75, colours.lineStrong);
    });
    const baseLine = y + heights[row.kind] / 2 + fontSize * 0.36;
    const element = table.add('TR');
    canvas.tagged(element.add('TH', scopeRow), () => sheet.lines(labels, [left + inset, baseLine], label));
    canvas.tagged(element.add('TD'), () => {
      for (const [index, line] of values.entries()) {
        const place = [page.right - inset, baseLine + index * value.leading] as const;
        canvas.textRight(line, place, fontSize, value.colour, index < values.length - 1);
      }
    });
    sheet.y = y + height;
  }
}

import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import type { Letter } from '../../apps/api/src/pdf/letter/letter.ts';

const require = createRequire(import.meta.url);
const fontFile = require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf', {
  paths: [require.resolve('../../apps/api/package.json')],
});

/** The same content as our invoice but its payment slip, drawn with pdfkit as its guide shows: tagged, one embedded font, a path as logo. */
export function renderWithPdfkit(invoice: Letter): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pdf = new PDFDocument({
      size: 'A4',
      margin: 48,
      tagged: true,
      pdfVersion: '1.7',
      lang: 'en',
      displayTitle: true,
    });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
    const root = pdf.struct('Document');
    pdf.addStructure(root);
    pdf.font(fontFile);
    drawHead(pdf, root, invoice);
    drawLines(pdf, root, invoice);
    root.end();
    pdf.end();
  });
}

type Pdf = InstanceType<typeof PDFDocument>;
type Structure = ReturnType<Pdf['struct']>;

function drawHead(pdf: Pdf, root: Structure, invoice: Letter): void {
  const figure = pdf.struct('Figure', { alt: `Logo of ${invoice.sender.name}` }, () => {
    pdf.circle(63, 55, 13.6).lineWidth(2.3).stroke('#005e80');
    pdf.path('M58 60v-10l10 10v-10').stroke('#005e80');
  });
  root.add(figure);
  root.add(pdf.struct('H1', {}, () => pdf.fontSize(17).fillColor('#0e212a').text(invoice.title, 48, 240)));
  const paragraphs: readonly (readonly [string, number, number, number])[] = [
    [invoice.sender.name, 88, 52, 13],
    [[...invoice.sender.address, ...invoice.sender.contact].join('\n'), 330, 42, 8],
    [[invoice.recipient.name, ...invoice.recipient.lines].join('\n'), 48, 140, 9],
    [invoice.facts.map(({ label, value }) => `${label} ${value}`).join('\n'), 330, 140, 9],
    [invoice.headline.amount, 48, 280, 27],
    [invoice.slip?.payLink ?? '', 330, 300, 8],
  ];
  for (const [text, x, y, size] of paragraphs) {
    root.add(pdf.struct('P', {}, () => pdf.fontSize(size).text(text, x, y, { width: 250 })));
  }
}

function drawLines(pdf: Pdf, root: Structure, invoice: Letter): void {
  const table = pdf.struct('Table');
  root.add(table);
  let y = 350;
  const row = (cells: readonly string[], tag: 'TH' | 'TD'): void => {
    if (y > 760) {
      pdf.addPage();
      y = 60;
    }
    const element = pdf.struct('TR');
    table.add(element);
    for (const [index, cell] of cells.entries()) {
      const [x = 0, width = 0] =
        [
          [56, 260],
          [320, 50],
          [375, 45],
          [425, 55],
          [485, 55],
        ][index] ?? [];
      const align = index === 0 || index === 2 ? 'left' : 'right';
      element.add(
        pdf.struct(tag, {}, () => pdf.fontSize(8.5).text(cell, x, y, { width, align, lineBreak: false })),
      );
    }
    element.end();
    pdf
      .moveTo(48, y + 13)
      .lineTo(547, y + 13)
      .lineWidth(0.5)
      .stroke('#e7ebef');
    y += 15.6;
  };
  const [block] = invoice.blocks;
  if (block?.kind !== 'table') return;
  row(
    block.columns.map(({ label }) => label),
    'TH',
  );
  for (const { cells } of block.rows) row(cells, 'TD');
  table.end();
}

import { pageWidth } from '../../../../pdf/writer/canvas.ts';
import { altText } from '../../../../pdf/writer/structure.ts';
import type { Artwork } from '../images/artwork.ts';
import type { Sheet } from './sheet.ts';
import { bold, page, size, text } from './theme.ts';

const top = 40;
const logoHeight = 30;
const widestLogo = 150;
/** A logo wider than this holds the brand's name itself; a square mark gets the name beside it. */
const wordmarkRatio = 2.2;

/** Name of the logo in every page's resources. */
export const logoName = 'Logo';

/** The band, the brand on the left and the supplier on the right. */
export function drawLetterhead(sheet: Sheet, logo: Artwork | undefined): void {
  const { canvas, colours } = sheet;
  canvas.artifact('Layout', () => canvas.rectangle(0, 0, pageWidth, 7, colours.header));
  sheet.y = Math.max(drawBrand(sheet, logo), drawSupplier(sheet), 118);
}

function drawBrand(sheet: Sheet, logo: Artwork | undefined): number {
  const { canvas, doc, colours, labels, tree } = sheet;
  const name = { style: bold, size: 13, leading: 17, colour: colours.ink };
  let left: number = page.left;
  if (logo) {
    const width = Math.min(widestLogo, logoHeight * logo.ratio);
    const height = width / logo.ratio;
    const box = [page.left, top + (logoHeight - height) / 2, width, height] as const;
    const entries = altText(labels.logo(doc.brand.name));
    canvas.tagged(tree.root.add('Figure', entries), () => canvas.image(logoName, ...box));
    if (logo.ratio > wordmarkRatio) return top + logoHeight;
    left += width + 10;
  }
  const lines = sheet.wrap(doc.brand.name, name, page.column - 20 - left, 3);
  const first = top + logoHeight / 2 + 4.7 - ((lines.length - 1) * name.leading) / 2;
  return sheet.paragraph(tree.root, lines, [left, Math.max(first, top)], name);
}

function drawSupplier(sheet: Sheet): number {
  const { doc, colours, tree } = sheet;
  const name = { style: bold, size: size.small, leading: 11.5, colour: colours.ink };
  const address = { style: text, size: size.small, leading: 11.5, colour: colours.inkMuted };
  const width = page.right - page.column;
  const names = sheet.wrap(doc.supplier.name, name, width, 6);
  const lines = doc.supplier.lines.slice(0, 12).flatMap((line) => sheet.wrap(line, address, width, 3));
  const next = sheet.paragraph(tree.root, names, [page.column, top + 8], name);
  return sheet.paragraph(tree.root, lines, [page.column, next], address);
}

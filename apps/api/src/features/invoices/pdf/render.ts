import { DocumentFonts } from '../../../pdf/fonts/document-fonts.ts';
import { TextSetter } from '../../../pdf/text/text-setter.ts';
import { StructTree } from '../../../pdf/writer/structure.ts';
import type { InvoiceDocument } from './document.ts';
import type { Artwork } from './images/artwork.ts';
import { readLogo } from './images/logo.ts';
import { englishLabels, type InvoiceLabels } from './labels.ts';
import { drawHeadline } from './layout/headline.ts';
import { drawLetterhead } from './layout/letterhead.ts';
import { drawLinesTable } from './layout/lines-table.ts';
import { drawNotes } from './layout/notes.ts';
import { drawNotices } from './layout/notices.ts';
import { drawPageFurniture } from './layout/page-furniture.ts';
import { drawParties } from './layout/parties.ts';
import { Sheet } from './layout/sheet.ts';
import { usableColours } from './layout/theme.ts';
import { drawTotals, totalsHeight } from './layout/totals.ts';
import { writeDocument } from './writer/write-document.ts';

/**
 * Renders an invoice or credit note as a tagged PDF 1.7 (A4) with embedded fonts, without script or action; the
 * pay link is a plain link. Works on the calling thread, about two milliseconds for two pages: a server uses
 * `createPdfRenderer` of `pool.ts`.
 * @returns the file; the same input always gives the same bytes
 */
export function renderInvoicePdf(doc: InvoiceDocument, labels: InvoiceLabels = englishLabels): Uint8Array {
  const logo = readLogo(doc.brand.logo);
  const sheet = layOut(doc, labels, logo);
  return writeDocument(sheet, logo);
}

function layOut(doc: InvoiceDocument, labels: InvoiceLabels, logo: Artwork | undefined): Sheet {
  const set = new TextSetter(new DocumentFonts(), doc.language);
  const sheet = new Sheet(doc, {
    labels,
    colours: usableColours(doc.brand.colours),
    set,
    tree: new StructTree(),
  });
  drawLetterhead(sheet, logo);
  drawParties(sheet);
  drawHeadline(sheet);
  drawNotices(sheet);
  drawLinesTable(sheet, totalsHeight(sheet));
  drawTotals(sheet);
  drawNotes(sheet);
  drawPageFurniture(sheet);
  return sheet;
}

import { DocumentFonts } from '../fonts/document-fonts.ts';
import { readLogo } from '../images/logo.ts';
import { TextSetter } from '../text/text-setter.ts';
import { drawAddress } from './address.ts';
import { drawAside } from './aside.ts';
import { drawFurniture } from './furniture.ts';
import { drawHeadline } from './headline.ts';
import type { Block, Letter } from './letter.ts';
import { drawLetterhead } from './letterhead.ts';
import { drawNotices } from './notices.ts';
import { drawRecords } from './records.ts';
import { Sheet } from './sheet.ts';
import { drawSlip } from './slip.ts';
import { drawTable } from './table.ts';
import { drawColumns, drawText } from './texts.ts';
import { asideGap, asideWidth, U } from './theme.ts';
import { writeLetter } from './write-letter.ts';

/**
 * Renders a letter as a tagged PDF 1.7 (A4 or US Letter) with embedded fonts, without script or action; the pay link
 * is a plain link. Works on the calling thread, a few milliseconds for two pages: a server uses `createPdfRenderer`.
 * @returns the file; the same input always gives the same bytes
 */
export function renderLetter(letter: Letter): Uint8Array {
  const logo = readLogo(letter.sender.logo);
  const sheet = new Sheet(letter, new TextSetter(new DocumentFonts(), letter.language));
  drawLetterhead(sheet, logo);
  drawAddress(sheet);
  drawHeadline(sheet);
  drawNotices(sheet);
  const first = sheet.canvas;
  letter.blocks.forEach((block, index) => {
    const isBeside = index === 0 && letter.aside !== undefined && sheet.pages.length === 1;
    if (isBeside && letter.aside !== undefined) drawAside(sheet, letter.aside);
    drawBlock(sheet, block, isBeside ? asideWidth + asideGap : 0);
    // One row between two blocks.
    if (sheet.room > U) sheet.y += U;
  });
  if (letter.slip !== undefined) {
    sheet.canvas = first;
    drawSlip(sheet, letter.slip);
  }
  drawFurniture(sheet);
  return writeLetter(sheet, logo);
}

function drawBlock(sheet: Sheet, block: Block, beside: number): void {
  if (block.kind === 'table') drawTable(sheet, block, sheet.paper.right - beside);
  else if (block.kind === 'text') drawText(sheet, block);
  else if (block.kind === 'columns') drawColumns(sheet, block);
  else drawRecords(sheet, block);
}

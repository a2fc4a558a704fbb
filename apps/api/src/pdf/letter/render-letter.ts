import { DocumentFonts } from '../fonts/document-fonts.ts';
import { readLogo } from '../images/logo.ts';
import { TextSetter } from '../text/text-setter.ts';
import type { Canvas } from '../writer/canvas.ts';
import { drawAddress } from './address.ts';
import { drawAside } from './aside.ts';
import { type FileStart, startFile } from './file-start.ts';
import { drawFurniture } from './furniture.ts';
import { drawHeadline } from './headline.ts';
import type { Block, ComingTableBlock, Letter, LetterPart, RecordsBlock } from './letter.ts';
import { drawLetterhead } from './letterhead.ts';
import { drawLateNotices, drawNotices } from './notices.ts';
import { RecordColumns } from './records.ts';
import { Sheet } from './sheet.ts';
import { drawSlip } from './slip.ts';
import { drawTable, TableDrawing } from './table.ts';
import { drawColumns, drawText } from './texts.ts';
import { asideGap, asideWidth, U } from './theme.ts';
import { writeLetter } from './write-letter.ts';

/**
 * Renders a letter as a tagged PDF 1.7 (A4 or US Letter) with embedded fonts, without script or action; the pay link
 * is a plain link. Works on the calling thread, a few milliseconds for two pages: a server uses `createPdfRenderer`.
 * @param parts what its blocks wait for
 * @returns the file; the same input always gives the same bytes
 */
export function renderLetter(letter: Letter, parts: Iterable<LetterPart> = []): Uint8Array {
  const drawing = new LetterDrawing(letter);
  for (const part of parts) drawing.add(part);
  return drawing.end();
}

/** A part of a file that is given away before the rest is drawn has at least so many bytes. */
const PART_BYTES = 65_536;

/** A letter while it is drawn: all up to what it waits for, then that as it comes, then the rest. */
export class LetterDrawing {
  private readonly sheet: Sheet;
  private readonly first: Canvas;
  private readonly logo: ReturnType<typeof readLogo>;
  private next = 0;
  private records: RecordColumns | undefined;
  private table: TableDrawing | undefined;

  /**
   * @param give takes parts of the file as soon as they are written; without it the end gives all
   * @param start where the file has begun before
   */
  constructor(letter: Letter, give?: (part: Uint8Array) => void, start: FileStart = startFile()) {
    this.logo = readLogo(letter.sender.logo);
    this.sheet = new Sheet(letter, new TextSetter(new DocumentFonts(), letter.language), start);
    const { file } = this.sheet;
    if (give !== undefined)
      this.sheet.onPage = () => {
        if (file.waiting >= PART_BYTES) give(file.takeAll());
      };
    drawLetterhead(this.sheet, this.logo);
    drawAddress(this.sheet);
    drawHeadline(this.sheet);
    this.first = this.sheet.canvas;
    drawNotices(this.sheet);
    this.goOn();
  }

  /** Draws a part of what the block waits for whose turn it is. @throws {Error} where it waits for something else */
  add(part: LetterPart): void {
    if (part.kind === 'lines') {
      if (this.table === undefined) throw new Error('no table waits for lines');
      this.table.add(part.lines);
      if (!this.table.isDone) return;
      this.table = undefined;
      this.afterBlock();
      this.goOn();
    } else if (part.kind !== 'start' && part.kind !== 'letter') this.records?.add(part);
  }

  /** Draws what is left. @returns the file, without the parts that were given away */
  end(): Uint8Array {
    const { sheet, logo } = this;
    const { slip } = sheet.letter;
    if (this.records !== undefined) {
      this.records.end();
      this.records = undefined;
      this.space();
      this.goOn();
    }
    if (this.table !== undefined) throw new Error('lines of a table are missing');
    if (slip !== undefined) {
      sheet.canvas = this.first;
      drawSlip(sheet, slip);
    }
    drawFurniture(sheet);
    return writeLetter(sheet, logo);
  }

  private goOn(): void {
    const { sheet } = this;
    const { blocks, aside } = sheet.letter;
    while (this.next < blocks.length) {
      const index = this.next++;
      const block = blocks[index];
      if (block === undefined) return;
      if (block.kind === 'records') {
        this.records = new RecordColumns(sheet, block);
        return;
      }
      if (block.kind === 'comingTable') {
        const { count, samples: rows } = block;
        this.table = new TableDrawing(sheet, { ...block, kind: 'table', rows }, sheet.paper.right, count);
        if (!this.table.isDone) return;
        this.table = undefined;
        this.afterBlock();
        continue;
      }
      const isBeside = index === 0 && aside !== undefined && sheet.pages.length === 1;
      if (isBeside) drawAside(sheet, aside);
      drawBlock(sheet, block, isBeside ? asideWidth + asideGap : 0);
      this.afterBlock();
    }
  }

  private afterBlock(): void {
    this.space();
    if (this.next === 1) drawLateNotices(this.sheet);
  }

  /** One row between two blocks. */
  private space(): void {
    if (this.sheet.room > U) this.sheet.y += U;
  }
}

function drawBlock(
  sheet: Sheet,
  block: Exclude<Block, RecordsBlock | ComingTableBlock>,
  beside: number,
): void {
  if (block.kind === 'table') drawTable(sheet, block, sheet.paper.right - beside);
  else if (block.kind === 'text') drawText(sheet, block);
  else drawColumns(sheet, block);
}

import { encode } from 'uqr';
import type { PageLink } from '../writer/canvas.ts';
import { altText } from '../writer/structure.ts';
import { labels } from './labels.ts';
import type { Slip, Way } from './letter.ts';
import type { Sheet } from './sheet.ts';
import { bold, boldFigures, colours, figures, mm, slipRows, text, U } from './theme.ts';

const qrSize = 8 * U;
const mostFacts = 8;
const mostWays = 4;
/** Of one text of a way to pay. */
const mostLines = 4;

/** What is sent along or scanned to pay, at the lower edge of page 1. Call it while page 1 is drawn. */
export function drawSlip(sheet: Sheet, slip: Slip): void {
  const { canvas, paper, tree } = sheet;
  const top = paper.height - slipRows * U;
  const address = payAddress(slip.payLink);
  const title = { style: bold, size: 9, leading: U, colour: colours.ink };
  const small = { style: text, size: 7.5, leading: U, colour: colours.muted };
  canvas.artifact('Layout', () => {
    if (slip.heading !== undefined) {
      canvas.line(paper.left, top, paper.right, 0.75, colours.ink);
      return;
    }
    canvas.path(
      [
        [0, top],
        [paper.width, top],
      ],
      1.5,
      colours.ink,
      3,
    );
    const detach = sheet.set.line(labels.detach, text);
    canvas.textRight(detach, [paper.right, top + 2.2 * U], small.size, small.colour);
  });
  canvas.tagged(tree.root.add('H2'), () =>
    sheet.lines([sheet.cut(slip.heading ?? labels.slip, title, mm(100))], [paper.left, top + 2.2 * U], title),
  );
  const body = top + 3.5 * U;
  if (address !== undefined) drawCode(sheet, slip, address, body);
  const left = address === undefined ? paper.left : paper.left + qrSize + mm(8);
  const ways = paper.right - mm(61);
  drawAmount(sheet, slip, [left, body], Math.min(ways - left - mm(8), mm(70)));
  drawWays(sheet, slip, address, [ways, body]);
}

/** @returns the address in ASCII, or undefined where it is none that a browser should open */
function payAddress(link: string | undefined): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const { protocol, href } = new URL(link);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= 1000 ? href : undefined;
}

function drawCode(sheet: Sheet, slip: Slip, address: string, top: number): void {
  const { canvas, paper, tree } = sheet;
  const { data } = encode(address, { ecc: 'M', border: 0 });
  const step = qrSize / data.length;
  const boxes = data.flatMap((row, y) =>
    runs(row).map(([from, to]) => {
      const box = [paper.left + from * step, top + y * step, (to - from) * step, step] as const;
      return box;
    }),
  );
  canvas.tagged(tree.root.add('Figure', altText(labels.qr(slip.linkLabel))), () =>
    canvas.rectangles(boxes, '#000000'),
  );
  const look = { style: text, size: 7.5, leading: U, colour: colours.muted };
  const scan = sheet.set.line(labels.scan, text);
  const x = paper.left + (qrSize - (scan.width * look.size) / 1000) / 2;
  sheet.paragraph(tree.root, [scan], [x, top + qrSize + 9], look);
}

/** Where dark modules stand side by side: first, and first after. */
function runs(row: readonly boolean[]): readonly (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  let from = -1;
  for (let x = 0; x <= row.length; x++) {
    if (row[x] === true && from < 0) from = x;
    else if (row[x] !== true && from >= 0) {
      found.push([from, x]);
      from = -1;
    }
  }
  return found;
}

function drawAmount(sheet: Sheet, slip: Slip, [x, top]: readonly [number, number], width: number): void {
  const { tree } = sheet;
  const look = { style: text, size: 9, leading: U, colour: colours.muted };
  const amount = { style: boldFigures, size: 15, leading: 2 * U, colour: colours.ink };
  const value = { ...look, style: figures, colour: colours.ink };
  sheet.paragraph(tree.root, [sheet.cut(slip.amount.label, look, width)], [x, top + 8], look);
  sheet.paragraph(tree.root, sheet.wrap(slip.amount.value, amount, width, 1), [x, top + 2.2 * U], amount);
  let y = top + 3.7 * U;
  for (const fact of slip.facts.slice(0, mostFacts)) {
    if (y > top + 11.5 * U) break;
    y += sheet.fact(tree.root, fact, [x, y], width, { look, valueStyle: value }) * U;
  }
}

function drawWays(
  sheet: Sheet,
  slip: Slip,
  address: string | undefined,
  [x, top]: readonly [number, number],
): void {
  const { tree } = sheet;
  const title = { style: bold, size: 9, leading: U, colour: colours.ink };
  const look = { style: figures, size: 8.5, leading: 11, colour: colours.ink };
  const width = sheet.paper.right - x;
  const end = top + 11.5 * U;
  let y = top + 8;
  for (const way of slip.ways.slice(0, mostWays)) {
    if (way.isLink === true && address === undefined) continue;
    if (y > end - U) break;
    y = sheet.paragraph(tree.root, sheet.wrap(way.title, title, width, 1), [x, y], title);
    if (way.isLink === true && address !== undefined) y = drawLink(sheet, slip, address, [x, y]);
    for (const line of linesOf(way)) {
      if (y > end) break;
      y = sheet.paragraph(tree.root, sheet.wrap(line, look, width, mostLines), [x, y], look);
    }
    y += 5;
  }
}

const linesOf = ({ lines }: Way): readonly string[] => lines.slice(0, 8);

/** The address in words, and a link. */
function drawLink(sheet: Sheet, slip: Slip, address: string, [x, y]: readonly [number, number]): number {
  const { canvas, tree, paper } = sheet;
  const look = { style: text, size: 7.5, leading: 10, colour: colours.ink };
  const lines = sheet.wrap(address.replace(/^https?:\/\//, ''), look, paper.right - x, 4);
  const element = tree.root.add('P').add('Link');
  canvas.tagged(element, () => sheet.lines(lines, [x, y], look));
  const height = lines.length * look.leading;
  const box: PageLink['box'] = [x, y - 8, paper.right - x, height + 2];
  canvas.links.push({ element, box, address, label: slip.linkLabel });
  return y + height + 1;
}

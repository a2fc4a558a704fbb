import type { SetText } from '../text/set-text.ts';
import { labels } from './labels.ts';
import type { Sheet } from './sheet.ts';
import { bold, figures, U, warning } from './theme.ts';

const inset = 12;
const textSize = 8.5;
const leading = 13;

/** So many stand above the body; of more, page 1 says that they follow the sums, which stay on it. */
const mostAbove = 2;
/** Nor may they be higher. */
const highestAbove = 8 * U;

/** Rows of the grid that notices take of page 1, if each is of two lines at most. */
export const noticeRows = (count: number): number =>
  count === 0 ? 0 : 3 * Math.min(count, mostAbove) + (count > mostAbove ? 0 : 2);

type Lines = readonly SetText[];

/** What the reader must know before trusting the figures, or where it stands, in one box above the body. */
export function drawNotices(sheet: Sheet): void {
  const notices = setNotices(sheet, sheet.letter.notices);
  if (notices.length === 0) return;
  if (standAbove(notices)) drawBoxes(sheet, notices);
  else drawBoxes(sheet, setNotices(sheet, [labels.noticesFollow(notices.length)]));
}

/** The notices that page 1 had no room for, whole, below the sums and on the pages after. */
export function drawLateNotices(sheet: Sheet): void {
  const notices = setNotices(sheet, sheet.letter.notices);
  if (notices.length === 0 || standAbove(notices)) return;
  sheet.bookmark(labels.notice);
  drawBoxes(sheet, notices);
}

const standAbove = (notices: readonly Lines[]): boolean =>
  notices.length <= mostAbove &&
  notices.reduce((sum, lines) => sum + lines.length * leading + 3, 0) <= highestAbove;

const styles = {
  title: { style: bold, size: textSize, leading, colour: warning.ink },
  body: { style: figures, size: textSize, leading, colour: warning.ink },
} as const;

const textLeft = (sheet: Sheet): number => sheet.paper.left + 32;
const textWidth = (sheet: Sheet): number => sheet.paper.right - inset - textLeft(sheet);

const setNotices = (sheet: Sheet, notices: readonly string[]): Lines[] =>
  notices
    .map((notice) => sheet.wrap(notice, styles.body, textWidth(sheet)))
    .filter((lines) => lines.some((line) => line.pieces.length > 0));

/** As many as a page has room for stand in a box; a notice that is higher than a page goes on in the next box. */
function drawBoxes(sheet: Sheet, notices: readonly Lines[]): void {
  const { paper, tree } = sheet;
  const { title, body } = styles;
  const most = Math.floor((sheet.wholePage - 2 * inset - 2 * leading) / leading);
  const waiting = notices.flatMap((lines) =>
    Array.from({ length: Math.ceil(lines.length / most) }, (_, at) =>
      lines.slice(at * most, (at + 1) * most),
    ),
  );
  while (waiting.length > 0) {
    const room = sheet.room - 2 * inset - leading;
    let count = 0;
    let height = 0;
    for (const lines of waiting) {
      const next = lines.length * leading + 3;
      if (height + next > room) break;
      height += next;
      count++;
    }
    if (count === 0) {
      sheet.newPage();
      continue;
    }
    const top = sheet.y;
    const { canvas } = sheet;
    canvas.artifact('Layout', () => {
      const box = [paper.left, top, paper.right - paper.left, height + leading + 2 * inset - 6] as const;
      canvas.rounded(box, 5, warning.ground);
      canvas.rounded(box, 5, warning.edge, 0.75);
      drawSign(sheet, paper.left + 18, top + inset + 4.5);
    });
    const group = tree.root.add('Note');
    const left = textLeft(sheet);
    let y = top + inset + 7.5;
    y = sheet.paragraph(group, sheet.wrap(labels.notice, title, textWidth(sheet)), [left, y], title) + 1;
    for (const lines of waiting.splice(0, count)) y = sheet.paragraph(group, lines, [left, y], body) + 3;
    // Back on the grid.
    sheet.y = Math.ceil((top + height + leading + 2 * inset + 2) / U) * U;
  }
}

function drawSign(sheet: Sheet, x: number, y: number): void {
  const { canvas } = sheet;
  canvas.rounded([x - 6, y - 6, 12, 12], 6, warning.edge);
  const sign = sheet.set.line('!', bold);
  canvas.text(sign, [x - (sign.width * 9) / 2000, y + 3.2], 9, '#ffffff');
}

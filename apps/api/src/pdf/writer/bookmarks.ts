import type { PdfFile, Ref } from './pdf-file.ts';
import { num, textString } from './syntax.ts';

/** A place of the document that a reader can jump to. */
export interface Bookmark {
  readonly title: string;
  /** 1 stands below the nearest 0 before it. */
  readonly level: 0 | 1;
  readonly page: number;
  /** Points from the upper edge. */
  readonly y: number;
}

/**
 * The outline of a document (ISO 32000-1, 12.3.3): what is of level 1 is folded in at first.
 * @param height of a page, points
 * @returns entries of the catalogue; '' for no bookmarks
 */
export function writeBookmarks(
  file: PdfFile,
  bookmarks: readonly Bookmark[],
  pages: readonly Ref[],
  height: number,
): string {
  if (bookmarks.length === 0) return '';
  const root = file.reserve();
  const nested: { readonly own: Bookmark; readonly below: Bookmark[] }[] = [];
  for (const own of bookmarks) {
    const last = nested.at(-1);
    if (own.level === 0 || last === undefined) nested.push({ own, below: [] });
    else last.below.push(own);
  }
  const write = (list: readonly Bookmark[], parent: Ref, belowOf: (at: number) => readonly Bookmark[]) => {
    const first = file.reserveMany(list.length);
    for (const [at, { title, page, y }] of list.entries()) {
      const below = belowOf(at);
      const inner = below.length === 0 ? undefined : write(below, first + at, () => []);
      file.object(
        `<</Title${textString(title)}/Parent ${parent} 0 R/Dest[${pages[page] ?? 0} 0 R/XYZ 0 ${num(height - y)} null]` +
          `${at > 0 ? `/Prev ${first + at - 1} 0 R` : ''}${at < list.length - 1 ? `/Next ${first + at + 1} 0 R` : ''}` +
          `${inner === undefined ? '' : `/First ${inner.first} 0 R/Last ${inner.last} 0 R/Count ${-below.length}`}>>`,
        first + at,
      );
    }
    return { first, last: first + list.length - 1 };
  };
  const top = write(
    nested.map(({ own }) => own),
    root,
    (at) => nested[at]?.below ?? [],
  );
  file.object(`<</Type/Outlines/First ${top.first} 0 R/Last ${top.last} 0 R/Count ${nested.length}>>`, root);
  return `/Outlines ${root} 0 R/PageMode/UseOutlines`;
}

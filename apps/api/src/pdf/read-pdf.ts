import { getDocument, OPS, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A node of the logical structure with the text that belongs to it. */
export interface ReadNode {
  readonly role: string;
  readonly alt?: string;
  readonly text: string;
  readonly children: readonly ReadNode[];
}

export interface ReadPage {
  /** Lines as a reader extracts them. */
  readonly text: string;
  readonly links: readonly string[];
  readonly structure: ReadNode | undefined;
  /** Points. */
  readonly width: number;
  readonly height: number;
  /** Each piece of text with where its base line begins, points from the upper left corner. */
  readonly pieces: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  /** Rectangles of the filled shape that has the most of them: the modules of a QR code. */
  readonly squares: readonly Box[];
}

type Box = readonly [x: number, y: number, width: number, height: number];

export interface ReadPdf {
  readonly pages: readonly ReadPage[];
  readonly info: Readonly<Record<string, unknown>>;
  readonly isMarked: boolean;
  readonly hasActions: boolean;
  /** What page numbers a reader shows. */
  readonly labels: readonly string[] | null;
  /** Title and page (from 1) of each bookmark, with those below it. */
  readonly bookmarks: readonly ReadBookmark[];
  /** Of all pages. */
  readonly text: string;
}

export interface ReadBookmark {
  readonly title: string;
  readonly page: number;
  readonly below: readonly ReadBookmark[];
}

interface TreeNode {
  readonly role?: string;
  readonly alt?: string;
  readonly id?: string;
  readonly type?: string;
  readonly children?: readonly TreeNode[];
}

type OutlineItem = Awaited<
  ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getOutline']>
>[number];

/** Reads a PDF with an independent reader, for tests; whatever that reader finds wrong throws. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    stopAtErrors: true,
  });
  const file = await task.promise;
  const pages: ReadPage[] = [];
  let hasActions = (await file.getJSActions()) !== null || (await file.getOpenAction()) !== null;
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number);
    const content = await page.getTextContent({ includeMarkedContent: true });
    const marked = new Map<string, string>();
    const open: (string | undefined)[] = [];
    let text = '';
    for (const item of content.items) {
      if ('str' in item) {
        const piece = item.str + (item.hasEOL ? '\n' : '');
        text += piece;
        const id = open.findLast((entry) => entry !== undefined);
        if (id !== undefined) marked.set(id, (marked.get(id) ?? '') + piece);
      } else if (item.type === 'endMarkedContent') open.pop();
      else open.push(typeof item.id === 'string' ? item.id : undefined);
    }
    const annotations: { url?: string }[] = await page.getAnnotations();
    hasActions ||= Object.keys((await page.getJSActions()) ?? {}).length > 0;
    const tree = (await page.getStructTree()) as TreeNode | null;
    const links = annotations.flatMap(({ url }) => (url === undefined ? [] : [url]));
    const { width = 0, height = 0 } = page.getViewport({ scale: 1 });
    const pieces = content.items.flatMap((item) =>
      'str' in item && item.str.trim() !== ''
        ? [{ text: item.str, x: Number(item.transform[4]), y: height - Number(item.transform[5]) }]
        : [],
    );
    const squares = largestShape(await page.getOperatorList(), height);
    pages.push({
      text,
      links,
      structure: tree ? toNode(tree, marked) : undefined,
      width,
      height,
      pieces,
      squares,
    });
  }
  const bookmarks = async (items: readonly OutlineItem[]): Promise<ReadBookmark[]> =>
    Promise.all(
      items.map(async ({ title, dest, items: below }) => {
        const page = Array.isArray(dest) ? await file.getPageIndex(dest[0]) : -1;
        return { title, page: page + 1, below: await bookmarks(below) };
      }),
    );
  const outline = await bookmarks((await file.getOutline()) ?? []);
  const labels = await file.getPageLabels();
  const { info } = await file.getMetadata();
  // A Map at run time, whatever its types say.
  const markInfo: unknown = await file.getMarkInfo();
  const isMarked = markInfo instanceof Map && markInfo.get('Marked') === true;
  await task.destroy();
  return {
    pages,
    labels,
    bookmarks: outline,
    info: { ...info },
    isMarked,
    hasActions,
    text: pages.map((page) => page.text).join('\n'),
  };
}

/** A path is a flat list of moves (0), lines (1) and ends (4): four corners a rectangle. */
function largestShape(
  { fnArray, argsArray }: { readonly fnArray: readonly number[]; readonly argsArray: readonly unknown[] },
  height: number,
): readonly Box[] {
  const paths = argsArray.flatMap((args, at) => {
    if (fnArray[at] !== OPS.constructPath || !Array.isArray(args)) return [];
    const [end, [path]] = args as [number, [Float32Array | null]];
    return end === OPS.fill && path ? [path] : [];
  });
  const largest = paths.toSorted((a, b) => b.length - a.length)[0] ?? new Float32Array();
  const size = 13;
  return Array.from({ length: Math.floor(largest.length / size) }, (_, at): Box => {
    const [, left = 0, bottom = 0, , right = 0, , , , top = 0] = largest.subarray(at * size);
    return [left, height - top, right - left, top - bottom];
  });
}

function toNode(node: TreeNode, marked: ReadonlyMap<string, string>): ReadNode {
  const own = node.id === undefined ? '' : (marked.get(node.id) ?? '');
  const children = (node.children ?? []).map((child) => toNode(child, marked));
  const text = (own + children.map((child) => child.text).join('')).replace(/\s+/g, ' ').trim();
  const alt = node.alt === undefined ? {} : { alt: node.alt };
  return {
    role: node.role ?? node.type ?? '',
    ...alt,
    text,
    children: children.filter((child) => child.role !== 'content'),
  };
}

/** All nodes of a role, in reading order. */
export function nodesOf(node: ReadNode | undefined, role: string): readonly ReadNode[] {
  if (!node) return [];
  return [...(node.role === role ? [node] : []), ...node.children.flatMap((child) => nodesOf(child, role))];
}

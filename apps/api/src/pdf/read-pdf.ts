import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

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
}

export interface ReadPdf {
  readonly pages: readonly ReadPage[];
  readonly info: Readonly<Record<string, unknown>>;
  readonly isMarked: boolean;
  readonly hasActions: boolean;
  /** Of all pages. */
  readonly text: string;
}

interface TreeNode {
  readonly role?: string;
  readonly alt?: string;
  readonly id?: string;
  readonly type?: string;
  readonly children?: readonly TreeNode[];
}

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
    pages.push({ text, links, structure: tree ? toNode(tree, marked) : undefined });
  }
  const { info } = await file.getMetadata();
  // A Map at run time, whatever its types say.
  const markInfo: unknown = await file.getMarkInfo();
  const isMarked = markInfo instanceof Map && markInfo.get('Marked') === true;
  await task.destroy();
  return { pages, info: { ...info }, isMarked, hasActions, text: pages.map((page) => page.text).join('\n') };
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

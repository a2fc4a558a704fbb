import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A piece of text; x and y in points from the left and from the top. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** What a strict reader finds in a PDF. */
export interface ReadPdf {
  readonly pages: number;
  /** All text, pages and pieces joined by single spaces. */
  readonly text: string;
  /** Page by page, what stands where. */
  readonly sheets: readonly (readonly PlacedText[])[];
  readonly links: readonly string[];
  readonly hasScripts: boolean;
}

/** Reads a PDF with pdf.js. @throws {Error} where it cannot */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    stopAtErrors: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  const document = await task.promise;
  const pieces: string[] = [];
  const sheets: PlacedText[][] = [];
  const links: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const { height } = page.getViewport({ scale: 1 });
    const placed = items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [, , , , x, y] = item.transform as number[];
      return [{ text: item.str.trim(), x: x ?? 0, y: height - (y ?? 0), width: item.width }];
    });
    sheets.push(placed);
    pieces.push(...placed.map(({ text }) => text));
    for (const annotation of (await page.getAnnotations()) as { url?: string }[]) {
      if (annotation.url !== undefined) links.push(annotation.url);
    }
  }
  const hasScripts = (await document.hasJSActions()) || (await document.getOpenAction()) !== null;
  const text = pieces.join(' ').replace(/\s+/g, ' ');
  const result = { pages: document.numPages, text, sheets, links, hasScripts };
  await task.destroy();
  return result;
}

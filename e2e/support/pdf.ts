import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What a strict reader finds in a PDF. */
export interface ReadPdf {
  readonly pages: number;
  /** All text, pages and pieces joined by single spaces. */
  readonly text: string;
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
  const links: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items) if ('str' in item && item.str.trim() !== '') pieces.push(item.str.trim());
    for (const annotation of (await page.getAnnotations()) as { url?: string }[]) {
      if (annotation.url !== undefined) links.push(annotation.url);
    }
  }
  const hasScripts = (await document.hasJSActions()) || (await document.getOpenAction()) !== null;
  const result = { pages: document.numPages, text: pieces.join(' ').replace(/\s+/g, ' '), links, hasScripts };
  await task.destroy();
  return result;
}

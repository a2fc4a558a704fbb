import type { PdfFile, Ref } from '../writer/pdf-file.ts';

/** A picture ready for any number of documents; it fills the unit square. */
export interface Artwork {
  /** Width divided by height. */
  readonly ratio: number;
  /** Adds it to a file. @returns its external object */
  readonly write: (file: PdfFile) => Ref;
}

/** A picture larger than this is not a logo; refusing it bounds memory. */
export const mostPixels = 4_000_000;

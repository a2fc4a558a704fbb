import { writeCoreFont } from '../writer/fonts.ts';
import { PdfFile, type Ref } from '../writer/pdf-file.ts';

/** A file with what all letters begin with: it can be given away before anything of the letter is known. */
export interface FileStart {
  readonly file: PdfFile;
  /** By weight. */
  readonly coreFonts: Readonly<Record<400 | 600, Ref>>;
}

/** Begins a file with its everyday fonts, some 30 KiB. */
export function startFile(): FileStart {
  const file = new PdfFile();
  return { file, coreFonts: { 400: writeCoreFont(file, 400), 600: writeCoreFont(file, 600) } };
}

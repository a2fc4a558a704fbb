import type { ImportedLine } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import { DocumentFault, requiredText } from './values.ts';

/** Most lines of one document. */
const maxLines = 20_000;

/** Type codes that make a document a credit note whatever its root element (EN 16931, BT-3). */
const creditCodes = new Set(['381', '396', '81', '83', '261', '262', '296', '308', '420', '458', '532']);

/** Whether a document of this type credits. @param typeCode UNTDID 1001 */
export const isCreditCode = (typeCode: string): boolean => creditCodes.has(typeCode);

/** The number at a path. @throws {DocumentFault} */
export function numberAt(from: XmlElement, path: string): string {
  const number = requiredText(from, path);
  if (number.length > 200) throw new DocumentFault(from.line, 'the number is longer than 200 characters');
  return number;
}

/** The lines of a document, if it has as many as one may have. @throws {DocumentFault} */
export function boundedLines(root: XmlElement, lines: readonly ImportedLine[]): readonly ImportedLine[] {
  if (lines.length === 0) throw new DocumentFault(root.line, 'there are no lines');
  if (lines.length > maxLines) throw new DocumentFault(root.line, `more than ${maxLines} lines`);
  return lines;
}

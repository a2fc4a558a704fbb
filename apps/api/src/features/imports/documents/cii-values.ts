import type { Day } from '@counterfoil/domain/time/dates.ts';
import type { Period } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import { all, cut, DocumentFault, dayOf, first, textAt } from './values.ts';

/** A day as CII writes it: eight digits, `format` 102 of UNTDID 2379. */
const DAY = /^(\d{4})(\d{2})(\d{2})$/;

/**
 * The day at a path, or null.
 * @param path of the element around `udt:DateTimeString` (`qdt:DateTimeString` in references)
 * @throws {DocumentFault} in another format than 102, or for a day that there is not
 */
export function ciiDayAt(from: XmlElement, path: string): Day | null {
  const element = first(from, `${path}/udt:DateTimeString`) ?? first(from, `${path}/qdt:DateTimeString`);
  if (element === undefined || element.text === '') return null;
  const format = element.attributes.get('format') ?? '102';
  const match = format === '102' ? DAY.exec(element.text) : null;
  if (match === null) {
    throw new DocumentFault(
      element.line,
      `${element.name} '${cut(element.text)}' is not a date of format 102 (YYYYMMDD)`,
    );
  }
  return dayOf(element, `${match[1]}-${match[2]}-${match[3]}`);
}

/** The billing period at a path. @throws {DocumentFault} when it ends before it starts */
export function ciiPeriodAt(from: XmlElement, path: string): Period | null {
  const period = first(from, path);
  if (period === undefined) return null;
  const start = ciiDayAt(period, 'ram:StartDateTime');
  const end = ciiDayAt(period, 'ram:EndDateTime');
  if (start === null && end === null) return null;
  if (start !== null && end !== null && end < start)
    throw new DocumentFault(period.line, `${period.name} ends before it starts`);
  return { from: start, to: end };
}

/** Document type code of the invoiced object: the service item (UNTDID 1001, 130; EN 16931 BT-18 and BT-128). */
const INVOICED_OBJECT = '130';

/** The invoiced object among the documents that an element refers to, or null. */
export function ciiObjectOf(from: XmlElement): string | null {
  const reference = all(from, 'ram:AdditionalReferencedDocument').find(
    (candidate) => textAt(candidate, 'ram:TypeCode') === INVOICED_OBJECT,
  );
  return reference === undefined ? null : textAt(reference, 'ram:IssuerAssignedID');
}

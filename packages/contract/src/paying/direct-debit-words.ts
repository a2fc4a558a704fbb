/** Words of a debit that is made once, apart from the schemas: the page and the record of what was agreed say the same. */

/** Beside the version of the scheme's own words, in what is kept of an agreement. Another wording is another version. */
export const ONE_DEBIT_VERSION = 'once-1';

/** What a bank account is debited once for. */
export interface OneDebitWords {
  /** With its currency before it, a plain decimal; fee included. */
  readonly amount: string;
  readonly company: string;
  /** Of the invoice. */
  readonly number: string;
}

/** '€1284.56' as '€1,284.56'. */
const grouped = (amount: string): string =>
  amount.replace(/\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','));

/** Says that one debit is agreed to, and no other; before the words that the scheme prescribes. */
export const oneDebitText = ({ amount, company, number }: OneDebitWords): string =>
  `This authorises one debit of ${grouped(amount)} for ${number} of ${company}. Your account is not saved, and nothing else is debited from it.`;

/** Words of a debit that is made once, apart from the schemas: the page and the record of what was agreed say the same. */

/** Beside the version of the scheme's own words, in what is kept of an agreement. Another wording is another version. */
export const ONE_DEBIT_VERSION = 'once-1';

/** What a bank account is debited once for. */
export interface OneDebitWords {
  /** With its currency, as the page shows it; fee included. */
  readonly amount: string;
  readonly company: string;
  /** Of the invoice. */
  readonly number: string;
}

/** Says that one debit is agreed to, and no other; before the words that the scheme prescribes. */
export const oneDebitText = ({ amount, company, number }: OneDebitWords): string =>
  `This authorises one debit of ${amount} for ${number} of ${company}. Your account is not saved, and nothing else is debited from it.`;

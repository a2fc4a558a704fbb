import { quarantineCauses } from '@counterfoil/contract/operator/imports/quarantine-causes.ts';

/** Why something was not taken in, as programs read it. */
export const causes = quarantineCauses;
export type Cause = (typeof causes)[number];

interface About {
  /** What is true of the entries. */
  readonly what: string;
  /** What a person does about it. */
  readonly remedy: string;
}

const about: Readonly<Record<Cause, About>> = {
  owner: {
    what: 'no customer is known by the account code or line',
    remedy:
      "make it known: 'counterfoil customer add' for a new customer or 'counterfoil customer set' for one you have, with --account-code <code or line>; it is then taken in by itself. " +
      'Where the file names nobody, import it again with --customer <id or ref>',
  },
  buyer: {
    what: 'the buyer is no known customer',
    remedy:
      "make it known: 'counterfoil customer add' for a new customer or 'counterfoil customer set' for one you have, with --endpoint, --legal-id or --known-as; it is then taken in by itself. " +
      'Or import the file again with --customer <id or ref>',
  },
  agreement: {
    what: 'the customer has no such agreement',
    remedy: 'give the agreement by a name or reference that the customer has, and import the file again',
  },
  customer: {
    what: 'no customer of that reference is known',
    remedy:
      'bring the customer in first (a file of kind customers, or counterfoil customer add); the row is then taken in by itself',
  },
  reference: {
    what: 'the row names something that is not known',
    remedy: 'bring in first what the reason names; the row is then taken in by itself',
  },
  month: {
    what: 'the month takes no more records',
    remedy:
      "open it ('counterfoil db reopen <YYYY-MM>', an archived one after 'db unarchive'), and import the file again",
  },
  mapping: {
    what: 'the mapping does not read the row',
    remedy:
      "mend the mapping ('counterfoil mapping add', under the name it has), and the rows are taken in by itself; or mend the file and import it again",
  },
  line: { what: 'the line is broken', remedy: 'mend the line in the file, and import it again' },
  document: {
    what: 'it cannot be booked as it is',
    remedy: "ask who sent it for one that can, and take this one away: 'counterfoil quarantine drop <id>'",
  },
  differs: {
    what: 'an invoice of this number is in the books with other content',
    remedy:
      "ask who sent it which one counts. This one takes the place of the one in the books by 'counterfoil invoice correct <id>', " +
      "and is taken away by 'counterfoil quarantine drop <id>'",
  },
  busy: { what: 'another import was at it', remedy: 'nothing: it is tried again by itself' },
  file: { what: 'the file cannot be read', remedy: 'put it right as the reason says, and import it again' },
};

export const whatIsWrong = (cause: Cause): string => about[cause].what;

export const remedyOf = (cause: Cause): string => about[cause].remedy;

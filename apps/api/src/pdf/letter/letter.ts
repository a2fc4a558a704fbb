/** A4 upright, or US Letter where the customer's country uses that. */
export type Paper = 'a4' | 'usLetter';

/**
 * What a letter on paper shows (invoice, receipt, statement), as plain structured-cloneable data: everything is
 * already decided and formatted (exact amounts, dates as MM.DD.YYYY), so that rendering needs neither database nor
 * currency rules and can run in a process of its own.
 *
 * Any text may be in any script and of any length up to 4,000 characters; what is longer is cut with an ellipsis.
 * Control characters and direction overrides are removed, they cannot disturb the page.
 */
export interface Letter {
  /** 'Invoice INV-20447': the heading, and the title of the file. */
  readonly title: string;
  /** What following pages say of it, after the provider's name: 'Invoice INV-20447 of 11.05.2026'. */
  readonly runner: string;
  readonly paper: Paper;
  /** BCP 47 tag of the document ('en'); also chooses between Chinese, Japanese and Korean shapes. */
  readonly language: string;
  /** When this document was issued, ISO 8601; it becomes the creation date, so that equal input gives equal bytes. */
  readonly issuedAt: string;
  readonly sender: Sender;
  readonly recipient: Party;
  readonly headline: Headline;
  /** Beside the customer's address, six at most: number, dates, customer number. */
  readonly facts: readonly Fact[];
  /** What the reader must know before trusting the figures, in a box above the body. */
  readonly notices: readonly string[];
  /** In their order; the first begins on page 1 below the title. */
  readonly blocks: readonly Block[];
  /** Stands beside the first block, which is narrower then. */
  readonly aside?: Aside;
  readonly slip?: Slip;
  /** Makes the file a Factur-X. */
  readonly attachment?: LetterAttachment;
}

/** The same document as data, for programs. */
export interface LetterAttachment {
  /** As the standard has it: 'factur-x.xml'. */
  readonly name: string;
  readonly content: Uint8Array;
  /** Of Factur-X, as its description names it: 'EN 16931'. */
  readonly profile: string;
}

export interface Sender {
  readonly name: string;
  readonly logo?: Logo;
  /** '#rrggbb'; only of the current bar. */
  readonly accent: string;
  /** Name and postal address, a line each. */
  readonly address: readonly string[];
  /** Web, telephone, mail, tax number. */
  readonly contact: readonly string[];
  /** Above the customer's address, for the envelope's window. */
  readonly returnLine: string;
  /** At the foot of every page. */
  readonly foot: string;
}

/** A logo that cannot be read is left out and the brand's name stands alone. */
export interface Logo {
  readonly type: 'png' | 'jpeg' | 'svg';
  readonly data: Uint8Array;
}

export interface Party {
  readonly name: string;
  /** Postal address: one entry per printed line; long ones wrap. */
  readonly lines: readonly string[];
}

/** The largest thing on the page. */
export interface Headline {
  readonly caption: string;
  /** How it stands: the caption is set large then; `settled` has a tick before it. */
  readonly standing?: 'settled' | 'partly';
  readonly amount: string;
  /** 'Due 12.05.2026', '12.01.2026, 14:05:22 AEDT'. */
  readonly note: string;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export type Block = TableBlock | ComingTableBlock | TextBlock | ColumnsBlock | RecordsBlock;

export interface TableBlock {
  readonly kind: 'table';
  readonly heading?: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** A fine line below each row. */
  readonly isRuled?: boolean;
  readonly startsPage?: boolean;
  /** So many last rows stay together. */
  readonly keep: number;
}

/** A table whose rows come beside the letter, part by part. */
export interface ComingTableBlock extends Omit<TableBlock, 'kind' | 'rows'> {
  readonly kind: 'comingTable';
  /** How many rows are to come. */
  readonly count: number;
  /** As wide as the widest of them, column by column. */
  readonly samples: readonly TableRow[];
}

export interface TableColumn {
  readonly label: string;
  readonly isFigure?: boolean;
  readonly isMuted?: boolean;
  /** Takes the width that is left over; else the last column of words does. */
  readonly grows?: boolean;
}

export interface TableRow {
  /**
   * - `line`: one of many
   * - `group`: heading of those below
   * - `sum`: with a rule above it
   * - `total`: of double height between two rules
   */
  readonly kind: 'line' | 'group' | 'sum' | 'total';
  /** One per column. A text runs on over the empty cells to its right. */
  readonly cells: readonly string[];
  /** Small words behind the first cell. */
  readonly remark?: string;
  /** What is carried forward where the page ends after this row. */
  readonly balance?: string;
}

export interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
  readonly isMuted?: boolean;
}

/** Short texts beside each other. */
export interface ColumnsBlock {
  readonly kind: 'columns';
  readonly columns: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

/** Usage records by number, in two columns of a page. They come beside the letter, part by part. */
export interface RecordsBlock {
  readonly kind: 'records';
  readonly heading: string;
  readonly note: string;
  /** How much is to come: the last page is filled evenly. */
  readonly numbers: number;
  readonly records: number;
}

/**
 * What comes part by part. `start`: there will be a file, so that what all files begin with can be given away; then the `letter`
 * itself, where it was not there before, and what its blocks wait for, in their order.
 */
export type LetterPart =
  | { readonly kind: 'start' }
  | { readonly kind: 'letter'; readonly letter: Letter }
  | { readonly kind: 'lines'; readonly lines: readonly TableRow[] }
  | RecordPart;

/** Records of one number in their order: `number`, its `rows` in as many parts as one likes, `total`. */
export type RecordPart =
  | {
      readonly kind: 'number';
      readonly number: string;
      readonly description: string;
      /** How many records it has. */
      readonly count: number;
    }
  | { readonly kind: 'rows'; readonly rows: readonly RecordCells[] }
  /** '58 records', their time in all where all are measured in time, their price. */
  | { readonly kind: 'total'; readonly total: readonly [string, string, string] };

/** Start, called number, quantity with its unit, price. */
export type RecordCells = readonly [string, string, string, string];

export interface Aside {
  readonly bars?: Bars;
  readonly title: string;
  readonly lines: readonly string[];
}

export interface Bars {
  readonly title: string;
  /** Oldest first; the last is the current one. `share` of the highest, 0 to 1. */
  readonly bars: readonly { readonly label: string; readonly value: string; readonly share: number }[];
  readonly remark: string;
}

/** To be paid with, or why nobody has to; at the lower edge of page 1. */
export interface Slip {
  /** In place of 'Payment slip', where there is nothing to be detached and sent along. */
  readonly heading?: string;
  readonly amount: Fact;
  readonly facts: readonly Fact[];
  /** Ways to pay, the first one first. */
  readonly ways: readonly Way[];
  /** http or https address, as QR code and as a link; anything else is left out. */
  readonly payLink?: string;
  /** What the link does, to those who hear it: 'Pay $390.99'. */
  readonly linkLabel: string;
}

export interface Way {
  readonly title: string;
  /** The slip's link stands below the title. */
  readonly isLink?: boolean;
  readonly lines: readonly string[];
}

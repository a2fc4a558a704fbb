/** The shape of the coverage ledger: one row for each thing the specification states. Titles of tests name rows by id. */

/**
 * What a row is about. Ids carry the kind, except those of rules. Screens, controls and texts are what people see: their
 * proof is a test in a browser.
 */
type Kind = 'screen' | 'control' | 'text' | 'field' | 'call' | 'rule' | 'constant' | 'error';

/** One statement of the specification. */
export interface Row {
  /** Stable and readable, e.g. `portal.login.control.show-password`. */
  readonly id: string;
  /** Document and section; several are joined by '; ' where a decision settles an open sentence. */
  readonly source: string;
  readonly kind: Kind;
  /** One plain sentence. */
  readonly what: string;
  /** The words the specification gives, verbatim; `{name}` stands for a value. */
  readonly text?: string;
}

/** What a section's rows share. A row may name its own source. */
interface Section {
  readonly prefix: string;
  readonly source: string;
}

interface Extra {
  readonly text?: string;
  readonly source?: string;
}

/** A row before its section gives it prefix and source. */
interface Draft extends Extra {
  readonly kind: Kind;
  readonly name: string;
  readonly what: string;
}

/** Makes the helper of one kind: a name, a sentence, and the verbatim text or what differs from the section. */
const helper =
  (kind: Kind) =>
  (name: string, what: string, extra: string | Extra = {}): Draft => ({
    kind,
    name,
    what,
    ...(typeof extra === 'string' ? { text: extra } : extra),
  });

export const screen = helper('screen');
export const control = helper('control');
export const text = helper('text');
export const field = helper('field');
export const call = helper('call');
export const rule = helper('rule');
export const constant = helper('constant');
export const error = helper('error');

/** Rows of one section: `prefix.kind.name`, and `prefix.name` for a rule. */
export function section(shared: Section, drafts: readonly Draft[]): readonly Row[] {
  return drafts.map(({ kind, name, what, text, source = shared.source }) => ({
    id: [shared.prefix, ...(kind === 'rule' ? [] : [kind]), name].join('.'),
    source,
    kind,
    what,
    ...(text === undefined ? {} : { text }),
  }));
}

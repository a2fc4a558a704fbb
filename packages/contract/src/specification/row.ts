/**
 * The shape of the coverage ledger: one row for each thing the specification states, and the proofs that it
 * is so. `docs/specification.md` is generated from these rows; the build checks them.
 */

/**
 * What a row is about. Ids carry the kind, except those of rules. Screens, controls and texts are what people see: their
 * proof is a test in a browser.
 */
type Kind = 'screen' | 'control' | 'text' | 'field' | 'call' | 'rule' | 'constant' | 'error';

/** The piece of work that owes the proof of a row. */
type Issue = 'foundation' | 'access' | 'billing views' | 'usage' | 'payments' | 'other gateways';

/** A test that shows what a row states: its file from the top of the repository, and (part of) its title. */
export interface Proof {
  readonly file: string;
  readonly title: string;
}

/** A test of `e2e/`, by its file without folder and endings, and (part of) its title. */
export const inBrowser = (file: string, title: string): Proof => ({ file: `e2e/${file}.spec.ts`, title });

/** Proofs of one area, by row id. */
export type Proofs = Readonly<Record<string, readonly Proof[]>>;

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
  readonly issue: Issue;
}

/** What a section's rows share. A row may name its own source or issue. */
interface Section {
  readonly prefix: string;
  readonly source: string;
  readonly issue: Issue;
}

interface Extra {
  readonly text?: string;
  readonly source?: string;
  readonly issue?: Issue;
}

/** A row before its section gives it prefix, source and issue. */
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
  return drafts.map((draft) => ({
    id: [shared.prefix, ...(draft.kind === 'rule' ? [] : [draft.kind]), draft.name].join('.'),
    source: draft.source ?? shared.source,
    kind: draft.kind,
    what: draft.what,
    issue: draft.issue ?? shared.issue,
    ...(draft.text === undefined ? {} : { text: draft.text }),
  }));
}

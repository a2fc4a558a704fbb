import type { EntryConfig } from '@counterfoil/contract/entry-config.ts';
import type {
  BillingOwner,
  Entered,
  EntryState,
  MethodEntry,
  MethodKind,
} from '@counterfoil/gateways/port/browser.ts';
import { type FormEvent, useRef, useState } from 'react';
import type { FormProblem } from '../../ui/fields/error-summary.tsx';
import { t } from './messages.ts';
import { type LoadedEntry, useEntry } from './use-entry.ts';

/** A field beside the entry that is missing or wrong; `label` names it in a sentence. */
export interface OpenField {
  /** Id of its control. */
  readonly field: string;
  readonly text: string;
  readonly label: string;
}

/** A method as it is sent: what the entry has made of what was typed. */
export type SentMethod = Exclude<Entered, { readonly error: string } | { readonly hint: 'reload' }>;

export interface EntryFormOptions {
  readonly kind: MethodKind;
  readonly config: EntryConfig;
  /** What is missing or wrong beside the entry. */
  readonly open: readonly OpenField[];
  readonly owner: BillingOwner;
  /** Id of the control of a field beside the entry; undefined for one of the entry's own. */
  readonly controlOf: (field: string) => string | undefined;
  /** Names the entry's inputs in the list of what is missing. */
  readonly entryLabel: string;
  /** A second token is made of the same method, where it is to be kept: each works once. */
  readonly isKept?: boolean | undefined;
  /**
   * Sends it, with a second token where one was asked for; the form is busy until then.
   * @returns what it was refused with, to be shown above the fields
   */
  readonly onEntered: (sent: SentMethod, kept: string | undefined) => Promise<FormProblem | undefined>;
}

/** A form around a way of entry, for {@link EntryFields} and whatever stands around them. */
export interface EntryForm extends LoadedEntry {
  readonly config: EntryConfig;
  readonly onState: (state: EntryState) => void;
  readonly errorOf: (field: string) => string | undefined;
  /** A field that is mended stops complaining; the others keep their message. */
  readonly mended: (field: string) => void;
  /** For the error summary. */
  readonly problems: readonly FormProblem[];
  readonly attempt: number;
  /** Names of the fields that are missing or wrong; while there are any, a press only says so. */
  readonly missing: readonly string[];
  readonly busy: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

const waiting: EntryState = { status: 'loading', isComplete: false };

/** State of a form that takes a method. A press trades what was typed for what is sent, once at a time. */
export function useEntryForm(options: EntryFormOptions): EntryForm {
  const { kind, config, open, owner, controlOf, entryLabel, isKept, onEntered } = options;
  const loaded = useEntry(kind, config);
  const [state, setState] = useState(waiting);
  const [found, setFound] = useState<readonly FormProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  // The entry's inputs tell only all together that they are mended.
  const problems = found.filter(({ focus }) => focus === undefined || !state.isComplete);
  const refuse = (list: readonly FormProblem[]) => {
    // Inputs that share a trouble ("has not loaded yet") say it once.
    const texts = new Set<string>();
    setFound(list.filter(({ text }) => !texts.has(text) && texts.add(text)));
    setAttempt((count) => count + 1);
  };
  const submit = async (entry: MethodEntry | undefined): Promise<void> => {
    if (entry === undefined) return refuse([{ text: t('failed') }]);
    const list: readonly FormProblem[] = [
      ...entry.problems().map(({ field, text }) => ({ text, focus: () => entry.focus(field) })),
      ...open.map(({ field, text }) => ({ field, text })),
    ];
    if (list.length > 0) return refuse(list);
    setBusy(true);
    setFound([]);
    const sent = await entry.submit(owner);
    if ('error' in sent) {
      const { error: text, field = '' } = sent;
      const control = controlOf(field);
      if (control !== undefined) return refuse([{ text, field: control }]);
      return refuse([field === '' ? { text } : { text, focus: () => entry.focus(field) }]);
    }
    if ('hint' in sent) return;
    const second = isKept && 'token' in sent ? await entry.submit(owner) : undefined;
    const kept = second !== undefined && 'token' in second ? second.token : undefined;
    const refusal = await onEntered(sent, kept);
    if (refusal) refuse([refusal]);
  };
  return {
    ...loaded,
    config,
    onState: setState,
    problems,
    attempt,
    busy,
    errorOf: (field) => problems.find((problem) => problem.field === field)?.text,
    mended: (field) => setFound((before) => before.filter((problem) => problem.field !== field)),
    missing: [...(state.isComplete ? [] : [entryLabel]), ...open.map(({ label }) => label)],
    onSubmit(event) {
      event.preventDefault();
      if (running.current) return;
      running.current = true;
      void submit(loaded.entry).finally(() => {
        running.current = false;
        setBusy(false);
      });
    },
  };
}

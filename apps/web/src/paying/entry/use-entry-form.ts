import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import type {
  BillingOwner,
  Entered,
  EntryState,
  MethodEntry,
  MethodKind,
} from '@counterfoil/gateways/port/browser.ts';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { FormProblem } from '../../ui/fields/error-summary.tsx';
import { t } from './messages.ts';
import type { Preparation, PrepareEntry, Preparing } from './preparing.ts';
import { type LoadedEntry, useEntry } from './use-entry.ts';
import { usePrepared } from './use-prepared.ts';

/** A field beside the entry that is missing or wrong; `label` names it in a sentence. */
export interface OpenField {
  /** Id of its control. */
  readonly field: string;
  readonly text: string;
  readonly label: string;
  /** It stands above the entry. */
  readonly isAbove?: boolean;
}

/** A method as it is sent: what the entry has made of what was typed, and the prepared entry it was typed into. */
export interface SentMethod {
  readonly entered: Exclude<Entered, { readonly error: string } | { readonly hint: 'reload' }>;
  readonly entryId: string | undefined;
}

export interface EntryFormOptions {
  readonly kind: MethodKind;
  readonly config: EntryConfig;
  /** Makes the entry of a gateway that needs one. */
  readonly prepare: PrepareEntry | undefined;
  /** What is missing or wrong beside the entry. */
  readonly open: readonly OpenField[];
  readonly owner: BillingOwner;
  /** Id of the control of a field beside the entry; undefined for one of the entry's own. */
  readonly controlOf: (field: string) => string | undefined;
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
  readonly kind: MethodKind;
  readonly config: EntryConfig;
  readonly preparation: Preparation;
  readonly renew: Preparing['renew'];
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

/** What is typed stands in our own inputs: it outlives the entry it was to go with, which is made again at the press. */
export const keepsTyped = ({ how }: Pick<EntryConfig, 'how'>): boolean => how.startsWith('own');

/** The provider's page ends the form by itself: what stands beside it is typed before. */
export const endsForm = ({ how, isPrepared }: Pick<EntryConfig, 'how' | 'isPrepared'>): boolean =>
  how === 'providerFrame' && isPrepared;

const waiting: EntryState = { status: 'loading', isComplete: false };

/** State of a form that takes a method. A press trades what was typed for what is sent, once at a time. */
export function useEntryForm(options: EntryFormOptions): EntryForm {
  const { kind, config, prepare, open } = options;
  const above = open.filter(({ isAbove }) => isAbove);
  const below = open.filter(({ isAbove }) => !isAbove);
  const loaded = useEntry(kind, config);
  const { entry } = loaded;
  // A page that the payer leaves for is made at the press.
  const isShown = config.how !== 'redirect' && entry?.needsPrepared === true;
  const { preparation, renew, drop } = usePrepared(isShown, prepare);
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
  const press = async (): Promise<void> => {
    if (entry === undefined) return refuse([{ text: t('failed') }]);
    const list: readonly FormProblem[] = [
      ...(isShown && preparation.is !== 'ready' && !keepsTyped(config)
        ? [{ text: t(`prepare.${preparation.is}`) }]
        : []),
      ...(isShown && preparation.is === 'ready' && config.how === 'providerFrame' && !state.isComplete
        ? [{ text: t('frame.open'), focus: () => entry.focus('') }]
        : []),
      ...above.map(({ field, text }) => ({ field, text })),
      ...entry.problems().map(({ field, text }) => ({ text, focus: () => entry.focus(field) })),
      ...below.map(({ field, text }) => ({ field, text })),
    ];
    if (list.length > 0) return refuse(list);
    setBusy(true);
    setFound([]);
    const refusals = await submit(entry, options, isShown ? { preparation, renew, drop } : undefined);
    if (refusals.length > 0) refuse(refusals);
  };
  const start = () => {
    if (running.current) return;
    running.current = true;
    void press().finally(() => {
      running.current = false;
      setBusy(false);
    });
  };
  // The provider's page is done: nothing is left for the payer to press.
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  const isEntered = state.status === 'entered';
  useEffect(() => {
    if (isEntered) latest.current();
  }, [isEntered]);
  const onState = useCallback((next: EntryState) => setState(next), []);
  return {
    ...loaded,
    kind,
    config,
    preparation,
    renew,
    onState,
    problems,
    attempt,
    busy,
    errorOf: (field) => problems.find((problem) => problem.field === field)?.text,
    mended: (field) => setFound((before) => before.filter((problem) => problem.field !== field)),
    missing: [
      ...above.map(({ label }) => label),
      ...(state.isComplete ? [] : [t(endsForm(config) ? 'frame' : kind)]),
      ...below.map(({ label }) => label),
    ],
    onSubmit(event) {
      event.preventDefault();
      start();
    },
  };
}

/** @returns what is to be mended; empty when it was sent */
async function submit(
  entry: MethodEntry,
  { config, owner, controlOf, isKept, onEntered }: EntryFormOptions,
  entries: ReturnType<typeof usePrepared> | undefined,
): Promise<readonly FormProblem[]> {
  const { preparation } = entries ?? {};
  const prepared = preparation?.is === 'ready' ? preparation.prepared : await entries?.renew();
  if (entries !== undefined && prepared === undefined) return [{ text: t('prepare.failed') }];
  const entered = await entry.submit(owner, prepared);
  if ('error' in entered) {
    const { error: text, field = '' } = entered;
    const control = controlOf(field);
    if (control !== undefined) return [{ text, field: control }];
    return [field === '' ? { text } : { text, focus: () => entry.focus(field) }];
  }
  if ('hint' in entered) {
    void entries?.renew();
    return [];
  }
  const second = isKept && 'token' in entered ? await entry.submit(owner, prepared) : undefined;
  const kept = second !== undefined && 'token' in second ? second.token : undefined;
  const refusal = await onEntered({ entered, entryId: prepared?.entryId }, kept);
  // An entry is used once, whatever came of it. Only a page in a frame needs the next one before a press.
  if (keepsTyped(config)) entries?.drop();
  else void entries?.renew();
  return refusal === undefined ? [] : [refusal];
}

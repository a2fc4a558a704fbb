import type { CardEntry as CardSettings } from '@counterfoil/contract/public-pay.ts';
import type { CardEntry, CardEntryState, CardField } from '@counterfoil/gateways/port/browser.ts';
import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { FormProblem } from '../../ui/fields/error-summary.tsx';
import { type CardDraft, type DraftField, draftFields } from './card-draft.ts';
import {
  billingForCard,
  type FormRules,
  fieldProblems,
  type TypedFields,
  typedFields,
} from './card-form-model.ts';
import { t } from './messages.ts';
import { useCardEntry } from './use-card-entry.ts';

/** A card as it is sent: its one-time token and the fields beside it. */
export interface EnteredCard extends TypedFields {
  readonly cardToken: string;
  /** A second one of the same card, where it is to be kept: each token works once. */
  readonly keptToken?: string;
  /** As typed. */
  readonly draft: CardDraft;
}

interface CardFormOptions {
  readonly settings: CardSettings;
  readonly rules: FormRules;
  readonly initial: () => CardDraft;
  /** The card is to be kept beside being used. */
  readonly isKept?: boolean;
  /** Sends it; the form is busy until then. What it is refused with is shown above the fields. */
  readonly onCard: (card: EnteredCard, refuse: (text: string) => void) => Promise<void>;
}

/** A form that takes a new card, for {@link CardFormFields} and whatever stands around them. */
export interface CardForm {
  readonly settings: CardSettings;
  readonly rules: FormRules;
  readonly entry: CardEntry | undefined;
  /** The fields' code did not come. */
  readonly hasFailed: boolean;
  readonly retry: () => void;
  readonly onCardState: (state: CardEntryState) => void;
  readonly draft: CardDraft;
  readonly onType: (field: DraftField, text: string) => void;
  readonly errorOf: (field: DraftField) => string | undefined;
  /** For the error summary. */
  readonly problems: readonly FormProblem[];
  readonly attempt: number;
  /** Names of the fields that are missing or wrong; while there are any, a press only says so. */
  readonly missing: readonly string[];
  readonly busy: boolean;
  /** For the `form` element. */
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * State of a form that takes a new card: the provider's fields, what is typed beside them, and what is missing. A
 * press trades the card for a token, once at a time.
 */
export function useCardForm({ settings, rules, initial, isKept, onCard }: CardFormOptions): CardForm {
  const { entry, failed, retry } = useCardEntry(settings);
  const [draft, setDraft] = useState(initial);
  const [card, setCard] = useState<CardEntryState>({ status: 'loading', isComplete: false });
  const [found, setFound] = useState<readonly FormProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const ref = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const typed = ref.current ? typedEarly(ref.current) : undefined;
    if (typed) setDraft((before) => ({ ...before, ...typed }));
  }, []);

  const open = fieldProblems(draft, rules);
  // The provider's inputs tell only all together that they are mended.
  const problems = found.filter(({ focus }) => focus === undefined || !card.isComplete);
  const refuse = (list: readonly FormProblem[]) => {
    // Inputs that share a trouble ("has not loaded yet") say it once.
    const texts = new Set<string>();
    setFound(list.filter(({ text }) => !texts.has(text) && texts.add(text)));
    setAttempt((count) => count + 1);
  };
  const submit = async (fields: CardEntry | undefined): Promise<void> => {
    if (fields === undefined) return refuse([{ text: t('form.cardFailed') }]);
    const at = (field: CardField) => () => fields.focus(field);
    const list: readonly FormProblem[] = [
      ...fields.problems().map(({ field, text }) => ({ text, focus: at(field) })),
      ...open.map(({ field, text }) => ({ field, text })),
    ];
    if (list.length > 0) return refuse(list);
    setBusy(true);
    setFound([]);
    const tokenise = () => fields.tokenise(draft.cardHolder.trim(), billingForCard(draft, rules));
    const result = await tokenise();
    if ('token' in result) {
      const second = isKept ? await tokenise() : undefined;
      const kept = second && 'token' in second ? { keptToken: second.token } : {};
      const sent = { cardToken: result.token, ...kept, draft, ...typedFields(draft, rules) };
      await onCard(sent, (text) => refuse([{ text }]));
    } else refuse([{ text: result.error, ...(result.field && { focus: at(result.field) }) }]);
  };
  return {
    settings,
    rules,
    entry,
    hasFailed: failed,
    retry,
    onCardState: setCard,
    draft,
    problems,
    attempt,
    busy,
    ref,
    onType(field, text) {
      setDraft((before) => ({ ...before, [field]: text }));
      // A mended field stops complaining; the others keep their message.
      setFound((before) => before.filter((problem) => problem.field !== field));
    },
    errorOf: (field) => problems.find((problem) => problem.field === field)?.text,
    missing: [...(card.isComplete ? [] : [t('form.card')]), ...open.map(({ label }) => label)],
    onSubmit(event) {
      event.preventDefault();
      if (running.current) return;
      running.current = true;
      void submit(entry).finally(() => {
        running.current = false;
        setBusy(false);
      });
    },
  };
}

/** What was typed, or filled in by the browser, while the form was markup without a script. */
function typedEarly(form: HTMLFormElement): Partial<CardDraft> {
  const typed = new FormData(form);
  const found = draftFields.map((field) => [field, typed.get(field)] as const);
  return Object.fromEntries(found.filter(([, value]) => typeof value === 'string' && value !== ''));
}

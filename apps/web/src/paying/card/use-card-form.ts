import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { FormProblem } from '../../ui/fields/error-summary.tsx';
import type { PrepareEntry } from '../entry/preparing.ts';
import { type EntryForm, type SentMethod, useEntryForm } from '../entry/use-entry-form.ts';
import { type CardDraft, type DraftField, draftFields } from './card-draft.ts';
import { type FormRules, fieldProblems, ownerOf, type TypedFields, typedFields } from './card-form-model.ts';

/** A card as it is sent: what its entry made of it, and the fields beside it. */
export interface EnteredCard {
  readonly sent: SentMethod;
  /** A second token of it, where the card is to be kept: each works once. */
  readonly keptToken: string | undefined;
  readonly typed: TypedFields;
  /** As typed. */
  readonly draft: CardDraft;
}

interface CardFormOptions {
  readonly config: EntryConfig;
  /** Makes the entry of a gateway that needs one. */
  readonly prepare: PrepareEntry | undefined;
  readonly rules: FormRules;
  readonly initial: () => CardDraft;
  /** The card is to be kept beside being used. */
  readonly isKept?: boolean;
  /** Sends it; the form is busy until then. @returns what it was refused with */
  readonly onCard: (card: EnteredCard) => Promise<FormProblem | undefined>;
}

/** A form that takes a new card, for {@link CardFormFields} and whatever stands around them. */
export interface CardForm extends EntryForm {
  readonly rules: FormRules;
  readonly draft: CardDraft;
  readonly onType: (field: DraftField, text: string) => void;
  /** For the `form` element. */
  readonly ref: RefObject<HTMLFormElement | null>;
}

/** State of a form that takes a new card: its entry, what is typed beside it, and what is missing. */
export function useCardForm({ config, prepare, rules, initial, isKept, onCard }: CardFormOptions): CardForm {
  const [draft, setDraft] = useState(initial);
  const ref = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const typed = ref.current ? typedEarly(ref.current) : undefined;
    if (typed) setDraft((before) => ({ ...before, ...typed }));
  }, []);
  const form = useEntryForm({
    kind: 'card',
    config,
    prepare,
    open: fieldProblems(draft, rules),
    owner: ownerOf(draft, rules),
    controlOf: (field) => draftFields.find((one) => one === field),
    isKept,
    onEntered: (sent, keptToken) => onCard({ sent, keptToken, draft, typed: typedFields(draft, rules) }),
  });
  return {
    ...form,
    rules,
    draft,
    ref,
    onType(field, text) {
      setDraft((before) => ({ ...before, [field]: text }));
      form.mended(field);
    },
  };
}

/** What was typed, or filled in by the browser, while the form was markup without a script. */
function typedEarly(form: HTMLFormElement): Partial<CardDraft> {
  const typed = new FormData(form);
  const found = draftFields.map((field) => [field, typed.get(field)] as const);
  return Object.fromEntries(found.filter(([, value]) => typeof value === 'string' && value !== ''));
}

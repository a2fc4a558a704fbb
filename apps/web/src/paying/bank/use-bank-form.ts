import type { DebitForm } from '@counterfoil/contract/paying/direct-debit.ts';
import { isOwnerField } from '@counterfoil/gateways/kit/browser/form-fields.ts';
import { useState } from 'react';
import type { FormProblem } from '../../ui/fields/error-summary.tsx';
import type { PrepareEntry } from '../entry/preparing.ts';
import { type EntryForm, type SentMethod, useEntryForm } from '../entry/use-entry-form.ts';
import { type BankDraft, bankOwner, bankProblems, controlId, MANDATE } from './bank-form-model.ts';

interface BankFormOptions {
  readonly bank: DebitForm;
  /** Makes the entry of a gateway that needs one. */
  readonly prepare: PrepareEntry | undefined;
  readonly initial: BankDraft;
  /** What is said while the mandate's box is not ticked. */
  readonly agreeText: string;
  /** Sends the account; the form is busy until then. @returns what it was refused with */
  readonly onAccount: (sent: SentMethod, typed: BankDraft) => Promise<FormProblem | undefined>;
}

/** A form that takes a bank account. Its numbers stay in the entry's inputs. */
export interface BankForm extends EntryForm {
  readonly draft: BankDraft;
  readonly isAgreed: boolean;
  readonly onType: (field: string, text: string) => void;
  readonly onAgree: (checked: boolean) => void;
}

/** State of a form that takes a bank account: its entry, what is typed beside it, and the mandate's box. */
export function useBankForm({ bank, prepare, initial, agreeText, onAccount }: BankFormOptions): BankForm {
  const [draft, setDraft] = useState<BankDraft>(initial);
  const [isAgreed, setAgreed] = useState(false);
  const form = useEntryForm({
    kind: 'bank',
    config: bank.entry,
    prepare,
    open: bankProblems(bank, draft, isAgreed, agreeText),
    owner: bankOwner(draft),
    controlOf: (field) => (isOwnerField(field) ? controlId(field) : undefined),
    onEntered: (sent) => onAccount(sent, draft),
  });
  return {
    ...form,
    draft,
    isAgreed,
    onType(field, text) {
      setDraft((before) => ({ ...before, [field]: text }));
      form.mended(controlId(field));
    },
    onAgree(checked) {
      setAgreed(checked);
      form.mended(controlId(MANDATE));
    },
  };
}

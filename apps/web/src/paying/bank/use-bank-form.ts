import type { DebitForm } from '@counterfoil/contract/direct-debit.ts';
import { type FormEvent, useRef, useState } from 'react';
import type { FormProblem } from '../../ui/fields/error-summary.tsx';
import { type BankDraft, bankProblems, MANDATE } from './bank-form-model.ts';

interface BankFormOptions {
  readonly bank: DebitForm;
  readonly initial: BankDraft;
  /** What is said while the mandate's box is not ticked. */
  readonly agreeText: string;
  /** Sends what was typed; the form is busy until then. @returns what it was refused with */
  readonly onSend: (typed: BankDraft) => Promise<FormProblem | undefined>;
}

/** Id of a field's control. */
export const controlId = (name: string): string => `bank-${name}`;

/** State of a form that takes a bank account; a press is sent once at a time. The numbers stay in this page's memory. */
export function useBankForm({ bank, initial, agreeText, onSend }: BankFormOptions) {
  const [draft, setDraft] = useState<BankDraft>(initial);
  const [isAgreed, setAgreed] = useState(false);
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  const open = bankProblems(bank, draft, isAgreed, agreeText);
  const refuse = (list: readonly FormProblem[]) => {
    setProblems(list);
    setAttempt((count) => count + 1);
  };
  const mended = (field: string) =>
    setProblems((before) => before.filter((problem) => problem.field !== controlId(field)));

  const submit = async (): Promise<void> => {
    if (open.length > 0) return refuse(open.map(({ field, text }) => ({ field: controlId(field), text })));
    setBusy(true);
    setProblems([]);
    const told = await onSend(draft);
    if (told !== undefined) refuse([told]);
  };
  return {
    draft,
    isAgreed,
    problems,
    attempt,
    busy,
    missing: open.map(({ label }) => label),
    errorOf: (field: string) => problems.find((problem) => problem.field === controlId(field))?.text,
    onType(field: string, text: string) {
      setDraft((before) => ({ ...before, [field]: text }));
      mended(field);
    },
    onAgree(checked: boolean) {
      setAgreed(checked);
      mended(MANDATE);
    },
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      if (running.current) return;
      running.current = true;
      void submit().finally(() => {
        running.current = false;
        setBusy(false);
      });
    },
  };
}

export type BankForm = ReturnType<typeof useBankForm>;

import type { PaymentDetails, SavingAnswer } from '@counterfoil/contract/payment-methods.ts';
import { browserEntries } from '@counterfoil/gateways/browser-registry.ts';
import { type FormEvent, useRef, useState } from 'react';
import type { FormProblem } from '../../ui/error-summary.tsx';
import { type BankDetails, type BankDraft, bankProblems, MANDATE } from './bank-form-model.ts';
import { methodCalls } from './calls.ts';
import { accountFailure } from './failure-words.ts';
import { leaveTo } from './leave-to.ts';
import { t } from './messages.ts';

interface BankFormOptions {
  readonly details: PaymentDetails;
  readonly bank: BankDetails;
  readonly initial: BankDraft;
  readonly onAnswer: (answer: SavingAnswer) => Promise<void>;
}

/** Id of a field's control. */
export const controlId = (name: string): string => `bank-${name}`;

/** State of the form that adds a bank account; a press is sent once at a time. */
export function useBankForm({ details, bank, initial, onAnswer }: BankFormOptions) {
  const [draft, setDraft] = useState<BankDraft>(initial);
  const [isAgreed, setAgreed] = useState(false);
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  const open = bankProblems(bank, draft, isAgreed);
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
    try {
      const told = await send(details, bank, draft, onAnswer);
      if (told !== undefined) refuse([told]);
    } catch (error) {
      refuse([{ text: accountFailure(error) }]);
    }
  };
  return {
    ...{ draft, isAgreed, problems, attempt, busy },
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

/**
 * Opens a set-up, has the provider's script make a token of what was typed, and saves it with the agreement to the
 * mandate; or leaves for the gateway's own page where it has one.
 * @returns what the account was refused with before it was sent
 */
async function send(
  { entry, companyName }: PaymentDetails,
  bank: BankDetails,
  draft: BankDraft,
  onAnswer: (answer: SavingAnswer) => Promise<void>,
): Promise<FormProblem | undefined> {
  const setup = await methodCalls.openSetup(bank.scheme);
  if (setup.redirectToUrl !== undefined) {
    await leaveTo(setup.redirectToUrl);
    return undefined;
  }
  const code = entry === null ? undefined : await browserEntries[entry.integrationType]?.();
  const make = code?.createBankEntry;
  if (entry === null || make === undefined) return { text: t('add.noFields', { company: companyName }) };
  const made = await make(entry).tokenise(bank.scheme, draft, setup.config);
  if ('error' in made) {
    return { text: made.error, ...(made.field !== undefined && { field: controlId(made.field) }) };
  }
  const answer = await methodCalls.addAccount({
    ...{ paymentMethodId: made.token, paymentMethodType: bank.scheme, email: draft['email']?.trim() ?? '' },
    ...(bank.mandate !== null && { mandateAccepted: true, mandateVersion: bank.mandate.version }),
  });
  await onAnswer(answer);
  return undefined;
}

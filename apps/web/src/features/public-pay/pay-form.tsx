import type { PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import type { CardEntry, CardEntryState, CardField } from '@counterfoil/gateways/browser-port.ts';
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { formatMoney } from '../../lib/format.ts';
import { readerLocale } from '../../messages/catalogue.ts';
import { t as common } from '../../messages/common.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary, type FormProblem } from '../../ui/error-summary.tsx';
import { SkeletonBox } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { BillingFields } from './billing-fields.tsx';
import { type DraftField, draftFields, type PayDraft } from './draft.ts';
import { t } from './messages.ts';
import styles from './pay.module.css';
import { fieldProblems, initialDraft, typedFields } from './pay-form-model.ts';
import type { Press } from './pay-parts.ts';
import { useCardEntry } from './use-card-entry.ts';

interface PayFormProps {
  readonly info: PaymentInfo;
  readonly settings: NonNullable<PaymentInfo['brandSettings']>;
  readonly kept: PayDraft | undefined;
  readonly submitting: boolean;
  readonly onPay: (press: Press) => Promise<void>;
  /** Whether the last press was refused, for the page's title. */
  readonly onRefused: (refused: boolean) => void;
}

/** Card, card holder, billing address and receipt, and the one button of the page. */
export function PayForm({ info, settings, kept, submitting, onPay, onRefused }: PayFormProps) {
  const { entry, failed, retry } = useCardEntry(settings);
  const [draft, setDraft] = useState(() => initialDraft(info, kept));
  const [card, setCard] = useState<CardEntryState>({ status: 'loading', isComplete: false });
  const [found, setFound] = useState<readonly FormProblem[]>([]);
  const [tries, setTries] = useState(0);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const drawn = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const typed = drawn.current ? typedEarly(drawn.current) : undefined;
    if (typed) setDraft((before) => ({ ...before, ...typed }));
  }, []);
  const reasonId = useId();

  const open = fieldProblems(draft, info);
  const missing = [...(card.isComplete ? [] : [t('form.card')]), ...open.map(({ label }) => label)];
  const isBlocked = missing.length > 0;
  // The provider's inputs tell only all together that they are mended.
  const problems = found.filter(({ focus }) => focus === undefined || !card.isComplete);
  const errorOf = (field: DraftField) => problems.find((problem) => problem.field === field)?.text;
  const refuse = (list: readonly FormProblem[]) => {
    // Inputs that share a trouble ("has not loaded yet") say it once.
    const texts = new Set<string>();
    setFound(list.filter(({ text }) => !texts.has(text) && texts.add(text)));
    setTries((count) => count + 1);
    onRefused(list.length > 0);
  };
  const onType = (field: DraftField, text: string) => {
    setDraft((before) => ({ ...before, [field]: text }));
    // A mended field stops complaining; the others keep their message.
    setFound((before) => before.filter((problem) => problem.field !== field));
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
    onRefused(false);
    const typed = typedFields(draft, info);
    const result = await fields.tokenise(draft.cardHolder.trim(), typed.billingAddress);
    if ('token' in result) await onPay({ cardToken: result.token, draft, ...typed });
    else refuse([{ text: result.error, ...(result.field && { focus: at(result.field) }) }]);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    void submit(entry).finally(() => {
      running.current = false;
      setBusy(false);
    });
  };

  return (
    // Outside a dialog this method sends nothing: before the script has arrived, nothing typed may leave in a URL.
    <form
      ref={drawn}
      className={styles.form}
      method="dialog"
      onSubmit={onSubmit}
      noValidate
      aria-label={t('form.label')}
    >
      <ErrorSummary problems={problems} attempt={tries} />
      {entry ? (
        <entry.Fields onState={setCard} />
      ) : failed ? (
        <p className={styles.cardFailed} role="alert">
          {t('form.cardFailed')}
          <Button onClick={retry}>{common('action.tryAgain')}</Button>
        </p>
      ) : (
        <SkeletonBox className={settings.separateInputs ? styles.cardInputs : styles.cardInput} />
      )}
      <TextInput
        id="cardHolder"
        name="cardHolder"
        label={t('form.holder')}
        optional={info.requiredCardHolder ? undefined : t('form.optional')}
        required={info.requiredCardHolder}
        autoComplete="cc-name"
        maxLength={200}
        value={draft.cardHolder}
        onChange={(event) => onType('cardHolder', event.currentTarget.value)}
        error={errorOf('cardHolder')}
      />
      {info.requiredBillingAddress && <BillingFields draft={draft} onType={onType} errorOf={errorOf} />}
      {info.enabledReceipt && (
        <TextInput
          id="email"
          name="email"
          type="email"
          label={t('form.email')}
          optional={t('form.optional')}
          autoComplete="email"
          maxLength={320}
          value={draft.email}
          onChange={(event) => onType('email', event.currentTarget.value)}
          error={errorOf('email')}
        />
      )}
      <div className={styles.act}>
        <Button
          type="submit"
          variant="primary"
          size="tall"
          wide
          busy={busy || submitting}
          busyLabel={t('form.busy')}
          aria-disabled={isBlocked || undefined}
          aria-describedby={isBlocked ? reasonId : undefined}
        >
          {t('form.submit', { amount: formatMoney(info.total) })}
        </Button>
        {isBlocked && (
          <p className={styles.reason} id={reasonId}>
            {t('form.incomplete', { fields: new Intl.ListFormat(readerLocale()).format(missing) })}
          </p>
        )}
      </div>
    </form>
  );
}

/** What was typed, or filled in by the browser, while the form was markup without a script. */
function typedEarly(form: HTMLFormElement): Partial<PayDraft> {
  const typed = new FormData(form);
  const found = draftFields.map((field) => [field, typed.get(field)] as const);
  return Object.fromEntries(found.filter(([, value]) => typeof value === 'string' && value !== ''));
}

import type { PayState } from '@counterfoil/domain/paying/pay-state.ts';
import type { ComponentType, ReactNode, Ref } from 'react';
import { t as common } from '../../text/common.ts';
import type { SumRow } from '../../ui/data/sum-rows.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { BigAmount } from '../../ui/layout/big-amount.tsx';
import { OutcomeHead, Slip } from '../../ui/layout/slip.tsx';
import type { When } from '../fact-rows.ts';
import { Below, Facts } from '../facts.tsx';
import { otherAmountText, payRestLabel } from '../other-amount.ts';
import { idOf } from '../readings.ts';
import type { PaymentView } from '../view.ts';
import styles from './outcome.module.css';
import { t } from './outcome-messages.ts';
import { ConfirmingSteps, submittedText } from './waiting.tsx';

/** What a payment by link and one of several invoices say in words of their own. */
export interface OutcomeWords {
  /** Being confirmed: the bank has not answered, or nobody knows whether it arrived. */
  readonly confirming: string;
  readonly lost: string;
  /** Below 'Payment submitted': where the end will be seen. */
  readonly submittedAgain: string;
  /** On the button that gives up a step at the bank. */
  readonly startOver: string;
  /** 'You paid … to …'; undefined: the amount is not known. */
  readonly paid: string | undefined;
  /** What a failed payment charged to what. */
  readonly nothing: string;
  readonly advice: string;
}

/** Nobody's card was declined: no other card and no second try will do. */
interface Stuck {
  readonly title: string;
  readonly message: string;
  /** How it can be paid instead. */
  readonly way: ReactNode;
}

/** What differs between the payments whose outcomes look alike. */
export interface OutcomeParts {
  readonly words: OutcomeWords;
  /** What was, or is to be, charged, formatted; undefined while neither is known. */
  readonly amount: string | undefined;
  /** ISO 4217; absent: the brand's. */
  readonly currency?: string | undefined;
  readonly rows: (when: When) => readonly SumRow[];
  readonly stuck?: Stuck | undefined;
  /** Why it failed, further: what was paid meanwhile. */
  readonly why?: ReactNode;
  /** Of a failed payment: what is still to be paid. */
  readonly due?: ReactNode;
  /** What can be kept of a payment that went through. */
  readonly documents?: ReactNode;
  /** The way on from this page. */
  readonly wayOn?: ReactNode;
  readonly onRetry: (() => void) | undefined;
  /** Undefined: nothing is known to be left of what was paid. */
  readonly onPayRest: (() => void) | undefined;
  readonly onContinue: () => void;
  readonly onStartOver: (() => void) | undefined;
}

export interface OutcomeProps {
  readonly view: Omit<PaymentView<unknown>, 'info'>;
  readonly parts: OutcomeParts;
  readonly headingRef: Ref<HTMLHeadingElement>;
}

/** The end is not known yet: what is known, what happens now, and nothing to press. */
function ConfirmingScreen({ view, parts, headingRef }: OutcomeProps) {
  const { outcome, receiptTo, isOffline } = view;
  const { amount, words, rows, wayOn } = parts;
  return (
    <Slip
      top={
        <OutcomeHead tone="confirming" title={t('confirming.title')} headingRef={headingRef}>
          {amount !== undefined && <BigAmount>{amount}</BigAmount>}
          <p>{idOf(outcome) ? words.confirming : words.lost}</p>
        </OutcomeHead>
      }
      bottom={
        <>
          <ConfirmingSteps sentAt={outcome?.at} receiptTo={receiptTo} isOffline={isOffline} />
          <Below rows={rows('fact.sentOn')} />
          {wayOn && <div className={styles.next}>{wayOn}</div>}
        </>
      }
    />
  );
}

/** A bank debit is on its way. */
const SubmittedScreen = ({ view, parts: { amount, words, rows, wayOn }, headingRef }: OutcomeProps) => (
  <Slip
    top={
      <OutcomeHead tone="waiting" title={t('submitted.title')} headingRef={headingRef}>
        {amount !== undefined && <BigAmount>{amount}</BigAmount>}
        <p>{view.outcome?.message ?? submittedText()}</p>
        <p className={styles.muted}>{words.submittedAgain}</p>
      </OutcomeHead>
    }
    bottom={
      <div className={styles.acts}>
        <Facts rows={rows('fact.sentOn')} />
        {wayOn}
      </div>
    }
  />
);

/** The payer's own step at the bank is open. */
function ActionScreen({ view, parts, headingRef }: OutcomeProps) {
  const { isLeaving, isBusy, isOffline } = view;
  const { amount, words, onContinue, onStartOver } = parts;
  const rows = parts.rows('fact.sentOn');
  return (
    <Slip
      top={
        <OutcomeHead
          tone={isLeaving ? 'confirming' : 'waiting'}
          title={t('action.title')}
          headingRef={headingRef}
        >
          {amount !== undefined && <BigAmount>{amount}</BigAmount>}
          <p>{t(isLeaving ? 'action.leaving' : 'action.text')}</p>
          {isOffline && <p role="alert">{t('action.failed')}</p>}
        </OutcomeHead>
      }
      bottom={
        isLeaving ? (
          <Facts rows={rows} />
        ) : (
          <>
            <div className={styles.acts}>
              <Button variant="primary" size="tall" wide busy={isBusy} onClick={onContinue}>
                {t('action.continue')}
              </Button>
              {onStartOver && (
                <Button size="tall" wide onClick={onStartOver}>
                  {words.startOver}
                </Button>
              )}
            </div>
            <Below rows={rows} />
          </>
        )
      }
    />
  );
}

function SuccessScreen({ view, parts, headingRef }: OutcomeProps) {
  const { outcome, receiptTo, stillDue, isBusy } = view;
  const { words, currency, rows, documents, wayOn, onPayRest } = parts;
  const other = outcome && otherAmountText({ ...outcome, stillDue }, currency);
  return (
    <Slip
      top={
        <OutcomeHead tone="paid" title={t('paid.title')} headingRef={headingRef}>
          {words.paid && <p>{words.paid}</p>}
          {other && <p className={styles.strong}>{other}</p>}
          {receiptTo && <p className={styles.muted}>{t('paid.receipt', { email: receiptTo })}</p>}
        </OutcomeHead>
      }
      bottom={
        <div className={styles.acts}>
          <Facts rows={rows('fact.paidOn')} />
          {onPayRest && (
            <Button variant="primary" size="tall" wide busy={isBusy} onClick={onPayRest}>
              {payRestLabel}
            </Button>
          )}
          {documents}
          {wayOn}
        </div>
      }
    />
  );
}

/** A message followed by another sentence needs its full stop; the provider's often has none. */
const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function FailedScreen({ view, parts, headingRef }: OutcomeProps) {
  const { outcome, failure, isBusy } = view;
  const { words, stuck, onRetry } = parts;
  const message = stuck?.message ?? outcome?.message ?? failure?.message;
  return (
    <Slip
      top={
        <OutcomeHead
          tone={stuck ? 'warning' : 'failed'}
          title={stuck?.title ?? t('failed.title')}
          headingRef={headingRef}
        >
          <p>
            {message && <span className={styles.strong}>{asSentence(message)}</span>}{' '}
            {outcome && !message?.includes(t('failed.nothing')) && words.nothing}
          </p>
          {parts.why}
          {!stuck && <p className={styles.muted}>{words.advice}</p>}
          {failure?.requestId && (
            <p className={styles.muted}>
              {common('error.request')} <code className={styles.id}>{failure.requestId}</code>
            </p>
          )}
        </OutcomeHead>
      }
      bottom={
        <>
          <div className={styles.acts}>
            {parts.due}
            {stuck
              ? stuck.way
              : onRetry && (
                  <Button variant="primary" size="tall" wide busy={isBusy} onClick={onRetry}>
                    {common('action.tryAgain')}
                  </Button>
                )}
            {parts.wayOn}
          </div>
          <Below rows={parts.rows('fact.triedOn')} />
        </>
      }
    />
  );
}

/** What is drawn of a payment that has ended, or is waited for. */
export const outcomeScreens = {
  requiresAction: ActionScreen,
  confirming: ConfirmingScreen,
  submitted: SubmittedScreen,
  success: SuccessScreen,
  failed: FailedScreen,
} as const satisfies Partial<Record<PayState, ComponentType<OutcomeProps>>>;

/** A state that has one of these screens. */
export type OutcomeState = keyof typeof outcomeScreens;

export const isOutcome = (state: PayState): state is OutcomeState => state in outcomeScreens;

/** Their titles. */
export const outcomeTitles: Readonly<Record<OutcomeState, string>> = {
  requiresAction: t('action.title'),
  confirming: t('confirming.title'),
  submitted: t('submitted.title'),
  success: t('paid.title'),
  failed: t('failed.title'),
};

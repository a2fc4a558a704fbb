import { BulkStatus } from '@counterfoil/domain/bulk-pay.ts';
import { useEffect, useRef } from 'react';
import { formatMoney } from '../../lib/format.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { t as common } from '../../messages/common.ts';
import { AmountBlock } from '../../ui/amount-block.tsx';
import { Button } from '../../ui/button.tsx';
import { OutcomeHead, Slip } from '../../ui/slip.tsx';
import { isMisconfigured } from '../failure.ts';
import { otherAmountText, payRestLabel } from '../other-amount.ts';
import { OtherWayHere } from '../other-way.tsx';
import { t as other } from '../pay-otherwise-messages.ts';
import { ReceiptButton } from '../receipt-button.tsx';
import styles from './bulk-outcome.module.css';
import type { BulkView } from './bulk-view.ts';
import { invoiceLines, isCharged, stillDueOf } from './intent-rows.ts';
import { t } from './messages.ts';
import { Below, Facts, type OutcomeProps, type ScreenProps, ToInvoices } from './outcome-parts.tsx';
import { amountOf, outcomeRows } from './outcome-rows.ts';
import { ActionScreen, ConfirmingScreen, SubmittedScreen } from './waiting-screens.tsx';

/** The title of how a payment ended or stands; undefined while it can still be paid. */
export function outcomeTitle({ status, actionUrl, isSubmitted, failure }: BulkView): string | undefined {
  if (status === BulkStatus.PAID) return t('paid.title');
  if (status === BulkStatus.FAILED) return t(isMisconfigured(failure) ? 'failed.notHere' : 'failed.title');
  if (actionUrl !== undefined) return t('action.title');
  if (status === BulkStatus.BEING_CONFIRMED) return t(isSubmitted ? 'submitted.title' : 'confirming.title');
  return undefined;
}

/** How a payment ended, or what is being waited for. The heading takes the focus when it comes. */
export function BulkOutcomeScreen(props: OutcomeProps) {
  const { view } = props;
  const title = outcomeTitle(view);
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another outcome
  useEffect(() => heading.current?.focus(), [title]);
  const Screen =
    view.status === BulkStatus.PAID
      ? SuccessScreen
      : view.status === BulkStatus.FAILED
        ? FailedScreen
        : view.actionUrl !== undefined
          ? ActionScreen
          : view.isSubmitted
            ? SubmittedScreen
            : ConfirmingScreen;
  return (
    <div className={styles.page}>
      <Screen {...props} headingRef={heading} />
    </div>
  );
}

function SuccessScreen({ view, headingRef, onRetry, onInvoices }: ScreenProps) {
  const { settings } = usePortal();
  const company = view.intent?.companyName ?? settings.companyName;
  const said = paidText(view, company);
  const payment = view.intent?.receiptOf;
  const reference = view.outcome?.reference;
  const known = view.intent && stillDueOf(view.intent);
  const stillDue = known ?? view.outcome?.stillDue;
  const other = view.outcome && otherAmountText({ ...view.outcome, stillDue }, view.intent?.currency);
  return (
    <Slip
      top={
        <OutcomeHead tone="paid" title={t('paid.title')} headingRef={headingRef}>
          {said && <p>{said}</p>}
          {other && <p className={styles.strong}>{other}</p>}
          {view.receiptTo && <p className={styles.muted}>{t('paid.receipt', { email: view.receiptTo })}</p>}
        </OutcomeHead>
      }
      bottom={
        <div className={styles.acts}>
          <Facts rows={outcomeRows(view, 'fact.paidOn')} />
          {onRetry && Number(known) > 0 && (
            <Button variant="primary" size="tall" wide onClick={onRetry}>
              {payRestLabel}
            </Button>
          )}
          {payment && reference && <ReceiptButton wide size="tall" {...{ payment, reference }} />}
          <ToInvoices onInvoices={onInvoices} />
        </div>
      }
    />
  );
}

/** 'You paid $123.45 to Northline Telecom'; undefined while the amount is not known. */
function paidText(view: BulkView, company: string): string | undefined {
  const { intent } = view;
  if (intent && !isCharged(intent)) {
    const amount = formatMoney(intent.adjustmentsTotal, { currency: intent.currency });
    return t('paid.credit', { amount, company });
  }
  const amount = amountOf(view);
  return amount === undefined ? undefined : t('paid.text', { amount, company });
}

/** A message followed by another sentence needs its full stop; the provider's often has none. */
const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function FailedScreen({ view, headingRef, onRetry, onInvoices }: ScreenProps) {
  const { brand } = usePortal();
  const { outcome, failure, intent } = view;
  // Nobody's card was declined: no other card and no second try will do.
  const isStuck = isMisconfigured(failure);
  const numbers = intent ? invoiceLines(intent).map(({ invoiceNumber }) => invoiceNumber) : [];
  const message = isStuck ? other('unavailable') : (outcome?.message ?? failure?.message);
  const amount = amountOf(view);
  const nothing = outcome?.method ? t('failed.nothingTo', { method: outcome.method }) : t('failed.nothing');
  const contacts = [brand.supportPhone, brand.supportEmail].filter(Boolean).join(', ');
  return (
    <>
      <Slip
        top={
          <OutcomeHead
            tone={isStuck ? 'warning' : 'failed'}
            title={isStuck ? t('failed.notHere') : t('failed.title')}
            headingRef={headingRef}
          >
            <p>
              {message && <span className={styles.strong}>{asSentence(message)}</span>}{' '}
              {outcome && !message?.includes(t('failed.nothing')) && nothing}
            </p>
            {!isStuck && <p className={styles.muted}>{t('failed.advice')}</p>}
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
              {amount !== undefined && <AmountBlock label={t('failed.stillToPay')} amount={amount} />}
              {isStuck ? (
                <OtherWayHere numbers={numbers} />
              ) : (
                onRetry && (
                  <Button variant="primary" size="tall" wide onClick={onRetry}>
                    {common('action.tryAgain')}
                  </Button>
                )
              )}
              <ToInvoices onInvoices={onInvoices} />
            </div>
            <Below rows={outcomeRows(view, 'fact.triedOn')} />
          </>
        }
      />
      {contacts && !isStuck && <p className={styles.foot}>{t('foot.support', { contacts })}</p>}
    </>
  );
}

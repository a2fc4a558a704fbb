import { useEffect, useRef } from 'react';
import { type Portal, usePortal } from '../../lib/portal/portal-context.ts';
import { formatMoney } from '../../text/format.ts';
import { Button } from '../../ui/fields/button.tsx';
import { AmountBlock } from '../../ui/layout/amount-block.tsx';
import { OtherWayHere } from '../otherwise/other-way.tsx';
import { t as other } from '../otherwise/pay-otherwise-messages.ts';
import { isMisconfigured, isPaused } from '../outcome/failure.ts';
import { t as shared } from '../outcome/outcome-messages.ts';
import { isOutcome, type OutcomeParts, outcomeScreens, outcomeTitles } from '../outcome/outcome-screens.tsx';
import { ReceiptButton } from '../outcome/receipt-button.tsx';
import styles from './bulk-outcome.module.css';
import type { BulkView } from './bulk-payment.ts';
import { invoiceLines, isCharged, stillDueOf } from './intent-rows.ts';
import { t } from './messages.ts';
import { amountOf, outcomeRows } from './outcome-rows.ts';

interface BulkOutcomeProps {
  readonly view: BulkView;
  /** Undefined where nothing is known to pay again. */
  readonly onRetry: (() => void) | undefined;
  readonly onContinue: () => void;
  readonly onStartOver: (() => void) | undefined;
  readonly onInvoices: () => void;
}

/** Nobody's card was declined: no other card and no second try will do. */
const isStuck = ({ state, failure }: BulkView): boolean =>
  state === 'failed' && (isMisconfigured(failure) || isPaused(failure));

/** The title of how a payment ended or stands; undefined while it can still be paid. */
export function outcomeTitle(view: BulkView): string | undefined {
  if (isStuck(view)) return t('failed.notHere');
  return isOutcome(view.state) ? outcomeTitles[view.state] : undefined;
}

/** How a payment ended, or what is being waited for. The heading takes the focus when it comes. */
export function BulkOutcomeScreen(props: BulkOutcomeProps) {
  const { view } = props;
  const portal = usePortal();
  const title = outcomeTitle(view);
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another outcome
  useEffect(() => heading.current?.focus(), [title]);
  if (!isOutcome(view.state)) return null;
  const Screen = outcomeScreens[view.state];
  const foot = footOf(view, portal);
  return (
    <div className={styles.page}>
      <Screen view={view} parts={partsOf(props, portal)} headingRef={heading} />
      {foot && <p className={styles.foot}>{foot}</p>}
    </div>
  );
}

/** The brand's word for invoices, within a sentence. */
const labelOf = ({ settings }: Portal): string => settings.invoiceLabelPlural.toLocaleLowerCase();

function footOf(view: BulkView, portal: Portal): string | undefined {
  if (view.state === 'confirming') return t('confirming.leave', { label: labelOf(portal) });
  const { supportPhone, supportEmail } = portal.brand;
  const contacts = [supportPhone, supportEmail].filter(Boolean).join(', ');
  return view.state === 'failed' && contacts && !isStuck(view)
    ? shared('foot.support', { contacts })
    : undefined;
}

function partsOf({ view, ...acts }: BulkOutcomeProps, portal: Portal): OutcomeParts {
  const { info: intent, outcome } = view;
  const { settings } = portal;
  const label = labelOf(portal);
  const amount = amountOf(view);
  const numbers = intent ? invoiceLines(intent).map(({ invoiceNumber }) => invoiceNumber) : [];
  const [payment, reference] = [intent?.receiptOf, outcome?.reference];
  const isLeft = intent !== undefined && Number(stillDueOf(intent)) > 0;
  return {
    words: {
      confirming: t('confirming.text', { label }),
      lost: t('confirming.lost', { label }),
      submittedAgain: t('submitted.again', { label }),
      startOver: t('action.startOver'),
      paid: paidText(view, intent?.companyName ?? settings.companyName),
      nothing: outcome?.method ? t('failed.nothingTo', { method: outcome.method }) : shared('failed.nothing'),
      advice: t('failed.advice'),
    },
    amount,
    currency: intent?.currency,
    rows: (when) => outcomeRows(view, when),
    stuck: isStuck(view)
      ? {
          title: t('failed.notHere'),
          message: other(isPaused(view.failure) ? 'paused' : 'unavailable'),
          way: <OtherWayHere numbers={numbers} />,
        }
      : undefined,
    due: amount !== undefined && <AmountBlock label={shared('failed.stillToPay')} amount={amount} />,
    documents: payment && reference && <ReceiptButton wide size="tall" {...{ payment, reference }} />,
    // To the invoices, whose states are new.
    wayOn: (
      <Button size="tall" wide onClick={acts.onInvoices}>
        {t('act.toInvoices', { label: settings.invoiceLabelPlural })}
      </Button>
    ),
    onRetry: acts.onRetry,
    onPayRest: isLeft ? acts.onRetry : undefined,
    onContinue: acts.onContinue,
    onStartOver: acts.onStartOver,
  };
}

/** 'You paid $123.45 to Northline Telecom'; undefined while the amount is not known. */
function paidText(view: BulkView, company: string): string | undefined {
  const { info: intent } = view;
  if (intent && !isCharged(intent)) {
    const amount = formatMoney(intent.adjustmentsTotal, { currency: intent.currency });
    return t('paid.credit', { amount, company });
  }
  const amount = amountOf(view);
  return amount === undefined ? undefined : shared('paid.text', { amount, company });
}

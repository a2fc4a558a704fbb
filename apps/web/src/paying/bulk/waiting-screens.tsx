import { usePortal } from '../../lib/portal/portal-context.ts';
import { BigAmount } from '../../ui/big-amount.tsx';
import { Button } from '../../ui/button.tsx';
import { OutcomeHead, Slip } from '../../ui/slip.tsx';
import { ConfirmingSteps, submittedText } from '../waiting.tsx';
import styles from './bulk-outcome.module.css';
import { t } from './messages.ts';
import { Below, Facts, type ScreenProps, ToInvoices } from './outcome-parts.tsx';
import { amountOf, outcomeRows } from './outcome-rows.ts';

/** The brand's word for invoices, within a sentence. */
const useLabel = (): string => usePortal().settings.invoiceLabelPlural.toLocaleLowerCase();

/** The end is not known yet: what is known, what happens now, and nothing to press. */
export function ConfirmingScreen({ view, headingRef, onInvoices }: ScreenProps) {
  const { outcome, receiptTo, isOffline } = view;
  const label = useLabel();
  const amount = amountOf(view);
  return (
    <>
      <Slip
        top={
          <OutcomeHead tone="confirming" title={t('confirming.title')} headingRef={headingRef}>
            {amount !== undefined && <BigAmount>{amount}</BigAmount>}
            <p>{t(outcome?.reference ? 'confirming.text' : 'confirming.lost', { label })}</p>
          </OutcomeHead>
        }
        bottom={
          <>
            <ConfirmingSteps sentAt={outcome?.at} receiptTo={receiptTo} isOffline={isOffline} />
            <Below rows={outcomeRows(view, 'fact.sentOn')} />
            <div className={styles.next}>
              <ToInvoices onInvoices={onInvoices} />
            </div>
          </>
        }
      />
      <p className={styles.foot}>{t('confirming.leave', { label })}</p>
    </>
  );
}

/** A bank debit is on its way. */
export function SubmittedScreen({ view, headingRef, onInvoices }: ScreenProps) {
  const label = useLabel();
  const amount = amountOf(view);
  return (
    <Slip
      top={
        <OutcomeHead tone="waiting" title={t('submitted.title')} headingRef={headingRef}>
          {amount !== undefined && <BigAmount>{amount}</BigAmount>}
          <p>{submittedText()}</p>
          <p className={styles.muted}>{t('submitted.again', { label })}</p>
        </OutcomeHead>
      }
      bottom={
        <div className={styles.acts}>
          <Facts rows={outcomeRows(view, 'fact.sentOn')} />
          <ToInvoices onInvoices={onInvoices} />
        </div>
      }
    />
  );
}

/** The payer's own step at the bank is open. */
export function ActionScreen({ view, headingRef, onContinue, onStartOver }: ScreenProps) {
  const { isLeaving, isBusy, isOffline } = view;
  const amount = amountOf(view);
  const rows = outcomeRows(view, 'fact.sentOn');
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
                  {t('action.startOver')}
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

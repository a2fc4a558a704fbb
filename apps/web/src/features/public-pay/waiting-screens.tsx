import { formatMoney } from '../../lib/format.ts';
import { t as common } from '../../messages/common.ts';
import { ConfirmingSteps, submittedText } from '../../paying/waiting.tsx';
import { BigAmount } from '../../ui/big-amount.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { OutcomeHead, Slip } from '../../ui/slip.tsx';
import { SumRows } from '../../ui/sum-rows.tsx';
import { t } from './outcome-messages.ts';
import { outcomeRows } from './outcome-rows.ts';
import styles from './pay.module.css';
import type { ScreenProps } from './screen-props.ts';

/** The end is not known yet: what is known, what happens now, and nothing to press. */
export function ConfirmingScreen({ view, label, headingRef }: ScreenProps) {
  const { info, outcome, receiptTo, isOffline } = view;
  const amount = outcome?.amount ?? info?.total;
  return (
    <Slip
      top={
        <OutcomeHead tone="confirming" title={t('confirming.title')} headingRef={headingRef}>
          {amount !== undefined && <BigAmount>{formatMoney(amount)}</BigAmount>}
          <p>{outcome?.attemptId ? t('confirming.text') : t('confirming.lost')}</p>
        </OutcomeHead>
      }
      bottom={
        <>
          <ConfirmingSteps sentAt={outcome?.at} receiptTo={receiptTo} isOffline={isOffline} />
          <div className={styles.below}>
            <SumRows look="ruled" rows={outcomeRows({ info, outcome, label, when: 'fact.sentOn' })} />
          </div>
        </>
      }
    />
  );
}

/** A bank debit is on its way. */
export const SubmittedScreen = ({ view, label, headingRef }: ScreenProps) => (
  <Slip
    top={
      <OutcomeHead tone="waiting" title={t('submitted.title')} headingRef={headingRef}>
        {view.outcome?.amount !== undefined && <BigAmount>{formatMoney(view.outcome.amount)}</BigAmount>}
        <p>{view.outcome?.message ?? submittedText()}</p>
        <p className={styles.muted}>{t('submitted.again')}</p>
      </OutcomeHead>
    }
    bottom={
      <SumRows
        look="ruled"
        rows={outcomeRows({ info: view.info, outcome: view.outcome, label, when: 'fact.sentOn' })}
      />
    }
  />
);

/** The payer's own step at the bank is open. */
export function ActionScreen({ view, label, headingRef, onContinue, onStartOver }: ScreenProps) {
  const { info, outcome, isLeaving, isBusy, isOffline } = view;
  const rows = <SumRows look="ruled" rows={outcomeRows({ info, outcome, label, when: 'fact.sentOn' })} />;
  return (
    <Slip
      top={
        <OutcomeHead
          tone={isLeaving ? 'confirming' : 'waiting'}
          title={t('action.title')}
          headingRef={headingRef}
        >
          {outcome?.amount !== undefined && <BigAmount>{formatMoney(outcome.amount)}</BigAmount>}
          <p>{isLeaving ? t('action.leaving') : t('action.text')}</p>
          {isOffline && <p role="alert">{t('action.failed')}</p>}
        </OutcomeHead>
      }
      bottom={
        isLeaving ? (
          rows
        ) : (
          <>
            <div className={styles.acts}>
              <Button variant="primary" size="tall" wide busy={isBusy} onClick={onContinue}>
                {t('action.continue')}
              </Button>
              <Button size="tall" wide onClick={onStartOver}>
                {t('action.startOver')}
              </Button>
            </div>
            <div className={styles.below}>{rows}</div>
          </>
        )
      }
    />
  );
}

/** 'Try again' of a page that has nothing else to do. */
export const RetryButton = ({ view, onRetry }: Pick<ScreenProps, 'view' | 'onRetry'>) => (
  <Button size="tall" wide busy={view.isBusy} onClick={onRetry}>
    <Icon name="retry" />
    {common('action.tryAgain')}
  </Button>
);

import type { PayState } from '@counterfoil/domain/paying/pay-state.ts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Lockup } from '../../brand/lockup.tsx';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import type { CardDraft } from '../../paying/card/card-draft.ts';
import { setBrandCurrency } from '../../text/format.ts';
import { Button } from '../../ui/fields/button.tsx';
import { OutcomeHead, Slip } from '../../ui/layout/slip.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { LongWaitNote } from '../../ui/overlays/long-wait.tsx';
import { SpinnerOverlay } from '../../ui/overlays/spinner.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import type { PartStore } from './form/draft.ts';
import { PayFoot } from './form/pay-foot.tsx';
import { PaySlip } from './form/pay-slip.tsx';
import { useSaveOffer } from './form/use-save-offer.ts';
import type { PricedSubmission } from './link/pay-link.ts';
import { LoadingScreen } from './loading-screen.tsx';
import { t } from './messages.ts';
import type { Outcomes } from './outcome/outcomes.tsx';
import styles from './pay.module.css';
import type { PayView } from './pay-view.ts';

/** What the page asks of the payment. */
export interface PayControl {
  readonly view: () => PayView;
  readonly subscribe: (listener: () => void) => () => void;
  readonly submit: (submission: PricedSubmission) => Promise<void>;
  readonly retry: () => Promise<void>;
  readonly resume: () => Promise<void>;
  readonly startOver: () => void;
}

interface PayPageProps {
  readonly flow: PayControl;
  /** What is drawn of the states behind the form; there as soon as there can be one. */
  readonly outcomes: () => Outcomes | undefined;
  /** The page stands: what changes it may come now. */
  readonly onShown?: () => void;
  /** What was typed before a visit at the bank. */
  readonly kept: CardDraft | undefined;
  /** Where a typed part amount outlives a reload. */
  readonly part?: PartStore;
}

/** States in which what was typed may be needed again: the form is then hidden, not gone. */
const keepsForm: ReadonlySet<PayState> = new Set([
  'form',
  'submitting',
  'confirming',
  'requiresAction',
  'failed',
  'loading',
]);

/** The page of one invoice's pay link: one slip, whatever state it is in. */
export function PayPage({ flow, outcomes, kept, part, onShown }: PayPageProps) {
  const view = useSyncExternalStore(flow.subscribe, flow.view, flow.view);
  useEffect(() => onShown?.(), [onShown]);
  const { state, info } = view;
  const form = useFormKept(state);
  const heading = useOutcomeFocus(state);
  const saving = useSaveOffer(info?.uid, state);
  const isForm = state === 'form' || state === 'submitting';
  const after = outcomes();
  const Screen = after?.screens[state];
  /** The brand's word for one invoice. */
  const label = runtimeConfig.brand?.invoiceLabelSingular ?? t('label.invoice');
  const brandName = info?.brandName ?? runtimeConfig.brand?.name ?? '';
  if (info) {
    setBrandCurrency({
      code: info.currency,
      symbol: info.currencySymbol.replace(/ $/, '\u00a0'),
      digits: info.moneyDigits,
    });
  }
  useTitle(after?.headingOf(state) ?? pageTitle(view, label), brandName);

  return (
    <main className={styles.pay}>
      <div className={styles.brand}>
        <Lockup brandId={runtimeConfig.brand?.id ?? 0} name={brandName} nameClass={styles.brandName} />
      </div>
      <VisuallyHidden role="status">{after?.announcementOf(view)}</VisuallyHidden>
      {info && (info.brandSettings ?? info.bank) && form && (
        <div hidden={!isForm} inert={state === 'submitting'}>
          <PaySlip
            {...{ info, label, kept, part }}
            submitting={state === 'submitting'}
            onPay={(submission, price) => flow.submit({ ...submission, price })}
            choice={saving.choice}
            isKept={saving.isWanted}
            onKept={saving.onCard}
            notice={<Notice view={view} />}
          />
        </div>
      )}
      {state === 'loading' && (view.isIncomplete ? <IncompleteScreen /> : <LoadingScreen />)}
      {Screen && (
        <Screen
          view={view}
          label={label}
          headingRef={heading}
          onRetry={() => void flow.retry()}
          onContinue={() => void flow.resume()}
          onStartOver={() => flow.startOver()}
        />
      )}
      {state === 'success' && saving.endText && (
        <p className={styles.told} role="status">
          {saving.endText}
        </p>
      )}
      {isForm ? <PayFoot view={view} /> : Screen && after && <after.Foot view={view} />}
      {state === 'submitting' && <SpinnerOverlay label={t('busy.paying')} bare />}
      <LongWaitNote />
    </main>
  );
}

/** True from the first time the form is shown until the payment has ended well. */
function useFormKept(state: PayState): boolean {
  const [shown, setShown] = useState(false);
  const isShown = state === 'form' || (shown && keepsForm.has(state));
  if (isShown !== shown) setShown(isShown);
  return isShown;
}

/** An outcome that arrives takes the focus; one the page begins with does not. */
function useOutcomeFocus(state: PayState) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state && before.current !== 'loading') heading.current?.focus();
    before.current = state;
  }, [state]);
  return heading;
}

function pageTitle({ info }: PayView, label: string): string {
  if (info === undefined) return t('title.loading');
  return t('title.pay', { label: label.toLocaleLowerCase(), number: info.InvoiceNumber });
}

const ReloadButton = () => (
  <Button size="tall" wide onClick={() => globalThis.location.reload()}>
    {t('incomplete.reload')}
  </Button>
);

/** The code that loads, pays and waits did not come before there was a form. */
const IncompleteScreen = () => (
  <Slip
    top={
      <OutcomeHead tone="warning" title={t('incomplete.title')}>
        <p role="alert">{t('incomplete.loading')}</p>
      </OutcomeHead>
    }
    bottom={<ReloadButton />}
  />
);

/** What has happened while the form stood. */
const Notice = ({ view: { isIncomplete, isDueChanged, info } }: { readonly view: PayView }) =>
  isIncomplete ? (
    <IncompleteNotice />
  ) : (
    <p role="status">{isDueChanged ? t('form.dueChanged') : info?.attempt?.asked && t('form.partTaken')}</p>
  );

/** It did not come behind the form: nothing can be sent, and only a new load helps. */
const IncompleteNotice = () => (
  <>
    <p className={styles.wrong} role="alert">
      {t('incomplete.title')}. {t('incomplete.loading')}
    </p>
    <ReloadButton />
  </>
);

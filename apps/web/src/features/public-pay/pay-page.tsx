import type { PublicPayState } from '@counterfoil/domain/public-pay.ts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Lockup } from '../../brand/lockup.tsx';
import type { CardDraft } from '../../lib/card-entry/card-draft.ts';
import { setBrandCurrency } from '../../lib/format.ts';
import { runtimeConfig } from '../../lib/runtime-config.ts';
import { SpinnerOverlay } from '../../ui/spinner.tsx';
import { useTitle } from '../../ui/title.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from './messages.ts';
import styles from './pay.module.css';
import type { PayFlow } from './pay-flow.ts';
import { PayFoot } from './pay-foot.tsx';
import { PaySlip } from './pay-slip.tsx';
import type { PayView } from './pay-view.ts';
import { screens } from './screens.tsx';

interface PayPageProps {
  readonly flow: PayFlow;
  /** What was typed before a visit at the bank. */
  readonly kept: CardDraft | undefined;
}

/** States in which what was typed may be needed again: the form is then hidden, not gone. */
const keepsForm: ReadonlySet<PublicPayState> = new Set([
  'form',
  'submitting',
  'confirming',
  'requiresAction',
  'failed',
  'loading',
]);

/** The page of one invoice's pay link: one slip, whatever state it is in. */
export function PayPage({ flow, kept }: PayPageProps) {
  const view = useSyncExternalStore(flow.subscribe, flow.view, flow.view);
  const [refused, setRefused] = useState(false);
  const { state, info } = view;
  const settings = info?.brandSettings;
  const form = useFormKept(state);
  const heading = useOutcomeFocus(state);
  const isForm = state === 'form' || state === 'submitting';
  const Screen = screens[state];
  /** The brand's word for one invoice. */
  const label = runtimeConfig.brand?.invoiceLabelSingular ?? t('label.invoice');
  const brandName = info?.brandName ?? runtimeConfig.brand?.name ?? '';
  if (info) {
    setBrandCurrency({ code: info.currency, symbol: info.currencySymbol.replace(/ $/, '\u00a0') });
  }
  useTitle(pageTitle(view, label, refused), brandName);

  return (
    <main className={styles.pay}>
      <div className={styles.brand}>
        <Lockup brandId={runtimeConfig.brand?.id ?? 0} name={brandName} nameClass={styles.brandName} />
      </div>
      <VisuallyHidden role="status">{isForm ? '' : announcement(view)}</VisuallyHidden>
      {info && settings && form && (
        <div hidden={!isForm} inert={state === 'submitting'}>
          <PaySlip
            {...{ info, settings, label, kept }}
            submitting={state === 'submitting'}
            onPay={(press, price) => flow.submit(press, price)}
            onRefused={setRefused}
          />
        </div>
      )}
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
      <PayFoot view={view} />
      {state === 'submitting' && <SpinnerOverlay label={t('busy.paying')} />}
    </main>
  );
}

/** True from the first time the form is shown until the payment has ended well. */
function useFormKept(state: PublicPayState): boolean {
  const [shown, setShown] = useState(false);
  const isShown = state === 'form' || (shown && keepsForm.has(state));
  if (isShown !== shown) setShown(isShown);
  return isShown;
}

/** An outcome that arrives takes the focus; one the page begins with does not. */
function useOutcomeFocus(state: PublicPayState) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state && before.current !== 'loading') heading.current?.focus();
    before.current = state;
  }, [state]);
  return heading;
}

const headings: Partial<Record<PublicPayState, string>> = {
  loadFailed: t('pay.failed'),
  misconfigured: t('misconfigured.title'),
  credited: t('credited.title'),
  paid: t('paid.title'),
  requiresAction: t('action.title'),
  confirming: t('confirming.title'),
  submitted: t('submitted.title'),
  success: t('pay.successful'),
  failed: t('pay.failed'),
};

function pageTitle({ state, info }: PayView, label: string, refused: boolean): string {
  const heading = headings[state];
  if (heading !== undefined) return heading;
  if (info === undefined) return t('title.loading');
  const title = t('title.pay', { label: label.toLocaleLowerCase(), number: info.InvoiceNumber });
  return refused ? t('title.error', { title }) : title;
}

/** Said by screen readers when the state changes. */
function announcement({ state, failure, outcome }: PayView): string {
  const heading = headings[state];
  if (heading === undefined) return '';
  const message = state === 'loadFailed' ? failure?.message : outcome?.message;
  return state === 'loadFailed' || state === 'failed'
    ? [heading, message].filter(Boolean).join('. ')
    : heading;
}

import { useEffect, useState } from 'react';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { toPayAgain } from '../../paying/bulk/intent-rows.ts';
import { BulkOutcomeScreen, outcomeTitle } from '../../paying/bulk/outcome-screens.tsx';
import { useBulkFlow } from '../../paying/bulk/use-bulk-flow.ts';
import { useBulkPay, useToInvoices } from '../../paying/bulk/use-bulk-pay.ts';
import { useTitle } from '../../ui/layout/title.ts';
import { SpinnerOverlay } from '../../ui/overlays/spinner.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from './messages.ts';
import { keptSearch, returnedFrom } from './returned.ts';

/** The payer is back from the bank: the server is asked how the payment ended (specification, payments §2). */
export default function PaymentResultPage() {
  const { brand } = usePortal();
  const [returned] = useState(() => returnedFrom(globalThis.location.search));
  const { flow, view } = useBulkFlow({ returned });
  const payAgain = useBulkPay();
  const toInvoices = useToInvoices();
  useEffect(() => {
    if (returned === undefined) return toInvoices({ replace: true });
    const { history, location } = globalThis;
    history.replaceState(history.state, '', `${location.pathname}${keptSearch(returned)}`);
  }, [returned, toInvoices]);
  const outcome = outcomeTitle(view);
  useTitle(outcome ?? t('title'), brand.name);

  if (outcome === undefined) {
    return (
      <>
        <VisuallyHidden>
          <h1>{t('title')}</h1>
        </VisuallyHidden>
        <SpinnerOverlay label={t('asking')} />
      </>
    );
  }
  const again = view.info ? toPayAgain(view.info) : [];
  const retry = again.length > 0 ? () => payAgain(again, { replace: true }) : undefined;
  return (
    <BulkOutcomeScreen
      view={view}
      onRetry={retry}
      onContinue={() => void flow.resume()}
      onStartOver={retry}
      onInvoices={() => toInvoices()}
    />
  );
}

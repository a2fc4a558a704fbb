import type { Ref } from 'react';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { Button } from '../../ui/button.tsx';
import { type SumRow, SumRows } from '../../ui/sum-rows.tsx';
import styles from './bulk-outcome.module.css';
import type { BulkView } from './bulk-view.ts';
import { t } from './messages.ts';

export interface OutcomeProps {
  readonly view: BulkView;
  /** Undefined where nothing is known to pay again. */
  readonly onRetry: (() => void) | undefined;
  readonly onContinue: () => void;
  readonly onStartOver: (() => void) | undefined;
  readonly onInvoices: () => void;
}

export interface ScreenProps extends OutcomeProps {
  readonly headingRef: Ref<HTMLHeadingElement>;
}

/** Rows that may be many scroll in their own box, by keyboard too. */
export const Facts = ({ rows }: { readonly rows: readonly SumRow[] }) =>
  rows.length > 12 ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a focus, a keyboard could not scroll it
    <section className={styles.rows} tabIndex={0} aria-label={t('facts.label')}>
      <SumRows look="ruled" rows={rows} />
    </section>
  ) : (
    <SumRows look="ruled" rows={rows} />
  );

/** The way on: to the invoices, whose states are new. */
export function ToInvoices({ onInvoices }: Pick<OutcomeProps, 'onInvoices'>) {
  const { settings } = usePortal();
  return (
    <Button size="tall" wide onClick={onInvoices}>
      {t('act.toInvoices', { label: settings.invoiceLabelPlural })}
    </Button>
  );
}

/** Facts under a line; no line where nothing is known. */
export const Below = ({ rows }: { readonly rows: readonly SumRow[] }) =>
  rows.length > 0 && (
    <div className={styles.below}>
      <Facts rows={rows} />
    </div>
  );

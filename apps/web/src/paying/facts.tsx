import { type SumRow, SumRows } from '../ui/data/sum-rows.tsx';
import styles from './outcome/outcome.module.css';
import { t } from './outcome/outcome-messages.ts';

interface FactsProps {
  readonly rows: readonly SumRow[];
}

/** Rows that may be many scroll in their own box, by keyboard too. */
export const Facts = ({ rows }: FactsProps) =>
  rows.length > 12 ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a focus, a keyboard could not scroll it
    <section className={styles.rows} tabIndex={0} aria-label={t('facts.label')}>
      <SumRows look="ruled" rows={rows} />
    </section>
  ) : (
    <SumRows look="ruled" rows={rows} />
  );

/** Facts under a line; no line where nothing is known. */
export const Below = ({ rows }: FactsProps) =>
  rows.length > 0 && (
    <div className={styles.below}>
      <Facts rows={rows} />
    </div>
  );

import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { SkeletonBox } from '../../ui/layout/skeleton.tsx';
import styles from './entry.module.css';
import { t } from './messages.ts';
import type { EntryForm } from './use-entry-form.ts';

/** The inputs of an entry, or the provider's page; until they come, a block of their size. */
export function EntryFields({ form }: { readonly form: EntryForm }) {
  const { entry, config, hasFailed, retry, onState, busy } = form;
  if (entry) return <entry.Fields onState={onState} disabled={busy} />;
  if (hasFailed)
    return (
      <p className={styles.failed} role="alert">
        {t('failed')}
        <Button onClick={retry}>{common('action.tryAgain')}</Button>
      </p>
    );
  return <SkeletonBox className={config.separateInputs ? styles.threeInputs : styles.oneInput} />;
}

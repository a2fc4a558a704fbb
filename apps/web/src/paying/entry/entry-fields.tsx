import { StatusLine } from '@counterfoil/gateways/kit/browser/field-parts.tsx';
import { SkeletonBox } from '../../ui/layout/skeleton.tsx';
import styles from './entry.module.css';
import { t } from './messages.ts';
import { type EntryForm, keepsTyped } from './use-entry-form.ts';

/** The inputs of an entry, or the provider's page; until they come, a block of their size. */
export function EntryFields({ form }: { readonly form: EntryForm }) {
  const { entry, config, preparation, renew, hasFailed, retry, onState, busy } = form;
  if (hasFailed) return <StatusLine status="failed" failed={t('failed')} onRetry={retry} />;
  const prepared = preparation.is === 'ready' ? preparation.prepared : undefined;
  const fields = entry && (
    <entry.Fields onState={onState} disabled={busy} prepared={prepared} onReload={() => void renew()} />
  );
  if (keepsTyped(config) && fields) return fields;
  if (preparation.is === 'failed')
    return <StatusLine status="failed" failed={t('prepare.failed')} onRetry={() => void renew()} />;
  if (preparation.is === 'expired')
    return (
      <StatusLine
        status="failed"
        failed={t('prepare.expired')}
        retry={t('prepare.again')}
        onRetry={() => void renew()}
      />
    );
  if (!fields || preparation.is === 'loading') return <SkeletonBox className={sizeOf(config)} />;
  return fields;
}

const sizeOf = ({ how, separateInputs }: EntryForm['config']): string | undefined => {
  if (how === 'providerFrame') return styles.frame;
  return how === 'providerFields' && !separateInputs ? styles.oneInput : styles.threeInputs;
};

import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SkeletonBox } from '../../ui/layout/skeleton.tsx';
import styles from './entry.module.css';
import { t } from './messages.ts';
import { type EntryForm, keepsTyped } from './use-entry-form.ts';

/** The inputs of an entry, or the provider's page; until they come, a block of their size. */
export function EntryFields({ form }: { readonly form: EntryForm }) {
  const { entry, config, preparation, renew, hasFailed, retry, onState, busy } = form;
  if (hasFailed) return <Trouble text={t('failed')} act={common('action.tryAgain')} onAct={retry} />;
  const prepared = preparation.is === 'ready' ? preparation.prepared : undefined;
  const fields = entry && (
    <entry.Fields onState={onState} disabled={busy} prepared={prepared} onReload={() => void renew()} />
  );
  if (keepsTyped(config) && fields) return fields;
  if (preparation.is === 'failed')
    return <Trouble text={t('prepare.failed')} act={common('action.tryAgain')} onAct={() => void renew()} />;
  if (preparation.is === 'expired')
    return <Trouble text={t('prepare.expired')} act={t('prepare.again')} onAct={() => void renew()} />;
  if (!fields || preparation.is === 'loading') return <SkeletonBox className={sizeOf(config)} />;
  return fields;
}

const sizeOf = ({ how, separateInputs }: EntryForm['config']): string | undefined => {
  if (how === 'providerFrame') return styles.frame;
  return how === 'providerFields' && !separateInputs ? styles.oneInput : styles.threeInputs;
};

interface TroubleProps {
  readonly text: string;
  readonly act: string;
  readonly onAct: () => void;
}

const Trouble = ({ text, act, onAct }: TroubleProps) => (
  <div className={styles.failed} role="alert">
    <Icon name="alert" />
    <p>{text}</p>
    <Button onClick={onAct}>{act}</Button>
  </div>
);

import type { PaymentDetails, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { methodName } from '../../../paying/methods/method-words.ts';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.tsx';
import { methodCalls } from '../calls.ts';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';
import { nextDefault } from './next-default.ts';

interface RemoveDialogProps {
  readonly source: SavedSource;
  /** All that is saved, the oldest of each kind first. */
  readonly sources: readonly SavedSource[];
  readonly paths: NonNullable<PaymentDetails['paths']>;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before a method is removed, and says what that means for the default. */
export function RemoveDialog({ source, sources, paths, onDone, onClose }: RemoveDialogProps) {
  const method = methodName(source);
  const next = source.isDefault ? nextDefault(sources.filter(({ id }) => id !== source.id)) : undefined;
  const remove = async () => {
    await methodCalls.remove(paths, source);
    await onDone();
  };
  return (
    <ConfirmDialog
      title={t('remove.title', { method })}
      act={t('remove.act')}
      busyAct={t('remove.busy')}
      onConfirm={remove}
      onClose={onClose}
    >
      <div className={styles.words}>
        <p>{t('remove.text')}</p>
        {source.isDefault && (
          <p>{next ? t('remove.next', { method: methodName(next) }) : t('remove.last')}</p>
        )}
      </div>
    </ConfirmDialog>
  );
}

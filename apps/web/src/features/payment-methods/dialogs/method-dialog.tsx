import type {
  PaymentDetails,
  SavedSource,
  SetupAnswer,
} from '@counterfoil/contract/paying/payment-methods.ts';
import { usePortal } from '../../../lib/portal/portal-context.ts';
import { methodTitle } from '../../../paying/methods/method-words.ts';
import { t } from '../messages.ts';
import type { Notice } from '../use-setup.ts';
import { AddBankDialog } from './add-bank-dialog.tsx';
import { AddCardDialog } from './add-card-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

/** Which modal is open, and on what. */
export type OpenDialog =
  | { readonly is: 'addCard' | 'addBank' }
  | {
      readonly is: 'edit';
      readonly source: SavedSource;
      readonly edit: readonly string[];
      readonly needs: readonly string[];
    }
  | { readonly is: 'remove' | 'verify'; readonly source: SavedSource };

interface MethodDialogProps {
  readonly dialog: OpenDialog;
  readonly details: PaymentDetails;
  readonly sources: readonly SavedSource[];
  readonly tell: (notice: Notice) => void;
  /** Brings a setup to its end. */
  readonly take: (answer: SetupAnswer, close: () => void) => Promise<void>;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

/** The modals of the page. Each is gone when it is closed, and with it what was typed. */
export function MethodDialog({ dialog, details, sources, tell, take, refresh, onClose }: MethodDialogProps) {
  const { me } = usePortal();
  const { paths, bank } = details;
  const onAnswer = (answer: SetupAnswer) => take(answer, onClose);
  const after = async (text: string | undefined) => {
    await refresh();
    onClose();
    if (text !== undefined) tell({ tone: 'success', text });
  };
  if (paths === null) return null;
  switch (dialog.is) {
    case 'addCard':
      return <AddCardDialog email={me.email} {...{ details, onAnswer, onClose }} />;
    case 'addBank':
      return bank && <AddBankDialog email={me.email} {...{ details, bank, onAnswer, onClose }} />;
    case 'edit':
      return (
        <EditDialog
          {...{ paths, onClose }}
          source={dialog.source}
          edit={dialog.edit}
          needs={dialog.needs}
          onDone={(changed) => after(changed && t('edit.done', { method: methodTitle(changed) }))}
        />
      );
    case 'remove':
      return (
        <RemoveDialog
          {...{ sources, paths, onClose }}
          source={dialog.source}
          onDone={() => after(t('remove.done', { method: methodTitle(dialog.source) }))}
        />
      );
    case 'verify': {
      const { source } = dialog;
      return (
        source.verification && (
          <VerifyDialog {...{ source, onAnswer, onClose }} verification={source.verification} />
        )
      );
    }
  }
}

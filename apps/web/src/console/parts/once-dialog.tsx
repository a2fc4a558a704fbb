import { Button } from '../../ui/fields/button.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from './messages.ts';
import parts from './parts.module.css';

interface OnceDialogProps {
  readonly title: string;
  readonly text: string;
  /** What is shown this once. */
  readonly secret: string;
  readonly onClose: () => void;
}

/** Something that is told once: it stays until it is put away. */
export const OnceDialog = ({ title, text, secret, onClose }: OnceDialogProps) => (
  <Dialog
    title={title}
    open
    locked
    onClose={onClose}
    actions={<Button onClick={onClose}>{t('once.done')}</Button>}
  >
    <div className={parts.secret}>
      <p>{text}</p>
      <code>{secret}</code>
      <CopyButton text={secret} label={t('once.copy')} copied={t('once.copied')} />
      <p className={parts.muted}>{t('once.hint')}</p>
    </div>
  </Dialog>
);

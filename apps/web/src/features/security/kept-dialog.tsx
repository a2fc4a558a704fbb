import { saveFile } from '../../lib/files/save-file.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { Button } from '../../ui/fields/button.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from './messages.ts';
import styles from './security.module.css';

interface KeptDialogProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** The recovery codes, this once: it stays until the person says that they have kept them. */
export function KeptDialog({ codes, onKept }: KeptDialogProps) {
  const { me, brand } = usePortal();
  const head = t('kept.head', { email: me.email, name: brand.companyName });
  const once = t('kept.once', { day: formatMoment(new Date().toISOString(), brand.timeZone).day });
  const text = [head, once, '', ...codes, ''].join('\r\n');
  const download = () => {
    const blob = new Blob([text], { type: 'text/plain;charset=utf-8' });
    saveFile({ blob, fileName: undefined }, t('kept.file', { name: brand.name }));
  };
  return (
    <Dialog
      title={t('kept.title')}
      open
      locked
      onClose={onKept}
      actions={
        <Button variant="primary" onClick={onKept}>
          {t('kept.done')}
        </Button>
      }
    >
      <p>{t('kept.text')}</p>
      <div className={styles.sheet}>
        <p className={styles.printed}>{head}</p>
        <ul className={styles.codes} aria-label={t('kept.list')}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <p className={styles.printed}>{once}</p>
      </div>
      <div className={styles.tools}>
        <CopyButton text={codes.join('\n')} label={t('kept.copy')} copied={t('kept.copied')} />
        <Button onClick={download}>
          <Icon name="download" />
          {t('kept.download')}
        </Button>
        <Button onClick={() => globalThis.print()}>{t('kept.print')}</Button>
      </div>
    </Dialog>
  );
}

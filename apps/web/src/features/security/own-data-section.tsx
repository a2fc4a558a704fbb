import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from './messages.ts';
import styles from './security.module.css';

/** What is held about the person themselves, as one file. */
export function OwnDataSection() {
  const [busy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    void api
      .postFile('/v1/ec/me/data-export', undefined)
      .then((file) => saveFile(file, 'data.zip'), reportFailure)
      .finally(() => setBusy(false));
  };
  return (
    <section className={styles.tile} aria-labelledby="own-data">
      <h2 id="own-data">{t('data.title')}</h2>
      <p className={styles.muted}>{t('data.about')}</p>
      <div className={styles.action}>
        <Button busy={busy} busyLabel={t('data.busy')} onClick={save}>
          <Icon name="download" />
          {t('data.export')}
        </Button>
      </div>
    </section>
  );
}

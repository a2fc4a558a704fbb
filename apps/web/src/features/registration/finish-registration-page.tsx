import { useState } from 'react';
import { EntryPage } from '../../brand/entry-page.tsx';
import styles from '../../ui/form.module.css';
import { Outcome } from '../../ui/outcome.tsx';
import { t } from './messages.ts';
import { type RegistrationEnd, RegistrationForm } from './registration-form.tsx';

/** The page of a registration link: the form until success or failure, then what came of it. */
export function FinishRegistrationPage() {
  const [end, setEnd] = useState<RegistrationEnd>();
  return (
    <EntryPage title={t('title')}>
      {end === undefined && <RegistrationForm onEnd={setEnd} />}
      {end !== undefined && <Outcome tone={end === 'success' ? 'success' : 'danger'}>{t(end)}</Outcome>}
      <p className={styles.links}>
        <a href="/login">{t('back')}</a>
      </p>
    </EntryPage>
  );
}

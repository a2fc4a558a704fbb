import { Checkbox } from '../../ui/fields/checkbox.tsx';
import styles from './csv.module.css';
import { useCsvMark } from './csv-mark.ts';
import { t } from './messages.ts';

/** The box that chooses it, with why one would. */
export function CsvMarkChoice() {
  const { byteOrderMark, chooseMark } = useCsvMark();
  return (
    <div className={styles.choice}>
      <Checkbox label={t('mark')} labelShown checked={byteOrderMark} onChange={chooseMark} />
      <p>{t('markHint')}</p>
    </div>
  );
}

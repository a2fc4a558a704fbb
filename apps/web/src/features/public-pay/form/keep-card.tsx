import { defineMessages } from '../../../text/catalogue.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import styles from '../pay.module.css';

/** Whether the payer wants the card kept, and by whom. */
export interface SaveChoice {
  readonly companyName: string;
  readonly isWanted: boolean;
  readonly onChange: (isWanted: boolean) => void;
}

/** Texts of saving a card; they come with the offer, after the page. */
export const t = defineMessages({
  label: 'Save this card for later payments',
  consent:
    'By saving it you agree that {company} keeps this card at its payment provider. It is charged when you choose it, and by Auto-Pay where you have turned that on. You can remove it under Payment Types.',
  saved: 'The card was saved. You find it under Payment Types.',
  open: 'The card is not saved yet: your bank wants to confirm it. Add it under Payment Types.',
  unknown: 'We do not know yet whether the card was saved. Look under Payment Types before you add it again.',
  refused: 'The card was not saved. You can add it under Payment Types.',
});

/** Whether the card is to be saved, and what that means. */
export const KeepCard = ({ companyName, isWanted, onChange }: SaveChoice) => (
  <div className={styles.keep}>
    <Checkbox label={t('label')} labelShown checked={isWanted} onChange={onChange} />
    <p className={styles.reason}>{t('consent', { company: companyName })}</p>
  </div>
);

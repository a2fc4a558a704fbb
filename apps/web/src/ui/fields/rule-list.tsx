import { t } from '../../text/common.ts';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { VisuallyHidden } from '../visually-hidden.tsx';
import styles from './rule-list.module.css';

interface Rule {
  readonly text: string;
  readonly isMet: boolean;
}

/** What a value must fulfil, ticked as it does; each line says in words whether it is met. */
export const RuleList = ({ rules }: { readonly rules: readonly Rule[] }) => (
  <ul className={styles.rules}>
    {rules.map(({ text, isMet }) => (
      <li key={text} className={classNames(styles.rule, isMet && styles.met)}>
        {isMet ? <Icon name="check" /> : <span className={styles.dot} aria-hidden="true" />}
        <span>
          {text}
          {isMet && <VisuallyHidden>{`: ${t('rule.met')}`}</VisuallyHidden>}
        </span>
      </li>
    ))}
  </ul>
);

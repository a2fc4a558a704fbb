import { Icon } from '../../../ui/icon.tsx';
import { t } from '../messages.ts';
import styles from '../pay.module.css';
import type { PayKind } from './part-price.ts';

interface PayWaysProps {
  readonly name: string;
  readonly kind: PayKind;
  readonly onKind: (kind: PayKind) => void;
}

/** Card or bank account. */
export const PayWays = ({ name, kind, onKind }: PayWaysProps) => (
  <div role="radiogroup" aria-label={t('ways.legend')} className={styles.ways}>
    {(['card', 'bank'] as const).map((way) => (
      <label key={way} className={styles.way}>
        <input type="radio" name={name} checked={kind === way} onChange={() => onKind(way)} />
        <Icon name={way} />
        {t(`ways.${way}`)}
      </label>
    ))}
  </div>
);

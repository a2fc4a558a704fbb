import { type ReactNode, useId } from 'react';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './bulk-pay.module.css';
import { type Choice, NEW_METHOD } from './choices.ts';
import { t } from './messages.ts';

interface MethodListProps {
  readonly titleId: string;
  readonly choices: readonly Choice[];
  /** A new card may be used without being kept. */
  readonly hasNew: boolean;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** Saved cards, bank accounts and a new one: arrow keys move among them, as in any radio list. */
export const MethodList = ({ titleId, choices, hasNew, chosen, onChoose }: MethodListProps) => (
  <div role="radiogroup" aria-labelledby={titleId}>
    {choices.map(({ id, title, detail, mark, kind, isDefault, isBlocked }) => (
      <MethodRow
        key={id}
        {...{ id, title, detail, chosen, onChoose, isBlocked }}
        mark={mark ?? <Icon name={kind} />}
        end={isDefault && <StatusPill tone="outline">{t('methods.default')}</StatusPill>}
      />
    ))}
    {hasNew && (
      <MethodRow
        {...{ id: NEW_METHOD, chosen, onChoose, isBlocked: false }}
        title={t('methods.new')}
        detail={t('methods.newDetail')}
        mark={<Icon name={'plus' satisfies IconName} />}
      />
    )}
  </div>
);

/** Id of a method's radio, to lead the focus there. */
export const methodInputId = (id: string): string => `payment-method-${id}`;

interface MethodRowProps extends Pick<MethodListProps, 'chosen' | 'onChoose'> {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly mark: ReactNode;
  readonly end?: ReactNode;
  readonly isBlocked: boolean;
}

function MethodRow({ id, title, detail, mark, end, chosen, onChoose, isBlocked }: MethodRowProps) {
  const titleId = useId();
  const detailId = useId();
  return (
    <label className={styles.choice}>
      <input
        id={methodInputId(id)}
        className={styles.radio}
        type="radio"
        name="payment-method"
        value={id}
        aria-labelledby={titleId}
        aria-describedby={detailId}
        checked={chosen === id}
        disabled={isBlocked}
        onChange={() => onChoose(id)}
      />
      <span className={styles.mark} aria-hidden="true">
        {mark}
      </span>
      <span className={styles.words}>
        <span className={styles.name} id={titleId}>
          {title}
        </span>
        <span className={styles.detail} id={detailId}>
          {isBlocked && <Icon name="alert" />}
          {detail}
        </span>
      </span>
      {end}
    </label>
  );
}

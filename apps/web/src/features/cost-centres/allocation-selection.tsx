import { COST_CENTRE_ITEMS_MAX } from '@counterfoil/contract/cost-centres.ts';
import { SelectionBar } from '../../ui/data/selection-bar.tsx';
import { Button } from '../../ui/fields/button.tsx';
import styles from './cost-centres.module.css';
import { t } from './messages.ts';
import { canSet } from './set-dialog.tsx';

interface AllocationSelectionProps {
  readonly count: number;
  /** How many could be chosen; none while they are on their way. */
  readonly of: number;
  /** All are being chosen. */
  readonly choosing: boolean;
  readonly onAll: () => void;
  readonly onNone: () => void;
  readonly onSet: () => void;
}

/** 'n selected' and what can be done with them. */
export const AllocationSelection = ({
  count,
  of,
  choosing,
  onAll,
  onNone,
  onSet,
}: AllocationSelectionProps) => {
  // Of more than can be set at once, it would be of no use.
  const all = of > 0 && canSet(of) && (
    <Button size="small" busy={choosing} busyLabel={t('select.choosing')} onClick={onAll}>
      {t('select.all', { count: of })}
    </Button>
  );
  return (
    <SelectionBar
      count={count}
      hint={t('select.hint')}
      actions={
        <>
          {count < of && <span className={styles.besideChosen}>{all}</span>}
          <Button variant="quiet" onClick={onNone}>
            {t('select.none')}
          </Button>
          <Button variant="primary" aria-haspopup="dialog" disabled={!canSet(count)} onClick={onSet}>
            {t('set.open')}
          </Button>
        </>
      }
      selectAll={all}
    >
      {t('select.count', { count })}
      {!canSet(count) && ` · ${t('set.tooMany', { max: COST_CENTRE_ITEMS_MAX })}`}
    </SelectionBar>
  );
};

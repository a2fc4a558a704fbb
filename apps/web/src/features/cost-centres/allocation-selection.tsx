import { COST_CENTRE_ITEMS_MAX } from '@counterfoil/contract/cost-centres.ts';
import { SelectionBar } from '../../ui/data/selection-bar.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { t } from './messages.ts';
import { canSet } from './set-dialog.tsx';

interface AllocationSelectionProps {
  readonly count: number;
  /** How many could be chosen; none while they are on their way. */
  readonly of: number;
  readonly onAll: () => void;
  readonly onNone: () => void;
  readonly onSet: () => void;
}

/** 'n selected' and what can be done with them. */
export const AllocationSelection = ({ count, of, onAll, onNone, onSet }: AllocationSelectionProps) => (
  <SelectionBar
    count={count}
    hint={t('select.hint')}
    actions={
      <>
        <Button variant="quiet" onClick={onNone}>
          {t('select.none')}
        </Button>
        <Button variant="primary" aria-haspopup="dialog" disabled={!canSet(count)} onClick={onSet}>
          {t('set.open')}
        </Button>
      </>
    }
    selectAll={
      of > 0 && (
        <Button size="small" onClick={onAll}>
          {t('select.all', { count: of })}
        </Button>
      )
    }
  >
    {t('select.count', { count })}
    {!canSet(count) && ` · ${t('set.tooMany', { max: COST_CENTRE_ITEMS_MAX })}`}
  </SelectionBar>
);

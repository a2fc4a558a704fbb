import { type SumRow, SumRows } from '../ui/data/sum-rows.tsx';
import { ScrollBox } from '../ui/layout/scroll-box.tsx';
import styles from './outcome/outcome.module.css';
import { t } from './outcome/outcome-messages.ts';

interface FactsProps {
  readonly rows: readonly SumRow[];
}

const ITEMS_AT_ONCE = 10;

/** Items that are many scroll in their own box, by keyboard too; what is said of the whole stays in sight below. */
export function Facts({ rows }: FactsProps) {
  const items = rows.filter(({ isItem }) => isItem);
  if (items.length <= ITEMS_AT_ONCE) return <SumRows look="ruled" rows={rows} />;
  return (
    <div>
      <div className={styles.items}>
        <ScrollBox label={t('facts.label')}>
          <SumRows look="ruled" rows={items} />
        </ScrollBox>
      </div>
      <Below rows={rows.filter(({ isItem }) => !isItem)} />
    </div>
  );
}

/** Facts under a line; no line where nothing is known. */
export const Below = ({ rows }: FactsProps) =>
  rows.length > 0 && (
    <div className={styles.below}>
      <Facts rows={rows} />
    </div>
  );

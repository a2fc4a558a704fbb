import { readerLocale } from '../../../text/catalogue.ts';
import { classNames } from '../../class-names.ts';
import { Select } from '../../fields/select.tsx';
import { Icon, type IconName } from '../../icon.tsx';
import { t } from '../record-messages.ts';
import styles from './pagination.module.css';
import { clampPage, pageCount, pageItems, rangeOf } from './pagination-model.ts';

export interface PaginationProps {
  /** Counted from 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  /** Rows per page to choose from; absent: not offered. */
  readonly sizes?: readonly number[] | undefined;
  readonly onSize?: ((size: number) => void) | undefined;
}

/** '1–25 of 132', arrows, first, last, current ± 2, and rows per page where it may be chosen. */
export function Pagination({ page, size, total, onPage, sizes, onSize }: PaginationProps) {
  const count = pageCount(total, size);
  const current = clampPage(page, count);
  const items = pageItems(current, count);
  const crowded = items.some((item) => item.kind === 'gap');
  const number = new Intl.NumberFormat(readerLocale());
  return (
    <nav className={styles.pager} aria-label={t('pager.label')}>
      <span>{t('pager.range', { ...rangeOf(current, size, total), total })}</span>
      {count > 1 ? (
        <ol className={styles.pages}>
          {current > 1 && (
            <Arrow icon="back" label={t('pager.previous')} onPress={() => onPage(current - 1)} />
          )}
          {items.map((item) =>
            item.kind === 'gap' ? (
              <li key={`gap${item.after}`}>
                <span className={styles.gap}>…</span>
              </li>
            ) : (
              <li
                key={item.page}
                className={crowded && isFar(item.page, current, count) ? styles.far : undefined}
              >
                <button
                  className={styles.page}
                  type="button"
                  aria-label={t('pager.page', { page: item.page })}
                  aria-current={item.page === current ? 'page' : undefined}
                  onClick={() => onPage(item.page)}
                >
                  {number.format(item.page)}
                </button>
              </li>
            ),
          )}
          {current < count && (
            <Arrow icon="forward" label={t('pager.next')} onPress={() => onPage(current + 1)} />
          )}
        </ol>
      ) : (
        <span />
      )}
      {sizes && onSize && (
        <span className={styles.size}>
          <span aria-hidden="true">{t('pager.rows')}</span>
          <Select
            label={t('pager.rows')}
            hideLabel
            filter
            value={size}
            onChange={(event) => onSize(Number(event.currentTarget.value))}
          >
            {sizes.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </Select>
        </span>
      )}
    </nav>
  );
}

/** On a phone the neighbours two away give way. */
const isFar = (page: number, current: number, count: number): boolean =>
  Math.abs(page - current) === 2 && page !== 1 && page !== count;

interface ArrowProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onPress: () => void;
}

const Arrow = ({ icon, label, onPress }: ArrowProps) => (
  <li>
    <button
      className={classNames(styles.page, styles.arrow)}
      type="button"
      aria-label={label}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  </li>
);

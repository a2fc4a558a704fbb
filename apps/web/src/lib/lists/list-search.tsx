import { LIST_SEARCH_MAX } from '@counterfoil/contract/list-orders.ts';
import { FilterText } from '../../ui/data/filter-text.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from './messages.ts';

interface ListSearchProps {
  /** As the URL holds it. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** What can be searched for. */
  readonly hint: string;
  /** How many rows there are; undefined while that is not known. */
  readonly total: number | undefined;
}

/** The search field of a list that the server searches; how many were found is said to who does not see the list. */
export const ListSearch = ({ value, onChange, hint, total }: ListSearchProps) => (
  <>
    <FilterText
      label={t('search')}
      placeholder={hint}
      value={value}
      maxLength={LIST_SEARCH_MAX}
      pause={300}
      onChange={onChange}
    />
    <VisuallyHidden role="status">
      {value !== undefined && total !== undefined ? t('count', { count: total }) : ''}
    </VisuallyHidden>
  </>
);

/** Stands where a search finds nothing. @param why what else to look for */
export const NothingFound = ({ why, onClear }: { readonly why: string; readonly onClear: () => void }) => (
  <EmptyState
    level={2}
    icon="search"
    title={t('found.none')}
    action={<Button onClick={onClear}>{t('found.clear')}</Button>}
  >
    {why}
  </EmptyState>
);

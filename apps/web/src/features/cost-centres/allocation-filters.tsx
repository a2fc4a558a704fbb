import { LIST_SEARCH_MAX } from '@counterfoil/contract/list-orders.ts';
import { isolated } from '../../text/format-message.ts';
import { FilterBar } from '../../ui/data/filter-bar.tsx';
import { FilterText } from '../../ui/data/filter-text.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from './messages.ts';
import { ALL_SERVICES, type Allocation } from './use-allocation.ts';

/** Typing pauses this long before the server is asked, ms. */
const PAUSE_MS = 300;
const searches = ['serviceItem', 'description', 'costCentre'] as const;

/** The service, and a search box for each column. */
export function AllocationFilters({ allocation }: { readonly allocation: Allocation }) {
  const { services, chosen, chooseService, filters, setFilters, isFiltered, list } = allocation;
  return (
    <>
      <FilterBar>
        <Select
          label={t('service')}
          filter
          value={chosen}
          disabled={services?.length === 0}
          onChange={(event) => chooseService(event.currentTarget.value)}
        >
          {services?.length === 0 && <option value={chosen}>{t('service.none')}</option>}
          {services?.map(({ id, name }) => (
            <option key={id} value={id}>
              {isolated(name)}
            </option>
          ))}
          {services !== undefined && services.length > 1 && (
            <option value={ALL_SERVICES}>{t('service.all')}</option>
          )}
        </Select>
        {searches.map((name) => (
          <FilterText
            key={name}
            label={t(`filter.${name}`)}
            value={filters[name]}
            maxLength={LIST_SEARCH_MAX}
            pause={PAUSE_MS}
            onChange={(text) => setFilters({ [name]: text })}
          />
        ))}
      </FilterBar>
      <VisuallyHidden role="status">
        {isFiltered && !list.stale && list.total !== undefined
          ? t('filter.found', { count: list.total })
          : ''}
      </VisuallyHidden>
    </>
  );
}

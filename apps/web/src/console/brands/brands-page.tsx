import type { AdminBrand } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useMay } from '../operator.ts';
import type { LedgerColumn } from '../parts/ledger.tsx';
import { LinkedList } from '../parts/linked-list.tsx';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import styles from './brands.module.css';
import { t } from './messages.ts';
import { NewBrand } from './new-brand.tsx';
import { brandQueries } from './queries.ts';

const pathOf = ({ id }: AdminBrand): string => `/admin/brands/${id}`;

const columns: readonly LedgerColumn<AdminBrand>[] = [
  {
    id: 'name',
    label: t('column.name'),
    kind: 'strong',
    cell: (row) => (
      <Link to={pathOf(row) as never} dir="auto">
        {row.name}
      </Link>
    ),
  },
  { id: 'reference', label: t('column.reference'), cell: ({ reference }) => reference },
  { id: 'host', label: t('column.host'), cell: ({ hosts: [main] }) => main },
  { id: 'currency', label: t('column.currency'), kind: 'whole', cell: ({ currency }) => currency },
  {
    id: 'colours',
    label: t('column.colours'),
    kind: 'whole',
    cell: ({ colours }) => (
      <span className={styles.row}>
        {colours.map((colour, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a colour has its place
          <span key={at} className={styles.swatch} style={{ background: colour }} />
        ))}
      </span>
    ),
  },
];

/** Every brand of the reseller. */
export default function BrandsPage() {
  const list = useInfiniteQuery(brandQueries.list());
  const mayMake = useMay('brands:write');
  const [isMaking, setMaking] = useState(false);
  useTitle(t('title'), consoleName);
  return (
    <>
      <PageTop
        title={t('title')}
        facts={[t('about')]}
        acts={
          mayMake && (
            <Button variant="primary" onClick={() => setMaking(true)}>
              {t('new')}
            </Button>
          )
        }
      />
      {isMaking && <NewBrand onClose={() => setMaking(false)} />}
      <LinkedList
        list={list}
        title={t('title')}
        columns={columns}
        pathOf={pathOf}
        nameOf={({ name }) => name}
        empty={
          <EmptyState level={2} title={t('none')}>
            {t('noneWhy')}
          </EmptyState>
        }
      />
    </>
  );
}

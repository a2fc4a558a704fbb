import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { chooseReseller, type Operator, useMay } from '../operator.ts';
import { t } from './messages.ts';
import styles from './shell.module.css';

const NewReseller = lazy(() => import('./new-reseller.tsx'));

/** Stands in the list after the resellers. */
const NEW = 'new';

/** For which reseller the operator acts; who acts for the installation may make another. */
export function ResellerChoice({ operator }: { readonly operator: Operator }) {
  const client = useQueryClient();
  const router = useRouter();
  const [isMaking, setMaking] = useState(false);
  const mayMake = useMay('resellers:write') && operator.resellerId === null;
  const { reseller, resellers } = operator;
  const choose = (value: string) => {
    if (value === NEW) return setMaking(true);
    chooseReseller(client, Number(value));
    // What is on screen is the other reseller's: back to where every reseller has something.
    void router.navigate({ to: '/admin/customers' as never }).then(() => router.invalidate());
  };
  const choice = () => {
    if (reseller === null)
      return mayMake ? (
        <Button variant="primary" onClick={() => setMaking(true)}>
          {t('reseller.new')}
        </Button>
      ) : (
        <p>{t('reseller.none')}</p>
      );
    if (resellers.length === 1 && !mayMake) return <p dir="auto">{reseller.name}</p>;
    return (
      <Select
        label={t('reseller')}
        hideLabel
        filter
        value={reseller.id}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {resellers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {mayMake && <option value={NEW}>{t('reseller.new')}</option>}
      </Select>
    );
  };
  return (
    <div className={styles.reseller}>
      {choice()}
      {isMaking && (
        <Suspense>
          <NewReseller onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </div>
  );
}

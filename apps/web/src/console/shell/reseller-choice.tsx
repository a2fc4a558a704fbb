import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Select } from '../../ui/fields/select.tsx';
import { chooseReseller, type Operator } from '../operator.ts';
import { t } from './messages.ts';
import styles from './shell.module.css';

/** For which reseller the operator acts; whoever has one only is told its name. */
export function ResellerChoice({ operator }: { readonly operator: Operator }) {
  const client = useQueryClient();
  const router = useRouter();
  const { reseller, resellers } = operator;
  if (reseller === null) return <p className={styles.reseller}>{t('reseller.none')}</p>;
  if (resellers.length === 1)
    return (
      <p className={styles.reseller} dir="auto">
        {reseller.name}
      </p>
    );
  return (
    <div className={styles.reseller}>
      <Select
        label={t('reseller')}
        hideLabel
        filter
        value={reseller.id}
        onChange={(event) => {
          chooseReseller(client, Number(event.currentTarget.value));
          // What is on screen is the other reseller's: back to where every reseller has something.
          void router.navigate({ to: '/admin/customers' as never }).then(() => router.invalidate());
        }}
      >
        {resellers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}

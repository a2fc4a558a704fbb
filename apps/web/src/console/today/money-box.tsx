import type { MoneyOfDay, MoneyOfGateway } from '@counterfoil/contract/operator/running/today.ts';
import { formatDecimal, money, parseMoney, sumMoney } from '@counterfoil/domain/money/money.ts';
import { useQuery } from '@tanstack/react-query';
import { formatDay, formatMoney, formatNumber } from '../../text/format.ts';
import { useGatewayNames } from '../gateways/gateway-name.tsx';
import { Box, Loaded, Nothing } from '../parts/box.tsx';
import { t } from './messages.ts';
import { todayQueries } from './queries.ts';
import styles from './today.module.css';

type Figure = 'collected' | 'refunded' | 'takenBack' | 'net' | 'inReview';

/** What was collected and given back today, by gateway, with the sum of each currency below. */
export function MoneyBox() {
  const query = useQuery(todayQueries.money);
  const zone = query.data?.timeZone;
  return (
    <Box title={t('money.title')} flush aside={zone && t('money.since', { zone })}>
      <Loaded query={query} height="9rem">
        {(data) =>
          data.gateways.length === 0 ? <Nothing>{t('money.none')}</Nothing> : <Filled data={data} />
        }
      </Loaded>
    </Box>
  );
}

const currenciesOf = (rows: readonly MoneyOfGateway[]): readonly string[] => [
  ...new Set(rows.map(({ currency }) => currency)),
];

const total = (rows: readonly MoneyOfGateway[], figure: Figure, currency: string): string =>
  formatDecimal(
    sumMoney(
      rows.filter((row) => row.currency === currency).map((row) => parseMoney(row[figure], currency)),
      currency,
    ),
  );

function Filled({ data }: { readonly data: MoneyOfDay }) {
  const { gateways } = data;
  const nameOf = useGatewayNames();
  const currencies = currenciesOf(gateways);
  const isLost = gateways.some(({ takenBack }) => Number(takenBack) !== 0);
  const figures: readonly Figure[] = isLost
    ? ['collected', 'refunded', 'takenBack', 'net', 'inReview']
    : ['collected', 'refunded', 'net', 'inReview'];
  return (
    <>
      {currencies.map((currency) => (
        <p key={currency} className={styles.big}>
          <b>{formatMoney(total(gateways, 'collected', currency), { currency })}</b>{' '}
          <span>{comparison(data, currency)}</span>
        </p>
      ))}
      <table className={styles.money} aria-label={t('money.title')}>
        <thead>
          <tr>
            <th scope="col">{t('column.gateway')}</th>
            <th scope="col">{t('column.payments')}</th>
            {figures.map((figure) => (
              <th key={figure} scope="col">
                {t(`column.${figure}`)}
              </th>
            ))}
            <th scope="col">{t('column.declined')}</th>
          </tr>
        </thead>
        <tbody>
          {gateways.map((row) => (
            <Row
              key={`${row.gateway} ${row.currency}`}
              name={row.gateway === null ? t('money.outside') : nameOf(row.gateway)}
              row={row}
              figures={figures}
            />
          ))}
        </tbody>
        <tfoot>
          {currencies.map((currency) => {
            const own = gateways.filter((row) => row.currency === currency);
            const sums = Object.fromEntries(figures.map((figure) => [figure, total(own, figure, currency)]));
            const count = (of: 'payments' | 'declined') => own.reduce((sum, row) => sum + row[of], 0);
            return (
              <Row
                key={currency}
                name={t('money.all')}
                row={{ ...sums, currency, payments: count('payments'), declined: count('declined') }}
                figures={figures}
              />
            );
          })}
        </tfoot>
      </table>
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly row: Partial<Record<Figure, string>> & {
    readonly currency: string;
    readonly payments: number;
    readonly declined: number;
  };
  readonly figures: readonly Figure[];
}

const none = <span className={styles.none}>–</span>;

function Row({ name, row, figures }: RowProps) {
  const { currency, payments, declined } = row;
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td data-label={t('column.payments')}>{formatNumber(payments)}</td>
      {figures.map((figure) => {
        const value = row[figure] ?? '0';
        const isBack = figure === 'refunded' || figure === 'takenBack';
        const shown = isBack && !value.startsWith('-') ? `-${value}` : value;
        return (
          <td key={figure} data-label={t(`column.${figure}`)}>
            {Number(value) === 0 ? none : formatMoney(shown, { currency })}
          </td>
        );
      })}
      <td data-label={t('column.declined')}>{declined === 0 ? none : formatNumber(declined)}</td>
    </tr>
  );
}

function comparison({ gateways, before }: MoneyOfDay, currency: string): string {
  const was = before.collected.find((one) => one.currency === currency)?.amount;
  if (was === undefined) return t('money.collected');
  const more =
    parseMoney(total(gateways, 'collected', currency), currency).minor - parseMoney(was, currency).minor;
  const day = formatDay(before.day);
  if (more === 0n) return t('money.same', { day });
  const amount = formatMoney(formatDecimal(money(more < 0n ? -more : more, currency)), { currency });
  return t(more > 0n ? 'money.more' : 'money.less', { amount, day });
}

import { Button } from '../../ui/fields/button.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { wayBack } from './day-bars.ts';
import { barName } from './day-chart.tsx';
import { t } from './messages.ts';
import { isNarrowed } from './usage-filter.ts';
import type { Usage } from './use-usage.ts';

/** Why there is nothing in the list, and what would change that. */
export function NoRecords({ usage: { choice, choose, range } }: { readonly usage: Usage }) {
  const back = range && wayBack(choice, range);
  if (back && choice.only !== undefined) {
    const only = back.only ?? undefined;
    return (
      <Empty why={t('empty.only', { name: barName(choice.only) })}>
        <Button onClick={() => choose({ only })}>
          {only === undefined ? t('chart.whole') : t('chart.month', { month: barName(only) })}
        </Button>
      </Empty>
    );
  }
  if (!isNarrowed(choice)) return <Empty why={t('empty.timeframe')} />;
  const nothing = { agreement: undefined, connection: undefined, type: undefined, number: undefined };
  return (
    <Empty why={t('empty.filtered')}>
      <Button onClick={() => choose(nothing)}>{t('empty.clear')}</Button>
    </Empty>
  );
}

const Empty = (props: { readonly why: string; readonly children?: React.ReactNode }) => (
  <EmptyState level={2} icon="chart" title={t('empty.title')} action={props.children}>
    {props.why}
  </EmptyState>
);

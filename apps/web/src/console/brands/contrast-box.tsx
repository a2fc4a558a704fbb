import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { Box } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import styles from './brands.module.css';
import { type ContrastRow, contrastReport } from './contrast-rows.ts';
import { t } from './messages.ts';

const figure = (value: number): string => value.toFixed(2);

const columns: readonly LedgerColumn<ContrastRow>[] = [
  { id: 'pair', label: t('contrast.pair'), kind: 'strong', cell: ({ id }) => t(`pair.${id}`) },
  { id: 'least', label: t('contrast.least'), kind: 'figure', cell: ({ least }) => least.toFixed(1) },
  {
    id: 'given',
    label: t('contrast.given'),
    kind: 'figure',
    cell: ({ given, least }) =>
      given === null ? null : given < least ? (
        <span className={styles.low}>
          <Icon name="close" />
          <VisuallyHidden>{t('contrast.tooLow')}</VisuallyHidden> {figure(given)}
        </span>
      ) : (
        figure(given)
      ),
  },
  {
    id: 'mended',
    label: t('contrast.mended'),
    kind: 'whole',
    cell: ({ mended }) =>
      mended === null ? <span className={styles.muted}>{t('contrast.kept')}</span> : <Mended {...mended} />,
  },
  { id: 'light', label: t('contrast.light'), kind: 'figure', cell: ({ light }) => <b>{figure(light)}</b> },
  { id: 'dark', label: t('contrast.dark'), kind: 'count', cell: ({ dark }) => figure(dark) },
];

const Mended = ({ from, to }: { readonly from: string; readonly to: string }) => (
  <span className={styles.mended}>
    <span className={styles.swatch} style={{ background: from }} />
    <code>{from}</code>
    <span aria-hidden="true">→</span>
    <VisuallyHidden>{t('contrast.becomes')}</VisuallyHidden>
    <span className={styles.swatch} style={{ background: to }} />
    <code>{to}</code>
  </span>
);

/** What the colours come to as they are typed: as given, as mended, in both themes. */
export function ContrastBox({ colours }: { readonly colours: readonly string[] }) {
  const { rows, short } = contrastReport(colours);
  const mended = rows.filter((row) => row.mended !== null).length;
  return (
    <Box
      title={t('contrast')}
      flush
      aside={
        short === 0 ? (
          <StatusPill tone="success" icon="check">
            {t('contrast.holds', { count: mended })}
          </StatusPill>
        ) : (
          <StatusPill tone="danger" icon="alert">
            {t('contrast.short', { count: short })}
          </StatusPill>
        )
      }
      foot={t('contrast.about')}
    >
      <Ledger label={t('contrast')} columns={columns} rows={rows} rowId={({ id }) => id} />
    </Box>
  );
}

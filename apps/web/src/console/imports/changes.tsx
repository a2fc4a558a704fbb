import type {
  AdminImportDetail,
  ImportPreview,
} from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { quarantineCauses } from '@counterfoil/contract/operator/imports/quarantine-causes.ts';
import { formatMoney, formatNumber } from '../../text/format.ts';
import { Box, Nothing } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import parts from '../parts/parts.module.css';
import styles from './imports.module.css';
import { t } from './messages.ts';

interface Outcome {
  readonly id: 'created' | 'updated' | 'unchanged' | 'quarantined';
  readonly rows: number;
  readonly amount: string;
}

const outcomeColumns: readonly LedgerColumn<Outcome>[] = [
  { id: 'what', label: t('changes.outcome'), kind: 'strong', cell: ({ id }) => t(`changes.${id}`) },
  { id: 'rows', label: t('changes.rows'), kind: 'figure', cell: ({ rows }) => formatNumber(rows) },
  { id: 'amount', label: t('changes.amount'), kind: 'figure', cell: ({ amount }) => amount },
];

const sums = (amounts: ImportPreview['amounts'], of: 'created' | 'change'): string =>
  amounts
    .filter((one) => Number(one[of]) !== 0)
    .map(
      (one) =>
        `${of === 'change' && !one[of].startsWith('-') ? '+' : ''}${formatMoney(one[of], { currency: one.currency })}`,
    )
    .join(', ');

function outcomesOf(from: Counts, amounts: ImportPreview['amounts']): readonly Outcome[] {
  return [
    { id: 'created', rows: from.created, amount: sums(amounts, 'created') },
    { id: 'updated', rows: from.updated, amount: sums(amounts, 'change') },
    { id: 'unchanged', rows: from.unchanged, amount: '' },
    {
      id: 'quarantined',
      rows: from.quarantined,
      amount: from.quarantined > 0 ? t('changes.notCounted') : '',
    },
  ];
}

type Counts = Pick<ImportPreview, 'created' | 'updated' | 'unchanged' | 'quarantined'>;
type Change = ImportPreview['changes'][number];

const changeColumns: readonly LedgerColumn<Change>[] = [
  { id: 'what', label: t('change.what'), kind: 'strong', cell: ({ what }) => what },
  { id: 'member', label: t('change.member'), cell: ({ member }) => memberWords(member) },
  {
    id: 'values',
    label: t('change.values'),
    kind: 'figure',
    cell: ({ was, is }) => (
      <>
        <del className={styles.was}>{was}</del> <ins className={styles.is}>{is}</ins>
      </>
    ),
  },
];

const members = ['price', 'units', 'startedAt', 'payable', 'dueOn', 'content'] as const;
const memberWords = (member: string): string => {
  const known = members.find((one) => one === member);
  return known === undefined ? member : t(`member.${known}`);
};

/** What is to be done here; the server's words name commands. */
const remedyWords = (cause: string): string => {
  const known = quarantineCauses.find((one) => one === cause);
  return known === undefined ? '' : t(`remedy.${known}`);
};

/** What an import changes: foreseen before it begins, counted afterwards. */
export function Changes({ run }: { readonly run: AdminImportDetail }) {
  const { preview, state } = run;
  const isForeseen = ['checked', 'waiting', 'running', 'stopping', 'discarded'].includes(state);
  const isKnown = preview !== null && isForeseen;
  if (!isKnown && (state === 'checking' || isForeseen)) return null;
  const counts = isKnown ? preview : run;
  const isAsForeseen = preview?.created === counts.created && preview.updated === counts.updated;
  return (
    <div className={styles.pair}>
      <Box
        title={t(isKnown ? 'changes.title' : 'changes.titleDone')}
        flush
        aside={isKnown && t('changes.fromDryRun')}
      >
        <Ledger
          label={t('changes.title')}
          columns={outcomeColumns}
          rows={outcomesOf(counts, isAsForeseen ? preview.amounts : [])}
          rowId={({ id }) => id}
        />
      </Box>
      {preview !== null && preview.changes.length > 0 && (
        <Box title={t('change.title')} flush>
          <Ledger
            label={t('change.title')}
            columns={changeColumns}
            rows={preview.changes}
            rowId={({ what, member }) => `${what} ${member}`}
          />
        </Box>
      )}
      {isKnown && preview.reasons.length > 0 && (
        <Box title={t('reasons.title')} flush>
          <ul className={parts.history}>
            {preview.reasons.map(({ cause, count, reason, line }) => (
              <li key={cause}>
                <span>{t('reasons.count', { count })}</span>
                <span>
                  {line === null ? reason : t('reasons.line', { line, reason })}
                  <span className={parts.more}>{remedyWords(cause)}</span>
                </span>
              </li>
            ))}
          </ul>
        </Box>
      )}
      {isKnown && preview.changes.length === 0 && preview.reasons.length === 0 && (
        <Box title={t('change.title')}>
          <Nothing>{t('change.none')}</Nothing>
        </Box>
      )}
    </div>
  );
}

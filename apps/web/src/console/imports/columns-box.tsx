import type { AdminImportDetail } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import {
  type EntityMapping,
  type ImportColumns,
  type ImportKind,
  isEntityName,
} from '@counterfoil/contract/operator/imports/entity-import.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { Box, Loaded } from '../parts/box.tsx';
import { Ledger, type LedgerColumn } from '../parts/ledger.tsx';
import parts from '../parts/parts.module.css';
import {
  mappingName,
  type Source,
  sampleOf,
  shownMembers,
  sourceOf,
  unusedColumns,
  withSource,
} from './columns-model.ts';
import styles from './imports.module.css';
import { t } from './messages.ts';
import { importQueries, setColumns } from './queries.ts';

type Column = ImportKind['columns'][number];

interface ColumnsProps {
  readonly run: AdminImportDetail & { readonly columns: ImportColumns };
  /** Somebody may say how they are read, and it has not begun. */
  readonly mayChange: boolean;
  readonly onChanged: () => Promise<unknown>;
  /** Says whether something was changed here that the server has not been told yet. */
  readonly onPending: (isPending: boolean) => void;
}

/** How the columns of a file are read: guessed, and put right by a person. */
export function ColumnsBox({ run, mayChange, onChanged, onPending }: ColumnsProps) {
  const kinds = useQuery(importQueries.kinds());
  return (
    <Box title={t('columns.title')} aside={mayChange ? t('columns.guessed') : undefined} flush>
      <Loaded query={kinds}>
        {(all) => {
          const kind = all.find(({ name }) => name === run.columns.mapping.entity);
          if (kind === undefined) return null;
          return (
            <ColumnsForm
              // What the server says anew begins anew.
              key={JSON.stringify(run.columns)}
              {...{ run, kinds: all, kind, mayChange, onChanged, onPending }}
            />
          );
        }}
      </Loaded>
    </Box>
  );
}

function ColumnsForm({
  run,
  kinds,
  kind,
  mayChange,
  onChanged,
  onPending,
}: ColumnsProps & { readonly kinds: readonly ImportKind[]; readonly kind: ImportKind }) {
  const { columns } = run;
  const { header, questions } = columns;
  const [mapping, setMapping] = useState(columns.mapping);
  const [isAll, setAll] = useState(false);
  const [name, setName] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isChanged = JSON.stringify(mapping) !== JSON.stringify(columns.mapping);
  useEffect(() => onPending(isChanged || isBusy), [onPending, isChanged, isBusy]);
  const savedAs = name === undefined ? undefined : mappingName(name);
  const send = async (body: Parameters<typeof setColumns>[1]) => {
    setBusy(true);
    try {
      await setColumns(run.id, body);
      await onChanged();
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const ledger: readonly LedgerColumn<Column>[] = [
    {
      id: 'member',
      label: t('columns.member'),
      kind: 'strong',
      cell: (column) => (
        <>
          {column.name}
          {column.isRequired && <span className={styles.needed}> {t('columns.needed')}</span>}
          <span className={parts.more}>{column.meaning}</span>
        </>
      ),
    },
    {
      id: 'source',
      label: t('columns.source'),
      cell: (column) =>
        mayChange ? (
          <SourceField {...{ column, header, mapping }} onChange={setMapping} />
        ) : (
          sourceWords(mapping, column.name)
        ),
    },
    {
      id: 'sample',
      label: t('columns.sample'),
      cell: ({ name: member }) => (
        <span className={styles.sample} dir="auto">
          {sampleOf(columns, mapping, member)}
        </span>
      ),
    },
  ];
  const shown = shownMembers(kind, mapping, isAll);
  const unused = unusedColumns(mapping, header);
  return (
    <>
      {mayChange && (
        <div className={styles.spelling}>
          <Select
            label={t('columns.kind')}
            value={mapping.entity}
            disabled={isBusy}
            onChange={({ currentTarget: { value } }) => {
              if (isEntityName(value)) void send({ kind: value });
            }}
          >
            {kinds.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </Select>
          <Select
            label={t('columns.dates')}
            value={mapping.dates}
            onChange={({ currentTarget: { value } }) =>
              setMapping({ ...mapping, dates: orders.find((one) => one === value) ?? 'yearFirst' })
            }
          >
            {orders.map((order) => (
              <option key={order} value={order}>
                {t(`columns.${order}`)}
              </option>
            ))}
          </Select>
          <Select
            label={t('columns.decimalMark')}
            value={mapping.decimalMark}
            onChange={({ currentTarget: { value } }) =>
              setMapping({ ...mapping, decimalMark: value === ',' ? ',' : '.' })
            }
          >
            <option value=".">{t('columns.point')}</option>
            <option value=",">{t('columns.comma')}</option>
          </Select>
        </div>
      )}
      {questions.length > 0 && (
        <div className={styles.open}>
          <Banner tone="warning">
            <p>{t('columns.open')}</p>
            {questions.map(({ text }) => (
              <p key={text}>{text}</p>
            ))}
          </Banner>
        </div>
      )}
      <Ledger label={t('columns.title')} columns={ledger} rows={shown} rowId={(column) => column.name} />
      <div className={parts.boxFoot}>
        <span>
          {unused.length > 0 && t('columns.unused', { names: unused.join(', ') })}
          {mayChange && shown.length < kind.columns.length && (
            <Button variant="quiet" onClick={() => setAll(true)}>
              {t('columns.all', { more: kind.columns.length - shown.length })}
            </Button>
          )}
        </span>
        {mayChange && (
          <div className={styles.apply}>
            <Checkbox
              label={t('columns.keep')}
              labelShown
              checked={name !== undefined}
              onChange={(isKept) => setName(isKept ? '' : undefined)}
            />
            {name !== undefined && (
              <TextInput
                label={t('columns.name')}
                type="text"
                autoComplete="off"
                maxLength={63}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            )}
            <Button
              variant={questions.length > 0 || isChanged ? 'primary' : undefined}
              busy={isBusy}
              busyLabel={t('columns.applying')}
              disabled={savedAs === ''}
              onClick={() =>
                void send({
                  mapping:
                    savedAs === undefined
                      ? mapping
                      : { ...mapping, name: savedAs, title: name?.trim() || savedAs },
                  save: savedAs !== undefined,
                })
              }
            >
              {t('columns.apply')}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

const orders = ['yearFirst', 'dayFirst', 'monthFirst'] as const;

function sourceWords({ columns }: EntityMapping, member: string): string {
  const source = columns[member];
  if (source === undefined) return '';
  return 'column' in source ? source.column : t('columns.same');
}

interface SourceFieldProps {
  readonly column: Column;
  readonly header: readonly string[];
  readonly mapping: EntityMapping;
  readonly onChange: (mapping: EntityMapping) => void;
}

/** Columns by their places: two may have one name. */
const placesOf = (header: readonly string[]) =>
  header.map((name, at) => ({
    source: `column ${at}` as const,
    text: name === '' ? t('columns.nameless', { at: at + 1 }) : name,
  }));

/** Where a member comes from: a column, one value for all rows, or nowhere. */
function SourceField({ column: { name, choices }, header, mapping, onChange }: SourceFieldProps) {
  const kept = mapping.columns[name];
  const [isSame, setSame] = useState(kept !== undefined && 'value' in kept);
  const same = kept !== undefined && 'value' in kept ? kept.value : '';
  const source: Source = isSame ? 'same' : sourceOf(mapping, header, name);
  return (
    <div className={styles.source}>
      <Select
        label={t('columns.sourceOf', { name })}
        hideLabel
        filter
        value={source}
        onChange={({ currentTarget: { value } }) => {
          setSame(value === 'same');
          onChange(withSource(mapping, header, name, value as Source, same));
        }}
      >
        <option value="">{t('columns.nowhere')}</option>
        {placesOf(header).map(({ source: place, text }) => (
          <option key={place} value={place}>
            {text}
          </option>
        ))}
        <option value="same">{t('columns.same')}</option>
      </Select>
      {isSame && (
        <TextInput
          label={t('columns.valueOf', { name })}
          hideLabel
          filter
          type="text"
          autoComplete="off"
          maxLength={2_000}
          placeholder={choices[0] ?? ''}
          value={same}
          onChange={(event) => onChange(withSource(mapping, header, name, 'same', event.currentTarget.value))}
        />
      )}
    </div>
  );
}

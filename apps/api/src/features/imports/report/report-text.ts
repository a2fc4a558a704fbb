import { whatIsWrong } from './causes.ts';
import type { ImportReport, ImportSummary, ReasonReport, StoppedReport } from './report.ts';
import { inWords } from './summary.ts';

/** Entries of the quarantine a person is shown; `--json` and the database have all. */
const maxShown = 50;

/**
 * The report for people: a table of files, the invoices with their links, what to look at, what was not taken.
 * @param table lays rows out under a head
 */
export function reportLines(
  report: ImportReport,
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string[],
): readonly string[] {
  return [
    ...table(['File', 'Format', 'New', 'Changed', 'Unchanged', 'Quarantined'], fileRows(report)),
    ...section(
      'Invoices',
      report.invoices.length === 0 ? [] : table(['Number', 'Kind', 'Total', 'Pay link'], invoiceRows(report)),
    ),
    ...section('Bank statements', statementLines(report)),
    ...section(
      'Taken as they came, but their figures or references do not fit',
      report.files.flatMap((file) => file.warnings.map((warning) => `${file.file}: ${warning}`)),
    ),
    ...section('Quarantined', quarantineLines(report)),
    ...section('What to do', report.summary.reasons.map(reasonLine)),
    '',
    ...(report.stopped === null ? [] : stoppedLines(report.stopped)),
    ...summaryLines(report.summary),
  ];
}

const statementLines = ({ files }: ImportReport): readonly string[] =>
  files.flatMap(({ file, statement }) => (statement === undefined ? [] : [`${file}: ${statement}`]));

const stoppedLines = ({ file, notBegun }: StoppedReport): readonly string[] => [
  `Stopped by an operator within ${file}: import it again for the rest.`,
  ...(notBegun.length === 0 ? [] : [`Not begun: ${notBegun.join(', ')}.`]),
];

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines];

const reasonLine = ({ cause, count, remedy }: ReasonReport): string =>
  `${count} × ${whatIsWrong(cause)}: ${remedy}`;

function summaryLines({
  in: isIn,
  quarantined,
  kept,
  takenFromQuarantine,
}: ImportSummary): readonly string[] {
  const settled =
    takenFromQuarantine === 0
      ? []
      : [`Of what earlier imports had left in quarantine, ${takenFromQuarantine} went in now.`];
  if (quarantined === 0) return [...settled, inWords(isIn, quarantined)];
  const list = "'counterfoil quarantine list' has them, 'quarantine retry' tries them again";
  const more =
    kept < quarantined
      ? [
          `Of these, ${quarantined - kept} are only counted: when what they wait for has come, import their file again.`,
        ]
      : [];
  return [...settled, ...more, `${inWords(isIn, quarantined)} ${list}.`];
}

const fileRows = (report: ImportReport) =>
  report.files.map(({ file, format, created, updated, unchanged, quarantined }) => [
    file,
    format ?? '–',
    ...[created, updated, unchanged, quarantined].map(String),
  ]);

const invoiceRows = (report: ImportReport) =>
  report.invoices.map(({ number, kind, currency, total, payLink }) => [
    number,
    kind === 'invoice' ? 'invoice' : 'credit note',
    `${total} ${currency}`,
    payLink ?? '–',
  ]);

function quarantineLines({ quarantine }: ImportReport): readonly string[] {
  const lines = quarantine
    .slice(0, maxShown)
    .map(({ file, line, reason }) => `${file}${line === null ? '' : `:${line}`}: ${reason}`);
  const more = quarantine.length - lines.length;
  return more === 0 ? lines : [...lines, `… and ${more} more; --json lists them`];
}

import type { Report } from '@counterfoil/contract/reports.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { useCsvMark } from '../../lib/csv/csv-mark.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { dateRangeWords } from '../../ui/fields/date-range.tsx';
import { ErrorSummary, type FormProblem } from '../../ui/fields/error-summary.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from './messages.ts';
import { ProgressBox } from './progress-box.tsx';
import { fieldIds, ReportFields } from './report-fields.tsx';
import {
  findProblems,
  firstValues,
  hasProblems,
  type ReportProblems,
  reportFileName,
  requestOf,
} from './report-form.ts';
import { isGenerating, type ReportRun, type RunEnd, type RunState } from './report-run.ts';
import styles from './reports.module.css';

const nothingWrong: ReportProblems = { dates: [], service: false, invoice: false };

interface GenerateDialogProps {
  readonly report: Report;
  /** Of this report alone. */
  readonly run: ReportRun;
  readonly onClose: () => void;
  readonly onEnd: (end: RunEnd) => void;
}

/** 'Generate {report name}': what the report asks for; once it is being generated, how that goes. */
export function GenerateDialog({ report, run, onClose, onEnd }: GenerateDialogProps) {
  const form = useId();
  const { brand } = usePortal();
  const { byteOrderMark } = useCsvMark();
  const state = useSyncExternalStore(run.subscribe, run.state, run.state);
  const [values, setValues] = useState(() => firstValues(report, today(brand.timeZone, new Date())));
  const [tries, setTries] = useState(0);
  const problems = tries > 0 ? findProblems(report, values) : nothingWrong;
  const busy = isGenerating(state);
  // Leaving the page does not stop the job, only the waiting for it.
  useEffect(() => run.leave, [run]);
  const generate = async () => {
    setTries((count) => count + 1);
    if (hasProblems(findProblems(report, values))) return;
    await run.generate(requestOf(report, values, byteOrderMark));
    const after = run.state();
    if (after.phase === 'ended') onEnd(after.end);
  };
  return (
    <Dialog
      title={t('generateName', { name: report.name })}
      open
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            busy={busy}
            busyLabel={t('generating')}
            isLongExpected
          >
            {t('generate')}
          </Button>
        </>
      }
    >
      {!busy && <ErrorSummary problems={summaryOf(problems, state)} attempt={tries} />}
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void generate();
        }}
      >
        <fieldset className={styles.fields} disabled={busy}>
          <ReportFields
            report={report}
            values={values}
            onChange={(change) => setValues((before) => ({ ...before, ...change }))}
            problems={problems}
          />
        </fieldset>
      </form>
      {busy && (
        <ProgressBox
          since={state.since}
          reportName={report.name}
          fileName={reportFileName(report.name, values.exportTypeId)}
          onBackground={state.phase === 'starting' ? undefined : run.leave}
        />
      )}
    </Dialog>
  );
}

/** What is wrong with the fields, or why the server did not begin. */
function summaryOf(problems: ReportProblems, state: RunState): readonly FormProblem[] {
  const ofFields = [
    ...problems.dates.map((problem) => ({ text: dateRangeWords(problem), field: fieldIds[problem.field] })),
    ...(problems.service ? [{ text: t('service.missing'), field: fieldIds.service }] : []),
    ...(problems.invoice ? [{ text: t('invoice.missing'), field: fieldIds.invoice }] : []),
  ];
  if (ofFields.length > 0 || state.phase !== 'form' || state.refusal === undefined) return ofFields;
  const { status, message } = state.refusal;
  return [{ text: status >= 400 && status < 500 ? message : common('error.banner') }];
}

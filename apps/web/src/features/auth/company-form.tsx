import { type FormEvent, useEffect, useState } from 'react';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary, type FormProblem } from '../../ui/fields/error-summary.tsx';
import styles from '../../ui/fields/form.module.css';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { ssoAddress } from './sign-in.ts';

const companyId = 'company';

interface CompanyFormProps {
  /** Why the last try ended here. */
  readonly failure?: string | undefined;
  /** The company tried last. */
  readonly company: string;
}

/** Form state 4: the company's name, for its own sign-in. */
export function CompanyForm({ failure, company }: CompanyFormProps) {
  const [problems, setProblems] = useState<readonly FormProblem[]>(() => problemsOf(failure));
  // From the start: whoever was sent back here hears why.
  const [attempt, setAttempt] = useState(1);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    // Back from the company's page, the browser may show this one as it was left.
    const onShow = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    globalThis.addEventListener('pageshow', onShow);
    return () => globalThis.removeEventListener('pageshow', onShow);
  }, []);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const name = String(new FormData(event.currentTarget).get('company') ?? '').trim();
    if (name === '') {
      setProblems([{ text: t('company.missing'), field: companyId }]);
      setAttempt((count) => count + 1);
      return;
    }
    setProblems([]);
    setBusy(true);
    const r = new URLSearchParams(globalThis.location.search).get('r');
    globalThis.location.assign(ssoAddress(runtimeConfig.apiHost, name, r));
  };

  return (
    <>
      <ErrorSummary problems={problems} attempt={attempt} />
      <form className={styles.form} method="dialog" onSubmit={onSubmit} noValidate>
        <TextInput
          label={t('company.name')}
          hint={t('company.hint')}
          id={companyId}
          name="company"
          type="text"
          autoComplete="organization"
          autoCapitalize="none"
          spellCheck="false"
          maxLength={200}
          required
          tall
          defaultValue={company}
          error={problems.find(({ field }) => field === companyId)?.text}
        />
        <Button type="submit" variant="primary" size="tall" wide busy={busy} busyLabel={t('company.busy')}>
          {t('company.submit')}
        </Button>
      </form>
    </>
  );
}

/** Two of the three are about the name; for the third nothing here is to be mended. */
function problemsOf(failure: string | undefined): readonly FormProblem[] {
  if (failure === undefined) return [];
  return [{ text: failure, field: failure === t('sso.failed') ? undefined : companyId }];
}

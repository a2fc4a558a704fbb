import { type LoginEvent, LoginForm, next } from '@counterfoil/domain/text/login-form.ts';
import { useEffect, useRef, useState } from 'react';
import { EntryPage } from '../../brand/entry-page.tsx';
import { reportFailure } from '../../lib/error-banner.ts';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { afterSignIn } from '../../lib/session/guards.ts';
import { takeEnded, takeOrigin } from '../../lib/session/leave.ts';
import { session } from '../../lib/session/session-store.ts';
import formStyles from '../../ui/fields/form.module.css';
import { Banner } from '../../ui/overlays/banner.tsx';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { Spinner } from '../../ui/overlays/spinner.tsx';
import { CompanyForm } from './company-form.tsx';
import { afterEvent, firstState, type LoginState, type Start } from './login-state.ts';
import { t } from './messages.ts';
import { ResetRequestForm } from './reset-request-form.tsx';
import { ResetSent } from './reset-sent.tsx';
import { signInByCode, ssoAddress } from './sign-in.ts';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in-page.module.css';

const titles = {
  [LoginForm.SIGN_IN]: 'signIn.title',
  [LoginForm.REQUEST_RESET]: 'request.title',
  [LoginForm.RESET_SENT]: 'sent.title',
  [LoginForm.COMPANY]: 'company.title',
} as const satisfies Record<LoginForm, string>;

const links = [
  { event: 'forgotPassword', text: 'signIn.forgot' },
  { event: 'knowCompany', text: 'signIn.company' },
  { event: 'logIn', text: 'signIn.logIn' },
] as const;

/** To the remembered page, a safe `r`, or `/` (decisions 1). The portal is another document. */
function leave(): void {
  const { location } = globalThis;
  const r = new URLSearchParams(location.search).get('r');
  location.replace(afterSignIn(takeOrigin(), r, location.origin, runtimeConfig.brand?.allowedOrigins ?? []));
}

/** Sign-in in its form states (specification, portal §2 and §4). @param start what the page's address asks for */
export function SignInPage({ start = { kind: 'form' } }: { readonly start?: Start }) {
  const [state, setState] = useState(() => firstState(start));
  const [isFactor, setFactor] = useState(false);
  const onEvent = (event: LoginEvent, failure?: string) =>
    setState((before) => afterEvent(before, event, failure));
  const onSignedIn = () => {
    onEvent('signedIn');
    // Leaving takes a moment, and a browser may keep this page to show it again.
    for (const form of document.forms) form.reset();
    leave();
  };
  const isWaiting = useStart(start, onSignedIn, (failure) => onEvent('logIn', failure));
  if (isWaiting) return <Waiting start={start} />;
  const { formState } = state;
  const offered = links.filter(({ event }) => next(formState, event) !== formState);
  return (
    <EntryPage title={t(isFactor ? 'factor.title' : titles[formState])}>
      <Form state={state} start={start} onSignedIn={onSignedIn} onFactor={setFactor} onEvent={onEvent} />
      {offered.length > 0 && !isFactor && (
        <p className={formStyles.links}>
          {offered.map(({ event, text }) => (
            <button key={event} type="button" onClick={() => onEvent(event)}>
              {t(text)}
            </button>
          ))}
        </p>
      )}
    </EntryPage>
  );
}

interface FormProps {
  readonly state: LoginState;
  readonly start: Start;
  readonly onSignedIn: () => void;
  readonly onFactor: (isShown: boolean) => void;
  readonly onEvent: (event: LoginEvent) => void;
}

function Form({ state, start, onSignedIn, onFactor, onEvent }: FormProps) {
  const hasEnded = useEnded();
  if (state.formState === LoginForm.REQUEST_RESET) return <ResetRequestForm onEvent={onEvent} />;
  if (state.formState === LoginForm.RESET_SENT) return <ResetSent onEvent={onEvent} />;
  if (state.formState === LoginForm.COMPANY) {
    return <CompanyForm failure={state.failure} company={start.kind === 'failed' ? start.company : ''} />;
  }
  return (
    <>
      {hasEnded && state.failure === undefined && <Banner tone="info">{t('signIn.ended')}</Banner>}
      {state.failure !== undefined && <Outcome tone="danger">{state.failure}</Outcome>}
      <SignInForm onSignedIn={onSignedIn} onFactor={onFactor} />
    </>
  );
}

/** Whether the person comes from a session that has ended; not known in what the server draws. */
function useEnded(): boolean {
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    if (takeEnded()) setEnded(true);
  }, []);
  return hasEnded;
}

/** On the way to the company's sign-in, or back from it. */
const Waiting = ({ start }: { readonly start: Start }) => (
  <EntryPage title={t(start.kind === 'company' ? 'company.title' : 'signIn.title')}>
    <p className={styles.waiting} role="status">
      <Spinner />
      {t(start.kind === 'company' ? 'sso.leaving' : 'sso.signingIn')}
    </p>
  </EntryPage>
);

/**
 * Does, once, what the page's address asks for beside showing a form.
 * @returns whether that is under way
 */
function useStart(start: Start, onSignedIn: () => void, onRefused: (failure?: string) => void): boolean {
  const [isWaiting, setWaiting] = useState(start.kind === 'company' || start.kind === 'code');
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current || start.kind === 'form' || start.kind === 'failed') return;
    begun.current = true;
    const { location } = globalThis;
    if (start.kind === 'company') {
      const r = new URLSearchParams(location.search).get('r');
      // In place of this page: Back must not lead into the redirect again.
      return location.replace(ssoAddress(runtimeConfig.apiHost, start.company, r));
    }
    const parts = { fetch: globalThis.fetch.bind(globalThis), apiHost: runtimeConfig.apiHost, session };
    void signInByCode(parts, start.code, `${location.origin}/login`).then((outcome) => {
      if (outcome.kind === 'signedIn') return onSignedIn();
      setWaiting(false);
      onRefused(outcome.kind === 'refused' ? outcome.text : undefined);
      if (outcome.kind === 'failed') reportFailure(outcome.error);
    });
  });
  return isWaiting;
}

import { type LoginEvent, LoginForm, next } from '@counterfoil/domain/login-form.ts';
import { type ComponentType, useState } from 'react';
import { EntryPage } from '../../brand/entry-page.tsx';
import { runtimeConfig } from '../../lib/runtime-config.ts';
import { afterSignIn } from '../../lib/session/guards.ts';
import { takeOrigin } from '../../lib/session/leave.ts';
import formStyles from '../../ui/form.module.css';
import { t } from './messages.ts';
import { ResetRequestForm } from './reset-request-form.tsx';
import { ResetSent } from './reset-sent.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface FormProps {
  readonly onSignedIn: () => void;
  readonly onFactor: (isShown: boolean) => void;
  readonly onEvent: (event: LoginEvent) => void;
}

/** The screen of each form state. A link to a state without a screen is not offered. */
const screens: Partial<Record<LoginForm, ComponentType<FormProps>>> = {
  [LoginForm.SIGN_IN]: SignInForm,
  [LoginForm.REQUEST_RESET]: ResetRequestForm,
  [LoginForm.RESET_SENT]: ResetSent,
};

const titles = {
  [LoginForm.SIGN_IN]: 'signIn.title',
  [LoginForm.REQUEST_RESET]: 'request.title',
  [LoginForm.RESET_SENT]: 'sent.title',
  [LoginForm.COMPANY]: 'signIn.title',
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

/** Sign-in in its form states (specification, portal §2 and §4). */
export function SignInPage() {
  const [form, setForm] = useState<LoginForm>(LoginForm.SIGN_IN);
  const [isFactor, setFactor] = useState(false);
  const Screen = screens[form] ?? SignInForm;
  const offered = links.filter(({ event }) => next(form, event) !== form && screens[next(form, event)]);
  return (
    <EntryPage title={t(isFactor ? 'factor.title' : titles[form])}>
      <Screen
        onSignedIn={leave}
        onFactor={setFactor}
        onEvent={(event) => setForm((state) => next(state, event))}
      />
      {offered.length > 0 && !isFactor && (
        <p className={formStyles.links}>
          {offered.map(({ event, text }) => (
            <button key={event} type="button" onClick={() => setForm(next(form, event))}>
              {t(text)}
            </button>
          ))}
        </p>
      )}
    </EntryPage>
  );
}

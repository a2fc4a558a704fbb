import { type LoginEvent, LoginForm, next } from '@counterfoil/domain/text/login-form.ts';
import { ssoErrorOf } from '@counterfoil/domain/text/sso-error.ts';
import { t } from './messages.ts';

/** Where the sign-in page stands (specification, portal §3 and §4). What people type stays in the fields. */
export interface LoginState {
  readonly formState: LoginForm;
  /** Signed in: the page is being left. */
  readonly success: boolean;
  /** Why single sign-on ended without a session, as people read it. */
  readonly failure: string | undefined;
}

/** What the page's address asks it to begin with. */
export type Start =
  | { readonly kind: 'form' }
  /** `e`, with the company in `b`: single sign-on failed. */
  | { readonly kind: 'failed'; readonly error: string; readonly company: string }
  /** `b`: on to the company's sign-in. */
  | { readonly kind: 'company'; readonly company: string }
  /** `code`: back from it. */
  | { readonly kind: 'code'; readonly code: string };

/** @param search query of the page's address */
export function readStart(search: string): Start {
  const query = new URLSearchParams(search);
  const [code, e, company] = [query.get('code'), query.get('e'), query.get('b') ?? ''];
  if (code) return { kind: 'code', code };
  // With both, the company's sign-in has just been tried: going there again would go round in circles.
  if (e !== null) return { kind: 'failed', error: t(`sso.${ssoErrorOf(e)}`), company };
  return company.trim() === '' ? { kind: 'form' } : { kind: 'company', company };
}

/** The page's address without a code, which is worth a session and belongs into no history. */
export function withoutCode(search: string): string {
  const r = new URLSearchParams(search).get('r');
  return r === null ? '/login' : `/login?${new URLSearchParams({ r })}`;
}

export function firstState(start: Start): LoginState {
  const blank: LoginState = { formState: LoginForm.SIGN_IN, success: false, failure: undefined };
  return start.kind === 'failed' ? afterEvent(blank, 'ssoError', start.error) : blank;
}

/** @param failure to be shown from now on; one shown before is gone */
export const afterEvent = (state: LoginState, event: LoginEvent, failure?: string): LoginState => ({
  formState: next(state.formState, event),
  success: event === 'signedIn',
  failure,
});

import type { StateTable } from '../paying/state-table.ts';

/** The four forms of the sign-in page, with the numbers of the specification (portal §2 and §4). */
export const LoginForm = { SIGN_IN: 1, REQUEST_RESET: 2, RESET_SENT: 3, COMPANY: 4 } as const;
/** One of the numbers of {@link LoginForm}. */
export type LoginForm = (typeof LoginForm)[keyof typeof LoginForm];

/** What can happen on the sign-in page; `logIn` is the link back, `ssoError` the query parameter e. */
export const loginEvents = [
  'forgotPassword',
  'resetRequested',
  'continue',
  'logIn',
  'knowCompany',
  'ssoError',
  'signedIn',
] as const;
/** One of {@link loginEvents}. */
export type LoginEvent = (typeof loginEvents)[number];

const { SIGN_IN, REQUEST_RESET, RESET_SENT, COMPANY } = LoginForm;

/** Every form under every event. */
export const transitions: StateTable<LoginForm, LoginEvent> = {
  [SIGN_IN]: {
    forgotPassword: REQUEST_RESET,
    resetRequested: SIGN_IN,
    continue: SIGN_IN,
    logIn: SIGN_IN,
    knowCompany: COMPANY,
    ssoError: COMPANY,
    signedIn: SIGN_IN,
  },
  [REQUEST_RESET]: {
    forgotPassword: REQUEST_RESET,
    resetRequested: RESET_SENT,
    continue: REQUEST_RESET,
    logIn: SIGN_IN,
    knowCompany: REQUEST_RESET,
    ssoError: COMPANY,
    signedIn: SIGN_IN,
  },
  [RESET_SENT]: {
    forgotPassword: RESET_SENT,
    resetRequested: RESET_SENT,
    continue: SIGN_IN,
    logIn: SIGN_IN,
    knowCompany: RESET_SENT,
    ssoError: COMPANY,
    signedIn: SIGN_IN,
  },
  [COMPANY]: {
    forgotPassword: COMPANY,
    resetRequested: COMPANY,
    continue: COMPANY,
    logIn: SIGN_IN,
    knowCompany: COMPANY,
    ssoError: COMPANY,
    signedIn: SIGN_IN,
  },
};

/** The form after an event; the same form when the event does not belong to it. */
export const next = (state: LoginForm, event: LoginEvent): LoginForm => transitions[state][event];

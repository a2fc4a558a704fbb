/** Least length when changing or resetting a password, unless configured otherwise. */
export const MIN_PASSWORD_LENGTH = 6;
/** Least length at registration. */
export const MIN_REGISTRATION_LENGTH = 8;
/** Longer passwords are refused, so that hashing has a bound; the standard asks for at least 64. */
export const MAX_PASSWORD_LENGTH = 256;
/** Shown when a password is longer, by the forms and by the server. */
export const TOO_LONG_MESSAGE = `A password has at most ${MAX_PASSWORD_LENGTH} characters`;
/** Shown when the confirmation is non-empty and differs (specification, portal §5). */
export const CONFIRMATION_MESSAGE = "Password confirmation doesn't match";
/** Shown under the password of the registration form. */
export const REGISTRATION_HINT =
  'Password should be at least 8 characters long and include a mix of uppercase and lowercase letters, numbers, and special characters.';
/** Words of the strength meter, weakest first; passwords shorter than 5 stay at the first, 2 is the least score. */
export const STRENGTH_WORDS = ['Bad', 'Weak', 'Decent', 'Strong', 'Great'] as const;

/** One rule of the registration form, with its message as specified. */
export interface PasswordRule {
  readonly name: 'length' | 'uppercase' | 'lowercase' | 'number' | 'special';
  readonly message: string;
  readonly isMet: (password: string) => boolean;
}

/** Length as a person counts it: one per character, also outside the basic plane. */
const lengthOf = (text: string): number => [...text].length;

/** Whether a password is longer than any that is hashed. What is absurdly long is not counted. */
export const isTooLong = (password: string): boolean =>
  password.length > MAX_PASSWORD_LENGTH &&
  (password.length > 2 * MAX_PASSWORD_LENGTH || lengthOf(password) > MAX_PASSWORD_LENGTH);

/** The rules of registration in the order of their messages (specification, payments §5). */
export const registrationRules: readonly PasswordRule[] = [
  {
    name: 'length',
    message: 'Password shorter than 8 characters.',
    isMet: (password) => lengthOf(password) >= MIN_REGISTRATION_LENGTH,
  },
  {
    name: 'uppercase',
    message: "Password don't include at least one uppercase letter.",
    isMet: (password) => /\p{Lu}/u.test(password),
  },
  {
    name: 'lowercase',
    message: "Password don't include at least one lowercase letter.",
    isMet: (password) => /\p{Ll}/u.test(password),
  },
  {
    name: 'number',
    message: "Password don't include at least one number.",
    isMet: (password) => /[0-9]/.test(password),
  },
  {
    name: 'special',
    message: "Password don't include at least one special character.",
    isMet: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
  },
];

/** Last message of registration. */
export const MISMATCH_MESSAGE = 'Passwords do not match.';

/**
 * The rules a registration is held to.
 * @param rule 'composition' as specified; 'length' asks for the length only (setting PASSWORD_RULE)
 * @param least a greater least length than the specified 8, where one is configured (setting PASSWORD_MIN_LENGTH)
 */
export function registrationRulesFor(
  rule: 'composition' | 'length',
  least: number = MIN_REGISTRATION_LENGTH,
): readonly PasswordRule[] {
  const atLeast = Math.max(least, MIN_REGISTRATION_LENGTH);
  const length: PasswordRule = {
    name: 'length',
    message: `Password shorter than ${atLeast} characters.`,
    isMet: (password) => lengthOf(password) >= atLeast,
  };
  return rule === 'length' ? [length] : [length, ...registrationRules.slice(1)];
}

/**
 * All messages that apply to a registration, in the specified order; empty when it can be sent.
 * @param rule 'composition' as specified; 'length' asks for the length only (setting PASSWORD_RULE)
 * @param least as in {@link registrationRulesFor}
 */
export function registrationProblems(
  password: string,
  confirmation: string,
  rule: 'composition' | 'length' = 'composition',
  least: number = MIN_REGISTRATION_LENGTH,
): readonly string[] {
  const rules = registrationRulesFor(rule, least);
  if (isTooLong(password)) return [TOO_LONG_MESSAGE];
  const unmet = rules.filter(({ isMet }) => !isMet(password)).map(({ message }) => message);
  return password === confirmation ? unmet : [...unmet, MISMATCH_MESSAGE];
}

/** The message the form shows: the first that applies, and none until both fields are filled. */
export function registrationMessage(
  password: string,
  confirmation: string,
  rule: 'composition' | 'length' = 'composition',
  least: number = MIN_REGISTRATION_LENGTH,
): string | null {
  if (password === '' || confirmation === '') return null;
  return registrationProblems(password, confirmation, rule, least)[0] ?? null;
}

/** Whether a new password has the least length (change and reset). */
export const isLongEnough = (password: string, least: number = MIN_PASSWORD_LENGTH): boolean =>
  lengthOf(password) >= least;

/** Whether a new password has an acceptable length (change and reset). */
export const hasValidLength = (password: string, least: number = MIN_PASSWORD_LENGTH): boolean =>
  !isTooLong(password) && isLongEnough(password, least);

/** The three fields of the change form. */
export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly newPasswordConfirmation: string;
}

/** Whether the change form can be sent: all fields filled, confirmation equal, length reached. */
export const canChangePassword = (change: PasswordChange, least: number = MIN_PASSWORD_LENGTH): boolean =>
  change.oldPassword !== '' &&
  change.newPassword === change.newPasswordConfirmation &&
  hasValidLength(change.newPassword, least);

/** The message beside the confirmation of the change form; null while it is empty or equal. */
export const confirmationMessage = (newPassword: string, confirmation: string): string | null =>
  confirmation !== '' && confirmation !== newPassword ? CONFIRMATION_MESSAGE : null;

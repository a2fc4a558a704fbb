/** So many at once; used ones come back evenly, all of them within the time. */
export interface Limit {
  /** Names what is counted; two limits never share one. */
  readonly name: string;
  readonly tries: number;
  readonly withinMs: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const limit = (name: string, tries: number, withinMs: number): Limit => ({ name, tries, withinMs });

/**
 * Wrong passwords; a right one gives its try back. Ten at once and then one every 90 seconds lets a person who
 * forgot try all they have, and a guesser a thousand a day, which common passwords, being refused, do not fall to.
 */
export const passwordLimits = {
  /** For one account, from all places together where its owner has not been. */
  account: limit('password.account', 10, 15 * MINUTE),
  /** For one account from one place where its owner has been: nobody elsewhere can use these up. */
  ownPlace: limit('password.ownPlace', 10, 15 * MINUTE),
  /** From one address over all accounts. An office of hundreds may sit behind it on a Monday morning. */
  address: limit('password.address', 100, 15 * MINUTE),
};

/** The same for operators: fewer from one address, for a provider has fewer people than its customers have. */
export const operatorLimits = {
  account: limit('operator.account', 10, 15 * MINUTE),
  ownPlace: limit('operator.ownPlace', 10, 15 * MINUTE),
  address: limit('operator.address', 50, 15 * MINUTE),
};

/** What is refused because of a limit stands in the audit trail once in this time, not once a try. */
export const refusalNotes = limit('refusalNotes', 1, 15 * MINUTE);

/** Calls with one API key, or of one operator: a nightly run may hurry, one that has gone wild is slowed down before it takes the place of people. */
export const programLimit = limit('program', 1_200, MINUTE);

/** What a route or grant is limited by: the address, and where it says so also the account it is about. */
export interface RouteLimit {
  readonly address: Limit;
  /** Counted by the user name in the body; the same for one that nobody has. */
  readonly account?: Limit;
  /** Counted by the signed-in user. */
  readonly user?: Limit;
  /** Counted by the pay link in the body; the same for one that nobody has. */
  readonly link?: Limit;
}

/**
 * Limits of routes (`config.limit`) and grants. They count whatever the outcome, and are generous: an office behind
 * one address lives with them, a program that tries things out does not.
 */
export const routeLimits = {
  /** Each may send a mail. Five links an hour are enough for anybody, and no mailbox is flooded. */
  resetRequest: { address: limit('resetRequest', 60, HOUR), account: limit('resetRequest.account', 5, HOUR) },
  /** The same of operators, who are fewer. */
  operatorResetRequest: {
    address: limit('operatorResetRequest', 30, HOUR),
    account: limit('operatorResetRequest.account', 5, HOUR),
  },
  /** Mailed links and one-time codes have 128 random bits or more: this bounds the work, not the luck. */
  mailedLink: { address: limit('mailedLink', 100, 15 * MINUTE) },
  loginCode: { address: limit('loginCode', 60, 15 * MINUTE) },
  /** The old password is asked for: who holds a stolen session shall not find it out. */
  passwordChange: {
    address: limit('passwordChange', 100, 15 * MINUTE),
    user: limit('passwordChange.user', 10, 15 * MINUTE),
  },
  /** A round trip to the company's provider each; at nine o'clock the whole company starts. */
  singleSignOn: { address: limit('singleSignOn', 600, 15 * MINUTE) },
  /** Browsers ask for a challenge whenever the sign-in page is shown. */
  passkey: { address: limit('passkey', 600, 15 * MINUTE) },
  /** Four an hour for each open portal, and all at once after a network was down. */
  refresh: { address: limit('refresh', 3_000, 15 * MINUTE) },
  /** Grants that name nothing of their own. */
  otherGrant: { address: limit('otherGrant', 300, 15 * MINUTE) },
  /** A page that waits for a confirmation looks every two seconds at first. */
  payPage: { address: limit('payPage', 3_000, 15 * MINUTE) },
  /** Each is drawn again: nobody keeps so many by link, and an archive signs in. */
  payDocument: { address: limit('payDocument', 300, 15 * MINUTE) },
  /** A call centre that takes cards over the phone pays more often than any household. */
  pay: { address: limit('pay', 300, 15 * MINUTE) },
  /** The same of a signed-in person: nobody pays so many times an hour. */
  payBulk: { address: limit('payBulk', 300, 15 * MINUTE), user: limit('payBulk.user', 60, HOUR) },
  /** Each may send a mail to the customer of the link; nobody's mailbox is flooded with them. */
  payLinkMail: { address: limit('payLinkMail', 30, HOUR), link: limit('payLinkMail.link', 3, HOUR) },
  /** Whoever tries out stolen cards by saving them needs many; nobody owns so many. */
  saveMethod: {
    address: limit('saveMethod', 300, 15 * MINUTE),
    user: limit('saveMethod.user', 60, HOUR),
  },
} as const satisfies Record<string, RouteLimit>;

export type RouteLimitName = keyof typeof routeLimits;

import { beforeAll } from 'vitest';
import { hashPassword } from '../src/features/auth/passwords.ts';
import { otpCode } from './otp-code.ts';
import type { TestFixture } from './test-fixture.ts';

export const PASSWORD = 'Ledger!2026';

export interface FactorPerson {
  readonly id: string;
  readonly email: string;
  readonly customerId: string;
  readonly brandId: number;
}

export interface Signed {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Injected {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  json(): Record<string, unknown>;
}

/** People with a password, and their way through the second factor. */
export function factorPeople(fixture: TestFixture) {
  let passwordHash = '';
  beforeAll(async () => {
    passwordHash = await hashPassword(PASSWORD);
  });

  const token = (form: Readonly<Record<string, string>>): Promise<Injected> =>
    fixture.app.inject({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ client_id: 'counterfoil-portal', ...form }).toString(),
    });
  const call = (
    signed: Pick<Signed, 'access_token'>,
    method: 'GET' | 'POST',
    url: string,
    payload?: object,
  ): Promise<Injected> =>
    fixture.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${signed.access_token}` },
      ...(payload === undefined ? {} : { payload }),
    });
  const password = (email: string, text = PASSWORD) =>
    token({ grant_type: 'password', username: email, password: text });

  const signIn = async (email: string): Promise<Signed> => {
    const answer = await password(email);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json() as unknown as Signed;
  };
  /** The right password, so that the second step is due. @returns its token */
  const begin = async (email: string): Promise<string> => {
    const { error, mfa_token: begun } = (await password(email)).json() as unknown as Record<string, string>;
    if (error !== 'mfa_required' || begun === undefined) throw new Error(`${error}`);
    return begun;
  };
  /** What the app shows. @param steps so many times 30 s later */
  const codeOf = (secret: string, steps = 0): string => otpCode(secret, fixture.clock.now(), steps);

  return {
    token,
    call,
    password,
    signIn,
    begin,
    codeOf,
    finish: (begun: string, answer: { otp: string } | { recovery_code: string }) =>
      token({ grant_type: 'urn:counterfoil:mfa', mfa_token: begun, ...answer }),
    async seed(settings: Readonly<Record<string, unknown>> = {}): Promise<FactorPerson> {
      const { reseller, customer } = await fixture.seedPayer(settings);
      const user = await fixture.make.user({
        resellerId: reseller.id,
        passwordHash,
        customerIds: [customer.id],
      });
      return { id: user.id, email: user.email, customerId: customer.id, brandId: reseller.brandId };
    },
    /** Signs in and turns the factor on. Its code of the present step is used up. */
    async enrol(person: FactorPerson): Promise<Signed & { secret: string; codes: readonly string[] }> {
      const signed = await signIn(person.email);
      const started = await call(signed, 'POST', '/v1/ec/second-factor/enrolment', { password: PASSWORD });
      const { secret } = started.json()['data'] as { secret: string };
      const confirmed = await call(signed, 'POST', '/v1/ec/second-factor/enrolment/confirm', {
        otp: codeOf(secret),
      });
      if (confirmed.statusCode !== 200) throw new Error(confirmed.body);
      fixture.clock.advance(60_000);
      return { ...signed, secret, codes: (confirmed.json()['data'] as { codes: string[] }).codes };
    },
    state: async (signed: Pick<Signed, 'access_token'>) =>
      (await call(signed, 'GET', '/v1/ec/second-factor')).json()['data'] as unknown as Record<
        string,
        unknown
      >,
  };
}

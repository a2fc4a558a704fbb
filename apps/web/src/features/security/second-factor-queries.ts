import type {
  Enrolment,
  EnrolmentConfirm,
  EnrolmentStart,
  FactorRemoval,
  RecoveryCodes,
  RecoveryCodesRequest,
  SecondFactorState,
} from '@counterfoil/contract/people/second-factor.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';

const path = '/v1/ec/second-factor';

export const secondFactorQueries = {
  /** Asked for again at each visit: codes are used up at sign-ins. */
  state: () =>
    queryOptions({
      queryKey: ['second-factor'],
      queryFn: ({ signal }) => api.get<SecondFactorState>(path, { signal }),
      staleTime: 0,
    }),
};

export const startEnrolment = (body: EnrolmentStart) => api.post<Enrolment>(`${path}/enrolment`, body);

/** @returns the recovery codes, this once */
export const confirmEnrolment = (body: EnrolmentConfirm) =>
  api.post<RecoveryCodes>(`${path}/enrolment/confirm`, body);

/** @returns the new codes, this once */
export const renewRecoveryCodes = (body: RecoveryCodesRequest) =>
  api.post<RecoveryCodes>(`${path}/recovery-codes`, body);

export const turnOff = (body: FactorRemoval) => api.post<void>(`${path}/removal`, body);

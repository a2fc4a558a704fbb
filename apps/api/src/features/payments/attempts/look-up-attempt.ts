import { lookUpRefund } from '../refunds/refund-lookup.ts';
import { lookUpResubmission } from '../reversals/resubmissions.ts';
import type { AttemptRow, Direction } from './attempt-row.ts';
import { type EngineDeps, lookUpCharge } from './engine.ts';

type LookUp = (deps: EngineDeps, attempt: AttemptRow) => Promise<AttemptRow>;

const lookUps: Readonly<Record<Direction, LookUp>> = {
  charge: lookUpCharge,
  refund: lookUpRefund,
  resubmission: lookUpResubmission,
};

/** Looks into one open attempt of whatever direction. @returns the attempt afterwards */
export const lookUpAttempt: LookUp = (deps, attempt) => lookUps[attempt.direction](deps, attempt);

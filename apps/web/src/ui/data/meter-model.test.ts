import { expect, it } from 'vitest';
import { meterState } from './meter-model.ts';

it.each([
  [0, 100, { share: 0, tone: 'plain', left: 100 }],
  [90, 100, { share: 90, tone: 'plain', left: 10 }],
  [90.1, 100, { share: 90.1, tone: 'warning', left: 9.9 }],
  [100, 100, { share: 100, tone: 'warning', left: 0 }],
  [130.5, 100, { share: 100, tone: 'warning', left: -30.5 }],
  [0, 0, { share: 0, tone: 'plain', left: 0 }],
  [1, 0, { share: 100, tone: 'warning', left: -1 }],
] as const)('%d of %d', (consumption, quantity, state) => {
  const { share, ...rest } = meterState(consumption, quantity);
  expect({ share: Number(share.toFixed(6)), ...rest }).toEqual(state);
});

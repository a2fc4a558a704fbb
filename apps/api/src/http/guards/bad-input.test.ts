import { badInputTrial } from '../../../test/bad-input/trial.ts';

badInputTrial({ count: 3_000, seed: 1 });

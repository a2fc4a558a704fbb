import { badInputTrial } from '../../../test/bad-input/trial.ts';

badInputTrial({ count: 4_000, seed: 1 });

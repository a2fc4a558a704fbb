import { badInputTrial } from '../../../test/bad-input/trial.ts';

badInputTrial({ count: 100_000, seed: 2 });

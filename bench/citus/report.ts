import { type Figure, printHeld } from '../support/figure.ts';

/** Prints a figure of this bench. */
export const print = (figure: Omit<Figure, 'bench'>): void => printHeld({ bench: 'citus', ...figure });

import { type Figure, printHeld } from '../support/figure.ts';

/** What it does, for who watches. */
export const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

/** Prints a figure of this bench. */
export const print = (figure: Omit<Figure, 'bench'>): void => printHeld({ bench: 'usage', ...figure });

/** A number with its thousands apart, e.g. '10,000,000'. */
export const grouped = (value: number): string => value.toLocaleString('en');

/** Milliseconds with two digits, for tables that people read. */
export const ms = (value: number): string => String(Math.round(value * 100) / 100);

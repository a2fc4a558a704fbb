import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** 230 KiB with its dictionary: loaded on demand, when somebody begins to choose a password. */
const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * How well a password would stand guessing.
 * @param words what guessers know about the person: names, address, brand
 * @returns 0 to 4
 */
export const estimate = (password: string, words: readonly string[]): number =>
  estimator.check(password, [...words]).score;

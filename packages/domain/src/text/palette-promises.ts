import { contrast } from './colour.ts';

/** Light or dark grounds. */
export type Theme = 'light' | 'dark';

/** Every colour role; in CSS each is the custom property of that name. */
export const roleNames = [
  'surface',
  'canvas',
  'hover',
  'selected',
  'line',
  'line-strong',
  'ink',
  'ink-muted',
  'accent',
  'on-accent',
  'accent-hover',
  'accent-edge',
  'accent-text',
  'accent-ui',
  'on-accent-ui',
  'header',
  'on-header',
  'header-muted',
  'header-raised',
  'header-line',
  'success',
  'success-soft',
  'danger',
  'danger-soft',
  'warning',
  'warning-soft',
  'info',
  'info-soft',
] as const;
/** One of {@link roleNames}. */
export type RoleName = (typeof roleNames)[number];
/** A colour, '#rrggbb', for every role. */
export type Roles = Record<RoleName, string>;

/** A foreground that keeps a contrast on a ground, for every brand and theme. */
export interface PromisedPair {
  readonly foreground: RoleName;
  readonly ground: RoleName;
  /** Least WCAG 2 contrast. */
  readonly least: number;
}

const grounds: readonly RoleName[] = ['surface', 'canvas', 'hover', 'selected'];
const statuses = ['success', 'danger', 'warning', 'info'] as const;

function pairs(text: number, graphic: number): readonly PromisedPair[] {
  const pair = (foreground: RoleName, ground: RoleName, least: number): PromisedPair => ({
    foreground,
    ground,
    least,
  });
  return [
    ...grounds.flatMap((ground) => [
      pair('ink', ground, 7),
      pair('ink-muted', ground, text),
      pair('accent-text', ground, text),
      pair('accent-ui', ground, graphic),
      ...statuses.map((status) => pair(status, ground, text)),
    ]),
    pair('on-accent', 'accent', text),
    pair('on-accent', 'accent-hover', text),
    pair('on-accent-ui', 'accent-ui', graphic),
    pair('accent-edge', 'surface', graphic),
    pair('accent-edge', 'canvas', graphic),
    pair('line-strong', 'surface', graphic),
    pair('line-strong', 'canvas', graphic),
    pair('line-strong', 'hover', graphic),
    pair('on-header', 'header', text),
    pair('header-muted', 'header', text),
    pair('on-header', 'header-raised', text),
    ...statuses.flatMap((status) => [pair(status, `${status}-soft`, text), pair('ink', `${status}-soft`, 7)]),
  ];
}

/** What is promised to everybody: WCAG 2.2 AA, and 7:1 for ink. */
export const promisedPairs: readonly PromisedPair[] = pairs(4.5, 3);
const strongPairs: readonly PromisedPair[] = pairs(7, 4.5);

/** What is promised, also to a person who asked for more contrast. */
export const promisedPairsFor = (options: {
  readonly moreContrast?: boolean | undefined;
}): readonly PromisedPair[] => (options.moreContrast === true ? strongPairs : promisedPairs);

/** A promised pair that falls short. */
export interface ShortPair extends PromisedPair {
  readonly contrast: number;
}

/** The pairs of `promised` that these roles do not keep; empty when all hold. */
export const checkRoles = (
  roles: Roles,
  promised: readonly PromisedPair[] = promisedPairs,
): readonly ShortPair[] =>
  promised
    .map((pair) => ({ ...pair, contrast: contrast(roles[pair.foreground], roles[pair.ground]) }))
    .filter((pair) => pair.contrast < pair.least);

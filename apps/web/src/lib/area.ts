import type { BrandSettings } from '@counterfoil/contract/brand.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Portal } from './portal/portal-context.ts';

/** Brand flags that switch an area on. */
export type AreaFlag = Extract<keyof BrandSettings, `endShow${string}`>;

/** What an area may load right after the sign-in, before any of its pages is asked for. */
export interface SignInPreload {
  readonly client: QueryClient;
  readonly portal: Portal;
}

/** What a page may begin to load while its code is still on its way. */
export interface PreloadArguments extends SignInPreload {
  readonly params: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, unknown>>;
}

interface AreaPage {
  /** The page's module; its default export is drawn. */
  readonly page: () => Promise<{ readonly default: ComponentType }>;
  /** Starts the page's queries; not awaited, the page draws its own loading state. */
  readonly preload?: (args: PreloadArguments) => void;
}

export interface Area extends AreaPage {
  /** Below the root: '/invoices'. */
  readonly path: `/${string}`;
  /** Word in the menu and the page title. */
  readonly label: (portal: Portal) => string;
  /** Brand flag that enables the area; absent: always, unless `isEnabled` says otherwise. */
  readonly flag?: AreaFlag;
  /** A further condition, for areas that depend on more than a flag. */
  readonly isEnabled?: (portal: Portal) => boolean;
  /** Where a disabled area leads; absent, or disabled too: to the landing page. */
  readonly otherwise?: '/dashboard';
  /** Place in the header's menu; absent: not in it. */
  readonly menu?: number;
  /** Path of the area of the menu that is current on pages of this one: Invoices while invoices are paid. */
  readonly within?: `/${string}`;
  /** Place in the order in which `/` looks for a page to land on; absent: never landed on. */
  readonly landing?: number;
  /** Place in the Settings menu; absent: not in it. */
  readonly settings?: number;
  /** Shown to a person whose brand asks for a second factor they do not have yet: where they set it up. */
  readonly beforeSecondFactor?: boolean;
  /** Where a person chooses a password: whose own was made for them lands there until they have. */
  readonly choosesPassword?: boolean;
  /** Loads what shall be at hand whichever page comes first; `/redirect-loader` waits for it, within bounds. */
  readonly preloadAtSignIn?: (args: SignInPreload) => Promise<unknown>;
  /** Pages under the area's path: '$id'. They are enabled with it. */
  readonly children?: readonly (AreaPage & { readonly path: string })[];
}

/**
 * Declares an area of the signed-in portal in `features/<feature>/area.ts`. Router, guards, menu and landing order
 * derive from all areas found there, so nothing central changes when one is added.
 */
export const defineArea = (area: Area): Area => area;

/** Whether a brand shows an area to this person. */
export const isAreaEnabled = (area: Area, portal: Portal): boolean =>
  (!portal.me.needsSecondFactor || area.beforeSecondFactor === true) &&
  (area.flag === undefined || portal.brand[area.flag] === true) &&
  (area.isEnabled?.(portal) ?? true);

type Place = 'menu' | 'landing' | 'settings';

/** Enabled areas that have a place in the menu, the landing order or the Settings menu, in that order. */
export const areasIn = (place: Place, areas: readonly Area[], portal: Portal): readonly Area[] =>
  areas
    .filter((area) => area[place] !== undefined && isAreaEnabled(area, portal))
    .toSorted((a, b) => (a[place] ?? 0) - (b[place] ?? 0));

/**
 * The first enabled area in landing order (specification, portal §2); undefined when a brand shows none. Whoever has
 * to set up a second factor or to choose a password first lands there.
 */
export function landingPath(areas: readonly Area[], portal: Portal): string | undefined {
  const { needsSecondFactor, passwordExpiresAt } = portal.me;
  const choosing = passwordExpiresAt === null ? [] : areas.filter((area) => area.choosesPassword === true);
  const first = choosing.filter((area) => isAreaEnabled(area, portal));
  return [...first, ...areasIn(needsSecondFactor ? 'settings' : 'landing', areas, portal)][0]?.path;
}

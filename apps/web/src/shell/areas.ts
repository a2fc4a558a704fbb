import type { Area } from '../lib/area.ts';

const modules = import.meta.glob<{ readonly area: Area }>('../features/*/area.ts', { eager: true });

/** Every area a feature declares. */
export const areas: readonly Area[] = Object.values(modules).map((module) => module.area);

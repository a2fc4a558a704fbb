const PLACEHOLDER = /\{([^{}]*)\}/g;

/** The names that stand in braces in a text, in their order: those of 'Dear {name}, …' are `name`. */
export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** A text with its values; a value is never read as a text again, and what is unknown stays as it stands. */
export const withValues = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );

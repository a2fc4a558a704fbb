/** What draws a provider's inputs and what holds them say to each other. No React: the page calls it too. */

/** One input of a provider as it is now. */
export interface FieldState {
  readonly isReady: boolean;
  readonly isFocused: boolean;
  readonly isEmpty: boolean;
  readonly isComplete: boolean;
  readonly error: string;
}
/** By the input's name. */
export type FieldStates = Readonly<Partial<Record<string, FieldState>>>;

/** The provider's objects behind the inputs of one form. */
export interface ProviderSession {
  /** The first stands alone, the others by two. */
  readonly fields: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Told after every change of a field. */
  changed: (states: FieldStates) => void;
  /**
   * Loads the script and puts the inputs into their boxes.
   * @param again start over with a script that did not come
   * @returns the way to take them out again; safe to call at any time and more than once
   */
  mount(boxes: ReadonlyMap<string, HTMLElement>, again: boolean, failed: () => void): () => void;
  disable(disabled: boolean): void;
  focus(field: string): void;
}

/** For every state, the state each event leads to. Every cell is written: a forgotten one fails the type check. */
export type StateTable<State extends PropertyKey, Event extends string> = {
  readonly [S in State]: { readonly [E in Event]: State };
};

/**
 * What slices keep in memory between calls. It is created once for each context and closed with it. A slice adds its
 * part to this interface, and its manifest creates the part (`state` in `slice.ts`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: slices declare their parts into it.
export interface SliceState {}

/**
 * The hooks with which slices add to the work of another slice: for each name, the type of one addition. The slice that
 * calls the hook adds the name to this interface. A manifest that takes part has a member of that name.
 */
// biome-ignore lint/suspicious/noEmptyInterface: slices declare their names into it.
export interface SliceHooks {}

/**
 * The additions of all manifests, in the order of the slices; lists are joined to one. A name is absent when no manifest
 * has it.
 */
export type Hooks = {
  readonly [Name in keyof SliceHooks]?: SliceHooks[Name] extends readonly (infer One)[]
    ? readonly One[]
    : readonly SliceHooks[Name][]
}

/** A part of the state that must do something when the process stops. */
export interface Closable {
  /** The server stops: ends all waits, so that the running requests can end. */
  drain?(): void
  /** The context is closed: nothing uses this part any more. */
  close?(): void | Promise<void>
}

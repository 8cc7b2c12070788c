/**
 * What slices keep in memory between calls: made once for each context and closed with it. A slice declares its part
 * into this interface, and its manifest makes it (`state` in `slice.ts`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: slices declare their parts into it.
export interface SliceState {}

/**
 * What one slice lets others add to its own work: for each name, the type of one addition. The slice that asks declares
 * the name into this interface; a manifest that takes part has a member of that name.
 */
// biome-ignore lint/suspicious/noEmptyInterface: slices declare their names into it.
export interface SliceHooks {}

/** The additions of all manifests, in their order, lists joined to one; absent where no manifest has any. */
export type Hooks = {
  readonly [Name in keyof SliceHooks]?: SliceHooks[Name] extends readonly (infer One)[]
    ? readonly One[]
    : readonly SliceHooks[Name][]
}

/** A part of the state that must do something at the end. */
export interface Closable {
  /** The server stops: lets go whoever waits, so that the requests in flight can end. */
  drain?(): void
  /** The context is closed: nothing asks for it any more. */
  close?(): void | Promise<void>
}

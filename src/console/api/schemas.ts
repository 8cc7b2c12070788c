import type { components } from './schema'

export type Schemas = components['schemas']

/** An event of any type: for what is shown of all of them in the same way. */
export type AnyEvent = Omit<Schemas['Event'], 'type' | 'data'> & { type: string; data: Record<string, unknown> }

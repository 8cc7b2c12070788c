import type { components } from './schema'

export type Schemas = components['schemas']

/** Every code of a refusal. */
export type RefusalCode = Schemas['Failure']['error']['code']

/** An event of any type, for parts that are shown in the same way for all of them. */
export type AnyEvent = Omit<Schemas['ListedEvent'], 'type' | 'data' | 'person'> & {
  type: string
  data: Record<string, unknown>
  /** Only an item of a list names its person. */
  person?: Schemas['PersonRef'] | null
}

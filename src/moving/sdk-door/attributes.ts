import type { Context } from '../../base/context'
import { type AttributeChanges, applyAttributes } from '../../people/subscribers/attributes'
import { lockLive, type SubscriberRow, updateSubscriber } from '../../people/subscribers/service'
import { SDK_RESERVED } from './reserved-keys'

/** Why one attribute was not saved. */
export interface AttributeError {
  key_name: string
  message: string
}

type Stored = SubscriberRow['attributes']

interface Change {
  key: string
  /** Null deletes the attribute. */
  value: string | null
  updatedAt: number
}

const MAX_KEYS = 500
const MAX_SHOWN_KEY = 100

/** Saves the attributes that can be saved, and returns those that cannot. The newest change of a key wins. */
export async function setSdkAttributes(
  ctx: Context,
  subscriber: SubscriberRow,
  given: unknown,
): Promise<AttributeError[]> {
  const { changes, errors } = readChanges(given, ctx.clock.now())
  if (changes.length === 0) return errors
  const refused = await ctx.write(async (tx) => {
    const row = await lockLive(tx, subscriber)
    if (row.erasedAt !== null) return []
    const result = applyChanges(row.attributes, changes)
    if (result.attributes !== row.attributes) {
      await updateSubscriber(tx, row.id, { attributes: result.attributes, updatedAt: tx.clock.now() })
      tx.afterCommit(() => tx.state.changeSignal.notify(row.id))
    }
    return result.errors
  })
  return [...errors, ...refused]
}

/** The changes in the body: `{key: {value, updated_at_ms}}`. A phone sends an empty text for a deleted attribute. */
function readChanges(given: unknown, now: number): { changes: Change[]; errors: AttributeError[] } {
  const entries = typeof given === 'object' && given !== null ? Object.entries(given).slice(0, MAX_KEYS) : []
  const changes: Change[] = []
  const errors: AttributeError[] = []
  for (const [key, change] of entries) {
    const { value, updated_at_ms: at } = (change ?? {}) as { value?: unknown; updated_at_ms?: unknown } // Read below.
    const updatedAt = typeof at === 'number' && Number.isFinite(at) ? Math.min(Math.max(Math.trunc(at), 0), now) : now
    if (value === null || value === undefined || value === '') changes.push({ key, value: null, updatedAt })
    else if (typeof value === 'string') changes.push({ key, value, updatedAt })
    else errors.push(errorOf(key, 'must be a string or null'))
  }
  return { changes, errors }
}

const errorOf = (key: string, message: string): AttributeError => ({ key_name: key.slice(0, MAX_SHOWN_KEY), message })

/** Applies the changes one by one, so that a refused one does not keep the others from being saved. */
export function applyChanges(
  stored: Stored,
  changes: readonly Change[],
): { attributes: Stored; errors: AttributeError[] } {
  let attributes = stored
  const errors: AttributeError[] = []
  for (const { key, value, updatedAt } of changes) {
    const held = Object.hasOwn(attributes, key) ? attributes[key] : undefined
    if (held && held.updatedAt > updatedAt) continue
    const change: AttributeChanges = { [key]: value }
    const rules = { now: updatedAt, source: 'sdk', extraReservedKeys: true, reservedKeys: SDK_RESERVED }
    const result = applyAttributes(attributes, change, rules)
    if (result.ok) attributes = stamped(result.attributes, key, updatedAt)
    else errors.push(errorOf(key, result.faults.join('; ')))
  }
  return { attributes, errors }
}

/** An equal value is a newer change all the same. */
function stamped(attributes: Stored, key: string, updatedAt: number): Stored {
  const held = Object.hasOwn(attributes, key) ? attributes[key] : undefined
  return held ? { ...attributes, [key]: { ...held, updatedAt } } : attributes
}

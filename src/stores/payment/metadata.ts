/** What checkout writes into the provider's objects, and reads back when the provider tells of them. */
export interface PurchaseMetadata {
  subscriberId: string | null
  deviceKey: string | null
  presentedContext: Record<string, unknown> | null
}

export const SUBSCRIBER_KEY = 'svc_subscriber_id'
export const DEVICE_KEY = 'svc_device_key'
export const CONTEXT_KEY = 'svc_presented_context'
/** Of a one-time payment: its object names no price. */
export const PRICE_KEY = 'svc_price_id'

/** The longest value that the provider keeps. */
export const MAX_VALUE_LENGTH = 500

export const readMetadata = (metadata: Readonly<Record<string, string>>): PurchaseMetadata => ({
  subscriberId: metadata[SUBSCRIBER_KEY] ?? null,
  deviceKey: metadata[DEVICE_KEY] ?? null,
  presentedContext: readContext(metadata[CONTEXT_KEY]),
})

/** Members of the metadata; a context too long to be kept is left out, for it must not cost the sale. */
export function writeMetadata({ subscriberId, deviceKey, presentedContext }: PurchaseMetadata): Record<string, string> {
  const context = presentedContext ? JSON.stringify(presentedContext) : null
  const members: [name: string, value: string | null][] = [
    [SUBSCRIBER_KEY, subscriberId],
    [DEVICE_KEY, deviceKey],
    [CONTEXT_KEY, context !== null && context.length <= MAX_VALUE_LENGTH ? context : null],
  ]
  return Object.fromEntries(members.filter((member): member is [string, string] => member[1] !== null))
}

// The seller can edit it in the provider's dashboard.
function readContext(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && !UNSTORABLE.test(JSON.stringify(value)) ? value : null
  } catch {
    return null // Not JSON any more.
  }
}

/** NUL and lone surrogates, as JSON writes them: no database column of JSON holds them everywhere. */
const UNSTORABLE = /\\u(0000|d[89a-f]..)/

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

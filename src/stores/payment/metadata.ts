/** The metadata that checkout writes into the provider's objects and reads back from them. */
export interface PurchaseMetadata {
  subscriberId: string | null
  deviceKey: string | null
  presentedContext: Record<string, unknown> | null
}

export const SUBSCRIBER_KEY = 'svc_subscriber_id'
export const DEVICE_KEY = 'svc_device_key'
export const CONTEXT_KEY = 'svc_presented_context'
/** Only on a one-time payment, whose object names no price. */
export const PRICE_KEY = 'svc_price_id'

/** The longest value that the provider stores. */
export const MAX_VALUE_LENGTH = 500

export const readMetadata = (metadata: Readonly<Record<string, string>>): PurchaseMetadata => ({
  subscriberId: metadata[SUBSCRIBER_KEY] ?? null,
  deviceKey: metadata[DEVICE_KEY] ?? null,
  presentedContext: readContext(metadata[CONTEXT_KEY]),
})

/** The metadata to write. A context that is too long is omitted, for it must not prevent the sale. */
export function writeMetadata({ subscriberId, deviceKey, presentedContext }: PurchaseMetadata): Record<string, string> {
  const context = presentedContext ? JSON.stringify(presentedContext) : null
  const members: [name: string, value: string | null][] = [
    [SUBSCRIBER_KEY, subscriberId],
    [DEVICE_KEY, deviceKey],
    [CONTEXT_KEY, context !== null && context.length <= MAX_VALUE_LENGTH ? context : null],
  ]
  return Object.fromEntries(members.filter((member): member is [string, string] => member[1] !== null))
}

// The seller can edit the metadata in the provider's dashboard.
function readContext(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && !UNSTORABLE.test(JSON.stringify(value)) ? value : null
  } catch {
    return null // No longer JSON.
  }
}

/** NUL and lone surrogates in JSON escapes: not every database can store them in a JSON column. */
const UNSTORABLE = /\\u(0000|d[89a-f]..)/

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

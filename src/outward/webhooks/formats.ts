import type { Context } from '../../base/context'
import type { EventRow } from '../../people/events/feed'
import type { OpenDelivery } from '../deliveries/model'
import { equivalentOf, vendorRequest } from '../vendor-format/service'
import { MAX_BODY_BYTES, standardBody } from './body'
import type { WebhookFormat } from './model'

/** A delivery whose event is there. */
export type EventDelivery = OpenDelivery & { event: EventRow }

export interface FormattedRequest {
  body: string
  /** Headers of the format, in addition to those of every webhook; their names in lower case. */
  headers: Record<string, string>
}

/** How the events of an endpoint look. */
interface Format {
  /** Whether the event can be told in it at all. */
  has(event: EventRow): boolean
  /** What is sent; null when the event cannot be sent in it. */
  request(ctx: Context, delivery: EventDelivery, authorization: string | null): Promise<FormattedRequest | null>
}

const standard: Format = {
  has: () => true,
  async request(_ctx, { event }) {
    const body = standardBody(event)
    return body === null ? null : { body, headers: {} }
  },
}

const revenuecat: Format = {
  has: hasVendorEvent,
  async request(ctx, delivery, authorization) {
    const request = await vendorRequest(ctx, delivery, authorization)
    if (request === null || Buffer.byteLength(request.body) > MAX_BODY_BYTES) return null
    return { body: request.body, headers: Object.fromEntries(new Headers(request.headers)) }
  },
}

/** An event that cannot be read counts as one: its delivery fails then, and the other events of the project go on. */
function hasVendorEvent(event: EventRow): boolean {
  try {
    return equivalentOf(event) !== null
  } catch {
    return true
  }
}

export const formatOf: Record<WebhookFormat, Format> = { standard, revenuecat }

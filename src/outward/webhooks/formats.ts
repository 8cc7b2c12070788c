import type { Context } from '../../base/context'
import type { EventRow } from '../../people/events/feed'
import type { OpenDelivery } from '../deliveries/model'
import { equivalentsOf, vendorRequests } from '../vendor-format/service'
import { MAX_BODY_BYTES, standardBody } from './body'
import type { WebhookFormat } from './model'

/** A delivery whose event is there. */
export type EventDelivery = OpenDelivery & { event: EventRow }

export interface FormattedRequest {
  /** The `webhook-id`: receivers that know it have seen this request. */
  id: string
  body: string
  /** Headers of the format, in addition to those of every webhook; their names in lower case. */
  headers: Record<string, string>
}

/** How the events of an endpoint look. */
interface Format {
  /** Whether the format has a form for the event at all. */
  has(event: EventRow): boolean
  /**
   * The requests in order; none when there is nothing to send after all, and null when it can never be sent
   * because it is too long.
   */
  requests(ctx: Context, delivery: EventDelivery, authorization: string | null): Promise<FormattedRequest[] | null>
}

const standard: Format = {
  has: () => true,
  async requests(_ctx, { event }) {
    const body = standardBody(event)
    return body === null ? null : [{ id: event.id, body, headers: {} }]
  },
}

const revenuecat: Format = {
  has: hasVendorEvent,
  async requests(ctx, delivery, authorization) {
    const requests = await vendorRequests(ctx, delivery, authorization)
    if (requests.some(({ body }) => Buffer.byteLength(body) > MAX_BODY_BYTES)) return null
    return requests.map(({ type, body, headers }, index) => ({
      // A receiver must not take the second request of an event for a repetition of the first.
      id: index === 0 ? delivery.event.id : `${delivery.event.id}_${type.toLowerCase()}`,
      body,
      headers: Object.fromEntries(new Headers(headers)),
    }))
  },
}

/** An event that cannot be read counts as one: its delivery fails then, and the other events of the project are delivered. */
function hasVendorEvent(event: EventRow): boolean {
  try {
    return equivalentsOf(event).length > 0
  } catch {
    return true
  }
}

export const formatOf: Record<WebhookFormat, Format> = { standard, revenuecat }

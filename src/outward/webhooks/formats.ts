import type { Context } from '../../base/context'
import type { EventRow } from '../../people/events/feed'
import type { OpenDelivery } from '../deliveries/model'
import { standardBody } from './body'
import type { WebhookFormat } from './model'

/** A delivery whose event is there. */
export type EventDelivery = OpenDelivery & { event: EventRow }

export interface FormattedRequest {
  body: string
  /** Headers of the format, in addition to those of every webhook. */
  headers: Record<string, string>
}

/** How the events of an endpoint look. */
interface Format {
  /** Whether events of the type can be sent in it at all. */
  has(type: string): boolean
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

export const formatOf: Record<WebhookFormat, Format> = { standard, revenuecat: standard }

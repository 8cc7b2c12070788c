import type { Context } from '../../base/context'
import type { OpenDelivery } from '../deliveries/model'
import { type VendorBody, vendorBodies } from './body'
import { equivalentsOf } from './equivalent'
import { loadFacts } from './load-facts'
import { testBody } from './test-body'

export { equivalentsOf }

export interface VendorRequest {
  /** The vendor's name of the event. */
  type: string
  body: string
  headers: Record<string, string>
}

type Delivery = Pick<OpenDelivery, 'id' | 'projectId' | 'isTest' | 'event'>

/**
 * What a delivery of an endpoint with `format: "revenuecat"` POSTs, one after the other; none when the vendor would
 * send nothing. The `authorization` of the endpoint is sent as it is, without a scheme before it.
 */
export async function vendorRequests(
  ctx: Context,
  delivery: Delivery,
  authorization: string | null,
): Promise<VendorRequest[]> {
  const headers = {
    'Content-Type': 'application/json',
    ...(authorization === null ? {} : { Authorization: authorization }),
  }
  const bodies = await bodiesOf(ctx, delivery)
  return bodies.map((body) => ({ type: body.event.type, body: JSON.stringify(body), headers }))
}

async function bodiesOf(ctx: Context, delivery: Delivery): Promise<VendorBody[]> {
  if (delivery.isTest) return [testBody(delivery)]
  const { event } = delivery
  if (event === null || equivalentsOf(event).length === 0) return []
  const project = await ctx.state.projects.find(event.projectId)
  return project ? vendorBodies(event, await loadFacts(ctx, project, event)) : []
}

import type { Context } from '../../base/context'
import type { OpenDelivery } from '../deliveries/model'
import { type VendorBody, vendorBody } from './body'
import { equivalentOf, hasEquivalent } from './equivalent'
import { loadFacts } from './load-facts'
import { testBody } from './test-body'

export { equivalentOf, hasEquivalent }

export interface VendorRequest {
  body: string
  headers: Record<string, string>
}

type Delivery = Pick<OpenDelivery, 'id' | 'projectId' | 'isTest' | 'event'>

/**
 * What a delivery of an endpoint with `format: "revenuecat"` POSTs; null when the vendor would send nothing. The
 * `authorization` of the endpoint is sent as it is, without a scheme before it.
 */
export async function vendorRequest(
  ctx: Context,
  delivery: Delivery,
  authorization: string | null,
): Promise<VendorRequest | null> {
  const body = await bodyOfDelivery(ctx, delivery)
  if (body === null) return null
  const headers = {
    'Content-Type': 'application/json',
    ...(authorization === null ? {} : { Authorization: authorization }),
  }
  return { body: JSON.stringify(body), headers }
}

async function bodyOfDelivery(ctx: Context, delivery: Delivery): Promise<VendorBody | null> {
  if (delivery.isTest) return testBody(delivery)
  const { event } = delivery
  if (event === null || equivalentOf(event) === null) return null
  const project = await ctx.state.projects.find(event.projectId)
  return project && vendorBody(event, await loadFacts(ctx, project, event))
}

import type { Context } from '../../base/context'
import { presentedOfferings } from '../../targeting/offerings/presentation'
import { placedOfferings } from '../../targeting/placements/presentation'
import type { AdmittedCall, SdkAnswer } from './admitted'
import { namingOf, type SdkCaller } from './model'
import { toEntitlementMapping, toOfferings } from './offerings'
import { checkPersonId, findPerson, mayBeShown } from './people'
import { soldProducts, testProducts } from './products'

export async function answerOfferings(ctx: Context, { caller, call, request }: AdmittedCall): Promise<SdkAnswer> {
  const personId = checkPersonId(call.personId)
  const isShown = await mayBeShown(ctx, caller, personId, request.headers)
  const subscriber = isShown ? await findPerson(ctx, caller.project.id, personId) : null
  const target = subscriber && { subscriber, deviceKey: subscriber.deviceKey }
  const [{ offerings }, placed] = await Promise.all([
    presentedOfferings(ctx, caller.project, target),
    placedOfferings(ctx, caller.project, target),
  ])
  return { body: toOfferings(offerings, placed, namingOf(caller)) }
}

/** More than an SDK asks for at once: its paths have at most 2000 characters. */
const MAX_PRODUCTS = 200

export async function answerProducts(ctx: Context, { caller, request }: AdmittedCall): Promise<SdkAnswer> {
  const { productByIdentifier } = caller.project.catalog
  const ids = new Set(new URL(request.url).searchParams.getAll('id').slice(0, MAX_PRODUCTS))
  const products = [...ids].flatMap((id) => productByIdentifier.get(id) ?? [])
  return { body: caller.isTest ? testProducts(products) : await soldProducts(ctx, caller.project, products) }
}

export function answerMapping(_ctx: Context, { caller }: AdmittedCall): SdkAnswer {
  const { products, access } = caller.project.catalog
  return {
    body: toEntitlementMapping(products.values(), (id) => access.get(id)?.identifier ?? null, namingOf(caller)),
  }
}

export const brandingOf = ({ project }: SdkCaller) => ({
  id: project.id,
  app_name: project.name,
  app_icon: null,
  app_icon_webp: null,
  app_wordmark: null,
  app_wordmark_webp: null,
  appearance: null,
  support_email: null,
  gateway_tax_collection_enabled: false,
  brand_font_config: null,
})

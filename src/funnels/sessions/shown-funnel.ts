import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { chooseLocale, isLocale } from '../../core/funnel/locale'
import { toHostname } from '../domains/service'
import { offerOf } from './hooks'
import type { OpenFunnel } from './open-funnel'

/** A published funnel as visitors get it, with what it sells today. */
export async function shownFunnel(
  ctx: Context,
  { project, funnel }: OpenFunnel,
  { hostname, locale }: { hostname: string | undefined; locale: string | null },
) {
  const document = await ctx.state.funnelDocuments.get(ctx, funnel.id, funnel.versionNo)
  const none = { prices: [], payment: null, chargesEnabled: false }
  const offer = document
    ? await offerOf(ctx, project.id, document, { walletsOn: hostname === undefined ? null : toHostname(hostname) })
    : none
  const presentedContext = {
    ...{ placementId: null, placementRevision: null, variantId: null, experimentKey: null },
    ...{ funnelId: funnel.id, funnelVersionNo: funnel.versionNo },
  }
  return { funnel: { ...funnel, locale: chooseLocale(funnel, locale), presentedContext }, ...offer }
}

/** The language that a call names; 400 for a text that is no language tag. */
export function wantedLocale(given: string | undefined): string | null {
  const locale = given?.trim() || null
  if (locale === null || isLocale(locale)) return locale
  throw invalid('locale must be a language tag (BCP 47) such as en or tr-TR')
}

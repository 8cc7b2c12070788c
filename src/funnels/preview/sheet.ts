import type { FunnelContent, FunnelPage } from '../../core/funnel/model'
import { drawCheckout, enterOf } from '../../core/funnel/render/checkout'
import type { ProjectRow } from '../../projects/project/service'
import type { FunnelOffer } from '../sessions/hooks'

interface Shown {
  content: FunnelContent
  page: FunnelPage
  project: ProjectRow
  locale: string
  offer: FunnelOffer
  /** The button that was pressed. */
  pressed: string | null
}

/**
 * The sheet of the test store on the payment page of a preview. Its buttons show what visitors see, and no payment is
 * started. With an account the page shows only the prices: the form of the provider belongs to a payment.
 */
export function previewSheet({ content, page, project, locale, offer, pressed }: Shown) {
  if (page.type !== 'payment' || offer.payment?.provider !== 'test') return {}
  const pending = PENDING[pressed ?? ''] ?? null
  const below = drawCheckout({
    ...{ locale, provider: 'test', prices: offer.prices, email: '', asksEmailFirst: false, isPreview: true, pending },
    promotion: { code: '', reductions: [] },
    requiresConsent: content.settings.requireTermsConsent === true,
    links: { terms: project.termsUrl, privacy: project.privacyUrl },
    notice: pressed === 'declined' ? 'declined' : null,
    script: null,
  })
  const enter = { name: 'pay', value: enterOf({ provider: 'test', pending, asksEmailFirst: false }) }
  return { below, hidesNext: true, enter }
}

const PENDING: Readonly<Record<string, 'requires_action' | 'processing'>> = {
  needs_authentication: 'requires_action',
  processing: 'processing',
}

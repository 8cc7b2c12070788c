import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding, firstNames, namesText } from '../../core/finding/findings'
import { loadStoreSettings } from '../../projects/connections/credentials'
import { readPublished } from '../publication/service'

/** Whether visitors can pay in the funnels that are published. */
export const funnelPaymentExamination: Examination = {
  name: 'funnel-payments',
  async project({ handle, vault, config }, { id }) {
    const payment = (await loadStoreSettings(handle, vault, id)).get('payment')
    if (!payment) return {}
    const mode = payment.config.mode === 'live' ? 'live' : 'test'
    const key = payment.config.publishableKey ?? config.paymentConnect[mode]?.publishableKey ?? null
    if (key !== null) return {}
    const selling = (await readPublished(handle, id)).rows.filter(({ document }) =>
      document.pages.some(({ type }) => type === 'payment'),
    )
    return { gaps: selling.length === 0 ? [] : [gapOf(selling.map(({ slug }) => slug).sort())] }
  },
}

const MAX_NAMED = 5

function gapOf(slugs: readonly string[]): Finding {
  const named = firstNames(slugs, MAX_NAMED)
  return finding(
    'NO_PUBLISHABLE_KEY',
    named,
    `No publishable key is saved, so nobody can pay in these funnels: ${namesText(named)}; set stores.payment.publishableKey.`,
  )
}

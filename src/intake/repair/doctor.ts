import type { Examination } from '../../base/cli/doctor'
import type { Handle } from '../../base/db/handle'
import { listFormerKeyed } from '../../people/purchases/join-queries'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import { doubledCredits } from './credits'
import type { DoubledCredit } from './doubled-credit'
import { countCopied } from './search-charges'

/** Beyond it the number is not counted. */
const MANY = 1000

/** Whether purchases of an earlier release are still to be joined. */
export const repairExamination: Examination = {
  name: 'purchases-repair',
  async project({ handle }, { id, slug }) {
    const { length } = await listFormerKeyed(handle, id, '', MANY)
    const copied = await countCopied(handle, id)
    const doubled = await listDoubled(handle, id)
    return {
      gaps: [
        ...(length === 0 ? [] : [waitingSentence(length, slug)]),
        ...(copied === 0 ? [] : [copiedSentence(copied, slug)]),
        ...doubled.map((one) => doubledSentence(one, slug)),
      ],
    }
  },
}

const waitingSentence = (count: number, slug: string): string =>
  `${count === MANY ? `${MANY} or more` : count} purchases of the App Store have a key of an earlier release. A running server repairs each within minutes once the catalogue has its product; svc purchases repair --project ${slug} does it now.`

const copiedSentence = (count: number, slug: string): string =>
  `At least ${count} subscriptions of the App Store have charges that an earlier release recorded twice. A running server joins them within minutes; svc purchases repair --project ${slug} does it now.`

/** The first of them are named; the command lists all. */
const NAMED = 20

async function listDoubled(handle: Handle, id: string): Promise<DoubledCredit[]> {
  const found: DoubledCredit[] = []
  const catalog = await loadCatalogSnapshot(handle, id)
  for await (const page of doubledCredits(handle, { id, catalog })) {
    found.push(...page)
    if (found.length >= NAMED) break
  }
  return found.slice(0, NAMED)
}

const doubledSentence = ({ subscriberId, amount, currency, purchaseId }: DoubledCredit, slug: string): string =>
  `${subscriberId} got ${amount} ${currency} a second time for ${purchaseId}; svc purchases repair --project ${slug} --credits takes it back.`

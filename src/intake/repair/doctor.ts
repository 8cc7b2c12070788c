import type { Examination } from '../../base/cli/doctor'
import type { Handle } from '../../base/db/handle'
import { fromJsonInteger } from '../../base/lib/int64'
import { type Finding, finding } from '../../core/finding/findings'
import { listFormerKeyed } from '../../people/purchases/join-queries'
import { loadCatalogSnapshot } from '../../projects/catalog/service'
import { doubledCredits } from './credits'
import type { DoubledCredit } from './doubled-charges'
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
        ...(length === 0 ? [] : [waitingFinding(length, slug)]),
        ...(copied === 0 ? [] : [copiedFinding(copied, slug)]),
        ...doubled.map((one) => doubledFinding(one, slug)),
      ],
    }
  },
}

const waitingFinding = (length: number, slug: string): Finding => {
  const count = length === MANY ? `${MANY} or more` : length
  return finding(
    'PURCHASES_FORMER_KEY',
    { count: length === MANY ? `${MANY}+` : length },
    `${count} purchases of the App Store have a key of an earlier release. A running server repairs each within minutes once the catalogue has its product; svc purchases repair --project ${slug} does it now.`,
  )
}

const copiedFinding = (count: number, slug: string): Finding =>
  finding(
    'CHARGES_COPIED',
    { count },
    `At least ${count} subscriptions of the App Store have charges that an earlier release recorded twice. A running server joins them within minutes; svc purchases repair --project ${slug} does it now.`,
  )

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

function doubledFinding({ subscriberId, purchaseId, currency, ...credit }: DoubledCredit, slug: string): Finding {
  const amount = String(fromJsonInteger(credit.amount))
  return finding(
    'CREDIT_DOUBLED',
    { subscriber: subscriberId, amount, currency, purchase: purchaseId },
    `${subscriberId} got ${amount} ${currency} a second time for ${purchaseId}; svc purchases repair --project ${slug} --credits takes it back.`,
  )
}

import { and, eq } from 'drizzle-orm'
import { FIRST_LOOK_MS, SECOND_LOOK_MS } from '../../src/intake/relink/jobs'
import type { SimulatedProduct } from '../../src/test-store/stores/ios'
import { work } from './accounts'
import { MONTHLY, type Stage } from './cast'
import { dataOf } from './operator'
import type { StaffCalls } from './staff'

const { trialPeriod: _, ...WITHOUT_TRIAL } = MONTHLY

/** A subscription that the catalogue of the stage lacks. */
export const LATER: SimulatedProduct = { ...WITHOUT_TRIAL, productId: 'com.x.later' }

/** The product of it, which gives `pro`. */
export const laterProduct = (accessIds: string[], more: object = {}) => ({
  ...{ identifier: 'later', type: 'SUBSCRIPTION', displayName: 'Later', period: 'P1M', accessIds },
  ...{ storeIds: { ios: LATER.productId }, ...more },
})

export async function accessId(s: Stage, identifier = 'pro'): Promise<string> {
  const { access: a } = s.ctx.tables
  const [row] = await s.ctx.db
    .select()
    .from(a)
    .where(and(eq(a.projectId, s.project.id), eq(a.identifier, identifier)))
  if (!row) throw new Error(`no access ${identifier}`)
  return row.id
}

/** Adds the product that the catalogue lacks. */
export const addLater = async (s: Stage, dev: StaffCalls, more: object = {}) =>
  dataOf(dev.post('/products', laterProduct([await accessId(s)], more)))

interface Held {
  expiresDate: string | null
  productIdentifier: string
}

/** The access that a person has, and the same as explain tells it. The two must be equal at every instant. */
export async function bothAnswers(s: Stage, reference: string) {
  const key = { key: s.project.secretKey }
  const path = `/v1/subscribers/${encodeURIComponent(reference)}/access`
  const map: Record<string, Held> = (await dataOf(s.get(path, undefined, key))).access
  const access = Object.entries(map).map(([name, { expiresDate, productIdentifier }]) => [
    name,
    { expiresDate, productIdentifier },
  ])
  const explained = await Promise.all(['coach', 'pro'].map(async (name) => [name, await explainedAs(s, path, name)]))
  return {
    access: Object.fromEntries(access),
    explained: Object.fromEntries(explained.filter(([, held]) => held !== null)),
  }
}

async function explainedAs(s: Stage, path: string, name: string): Promise<Held | null> {
  const answer = await dataOf(s.get(`${path}/${name}/explain`, undefined, { key: s.project.secretKey }))
  if (!answer.isActive) return null
  const { purchaseId, effectiveEnd } = answer.decidedBy
  const decisive = answer.candidates.find(({ purchase }: { purchase: { id: string } }) => purchase.id === purchaseId)
  return { expiresDate: effectiveEnd, productIdentifier: decisive.purchase.productIdentifier }
}

/** Runs the job of an edit. */
export async function linkNow(s: Stage): Promise<void> {
  s.ctx.clock.advance(FIRST_LOOK_MS)
  await work(s)
}

/** Runs the job of an edit, and its second look. */
export async function settle(s: Stage): Promise<void> {
  await linkNow(s)
  s.ctx.clock.advance(SECOND_LOOK_MS)
  await work(s)
}

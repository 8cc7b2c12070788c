import { test } from 'bun:test'
import { stage } from './support/cast'
import { seedHistory } from './support/figures/seed'
import { EARLIEST } from './support/figures/projects'
const DAY = 86_400_000
const START = Date.UTC(2024, 0, 1)
test('speed', async () => {
  const results: string[] = []
  for (let round = 0; round < 4; round++) {
  const s = await stage({ now: EARLIEST })
  const part = (name: string, n: number) => {
    const at = START + (n - 1) * 30 * DAY
    return { kind: 'REPORT', id: `r${n}`, eventAt: at, recordedAt: at + Number(name) , transaction: { transactionId: `${name}.${n}`, storeProductId: 'monthly', purchaseDate: at, originalPurchaseDate: START, expiresAt: at + 30 * DAY, isTrial: false, isIntroOffer: false, offerId: null, price: { amountMicros: 10_000_000, currency: 'USD' }, quantity: 1, ownershipType: 'PURCHASED', reason: n === 1 ? 'PURCHASE' : 'RENEWAL' } }
  }
  const purchases = Array.from({ length: 300 }, (_, i) => ({ id: `${i + 1}`, subscriberId: `p${i}`, store: 'IOS_STORE', environment: 'PRODUCTION', productType: 'SUBSCRIPTION', storeProductId: 'monthly', productPeriod: 'P1M', country: 'DE', platform: 'ios', observations: Array.from({ length: 6 }, (_, n) => part(`${i + 1}`, n + 1)) }))
  const t0 = performance.now()
  await seedHistory(s, { timezone: 'UTC', rates: [], purchases } as never)
  const ms = performance.now() - t0
  const [{ n }] = (await s.ctx.db.all('select count(*) as n from figure_entries' as never)) as never as [{ n: number }]
  results.push(`${(ms / 1800 * 1000).toFixed(0)}us/record rows ${n}`)
  await s.close()
  }
  console.log(results.join(' | '))
}, 300000)

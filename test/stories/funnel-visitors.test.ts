import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { begin, funnelPage, publishFunnel, slugOf } from '../support/funnels'
import { dataOf } from '../support/operator'
import { staff } from '../support/staff'

// Ten thousand people open a web page whose placement tests three funnels against each other.

const VISITORS = 10_000
const SHARES = { short: 0.5, long: 0.3, bold: 0.2 }
/** The calls of one address are limited by the minute. */
const CALLS_A_MINUTE = 200

let s: Stage
let path: string
let experimentId: string
beforeAll(async () => {
  s = await stage()
  const dev = staff(s).as('DEVELOPER')
  const variants: object[] = []
  for (const [slug, weight] of Object.entries(SHARES)) {
    const funnelId = await publishFunnel(dev, slug, [funnelPage(slug)])
    variants.push({ id: slug, name: slug, weight, value: { funnelId } })
  }
  const experiment = { key: 'way', name: 'Way', type: 'FUNNEL', audienceId: null, variants, metrics: [] }
  experimentId = (await dataOf(dev.post('/experiments', experiment))).id
  await dataOf(dev.post(`/experiments/${experimentId}/start`, {}))
  const rows = [{ audienceId: null, target: { type: 'experiment', experimentId } }]
  await dataOf(dev.post('/placements', { identifier: 'home', name: 'Home', rows }))
  path = `/public/placements/home?project=${await slugOf(s)}`
})
afterAll(() => s.close())

let calls = 0
/** What the placement shows to a visitor; without one, to somebody who was not here before. */
async function show(visitor?: string): Promise<{ visitor: string; variant: string; funnel: string }> {
  if (++calls % CALLS_A_MINUTE === 0) s.ctx.clock.advance(MINUTE)
  const asked = visitor === undefined ? path : `${path}&visitor=${visitor}`
  const data = await dataOf(s.get(asked, undefined, { key: null }))
  const [shown, ...more] = data.experiment.variants
  expect(more).toEqual([])
  return { visitor: data.visitor, variant: shown.variantId, funnel: shown.funnel.slug }
}

test('each variant gets its share within 1.5 points, and a visitor who comes again gets the same one', async () => {
  const drawn = new Map<string, string>()
  for (let count = 0; count < VISITORS; count++) {
    const { visitor, variant, funnel } = await show()
    expect(funnel).toBe(variant)
    drawn.set(visitor, variant)
  }
  expect(drawn.size).toBe(VISITORS)
  for (const [variant, share] of Object.entries(SHARES)) {
    const found = [...drawn.values()].filter((one) => one === variant).length / VISITORS
    expect(Math.abs(found - share) * 100).toBeLessThan(1.5)
  }
  const returning = [...drawn].filter((_, index) => index % 5 === 0)
  for (const [visitor, variant] of returning) expect((await show(visitor)).variant).toBe(variant)
  await exposesOnce(drawn)
}, 240_000)

/** A hundred of them begin twice, and each counts once for the variant that was drawn. */
async function exposesOnce(drawn: ReadonlyMap<string, string>): Promise<void> {
  const some = [...drawn].slice(0, 100)
  for (const [visitor, variantId] of [...some, ...some]) {
    s.ctx.clock.advance(MINUTE / 10)
    await begin(s, variantId, { placement: 'home', visitor, variantId })
  }
  const { body } = await s.get(`/v1/experiments/${experimentId}/results`, undefined, { key: s.project.secretKey })
  const counted = body.data.variants.map((one: { variantId: string; exposures: number }) => [
    one.variantId,
    one.exposures,
  ])
  const expected = Object.keys(SHARES).map((variant) => [variant, some.filter(([, held]) => held === variant).length])
  expect(counted).toEqual(expected)
}

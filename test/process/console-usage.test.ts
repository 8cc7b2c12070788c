import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DEFAULT_PLANS } from '../../src/base/config-cloud'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo } from '../support/console'
import { invite, lookAt, toastSaying } from '../support/console-people'
import { soon } from '../support/soon'

const SLOW = 600_000
const USAGE = '/p/demo/settings/usage'

/** FREE includes fewer events than the lives of the stage have. */
const PLANS = DEFAULT_PLANS.map((plan) => ({
  ...plan,
  meters: plan.meters.map((meter) =>
    meter.name === 'events' && plan.tier === 'FREE' ? { ...meter, included: 2 } : meter,
  ),
}))
const CLOUD = { SVC_CLOUD: '1', SVC_BILLING_PLANS: JSON.stringify(PLANS) }
const LIVES = [
  ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99'],
  ['renew', '--device', 'mira'],
]

const LOOKS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
] as const

interface Meter {
  name: string
  used: number
  dropped: number
  daily: number[]
}

describe.skipIf(!hasChromium)('the usage of a project, where plans limit it', () => {
  let stage: ConsoleStage

  beforeAll(async () => {
    stage = await consoleStage(LIVES, CLOUD)
  }, SLOW)
  afterAll(() => stage?.close(), SLOW)

  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const budget = async () => (await stage.call('GET', at('/billing/budget'))).data
  const meter = async () => {
    const { meters } = (await stage.call('GET', at('/usage'))).data as { meters: Meter[] }
    const found = meters.find(({ name }) => name === 'events')
    if (!found) throw new Error('there is no meter of events')
    return found
  }

  for (const { theme, width } of LOOKS)
    test(
      `the screen in ${theme} at ${width}`,
      async () => {
        const visit = await stage.open({ theme, width })
        for (const { found, excess, heading } of await lookAt(visit, { usage: USAGE }, `cloud-${theme}-${width}`))
          expect([found, excess, heading]).toEqual([[], 0, 'Usage'])
        expect(visit.complaints).toEqual([])
        await visit.close()
      },
      SLOW,
    )

  test(
    'the figure of a meter is the sum of its days, and more than the plan says what follows',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, USAGE)
      const { used, daily } = await meter()
      expect(daily.reduce((sum, one) => sum + one)).toBe(used)
      const card = page.locator('section').filter({ hasText: 'What happened to people and money' })
      await card.getByText(String(used), { exact: true }).first().waitFor()
      await card.getByText('of 2', { exact: true }).waitFor()
      await card.getByText('After two such months in a row').waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'a budget that cannot be one is said at its field and not sent; a good one is saved, and what it drops is shown',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, USAGE)
      const marks = page.getByLabel('Tell owners and administrators at')
      const stop = page.getByLabel('Drop telemetry over')
      const save = page.getByRole('button', { name: 'Save budget' })
      for (const text of ['80, 80', '0', '1001', 'eighty', '1 2 3 4 5 6']) {
        await marks.fill(text)
        await save.click()
        await page.getByText('At most five different whole numbers').waitFor()
      }
      await marks.fill('100, 50')
      await stop.fill('1001')
      await save.click()
      await page.getByText('A whole number from 1 to 1000, or nothing').waitFor()
      expect(await budget()).toEqual({ alertsAt: [], stopTelemetryAt: null })
      await stop.fill('100')
      await save.click()
      await toastSaying(page, ': saved')
      expect(await budget()).toEqual({ alertsAt: [50, 100], stopTelemetryAt: 100 })
      await soon(async () => expect(await marks.inputValue()).toBe('50, 100'))
      const { publicKey } = (await stage.call('POST', at('/api-keys'), { label: 'app', kind: 'public' })).data as {
        publicKey: string
      }
      const answer = await fetch(`${stage.url}/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ eventType: 'step', occurredAt: new Date().toISOString() }),
      })
      expect([answer.status, answer.headers.get('x-svc-dropped')]).toEqual([202, '1'])
      await page.reload()
      await page.getByText('1 events of apps were dropped in this month, because of the budget.').waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'who is no administrator sees the meters and no budget',
    async () => {
      const cookie = await invite(stage, 'developer@example.com', 'DEVELOPER', 'Developer')
      const { page, complaints, close } = await stage.open({ cookie })
      await goTo(page, USAGE)
      await page.getByText('of 2', { exact: true }).waitFor()
      await soon(async () => expect(await page.getByRole('heading', { name: 'Budget' }).count()).toBe(0))
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )
})

describe.skipIf(!hasChromium)('the usage of a project on a server of its own', () => {
  let stage: ConsoleStage

  beforeAll(async () => {
    stage = await consoleStage([['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99']])
  }, SLOW)
  afterAll(() => stage?.close(), SLOW)

  for (const { theme, width } of LOOKS)
    test(
      `has no limit and no budget, in ${theme} at ${width}`,
      async () => {
        const visit = await stage.open({ theme, width })
        for (const { found, excess } of await lookAt(visit, { usage: USAGE }, `own-${theme}-${width}`))
          expect([found, excess]).toEqual([[], 0])
        const main = visit.page.locator('#main')
        await soon(async () => expect(await main.getByText('Without a limit').count()).toBeGreaterThan(0))
        await soon(async () =>
          expect(await main.getByText('used', { exact: false }).filter({ hasText: '%' }).count()).toBe(0),
        )
        await soon(async () => expect(await main.getByRole('heading', { name: 'Budget' }).count()).toBe(0))
        expect(visit.complaints).toEqual([])
        await visit.close()
      },
      SLOW,
    )
})

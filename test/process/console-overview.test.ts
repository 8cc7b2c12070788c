import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, untilTrue, type Visit, violationsOf } from '../support/console'
import { faultsOf } from '../support/console-look'
import { addMember } from '../support/console-members'
import { LOOKS } from '../support/release'
import { soon } from '../support/soon'

// The overview of a project, in a browser. The test stores sell in the sandbox.

const SLOW = 600_000
const SETUP = 600_000
const LIVES = [
  ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99'],
  ['purchase', '--device', 'jonas', '--product', 'pro_yearly', '--price', '59.99', '--trial'],
  ['billing-issue', '--device', 'mira'],
]
const OVERVIEW = '/p/demo/overview?env=sandbox'

describe.skipIf(!hasChromium)('overview', () => {
  let stage: ConsoleStage
  const visits: Visit[] = []
  const open: ConsoleStage['open'] = async (options) => {
    const visit = await stage.open(options)
    visits.push(visit)
    return visit
  }
  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const buy = (device: string) =>
    stage.svc(
      'simulate',
      'purchase',
      '--device',
      device,
      '--product',
      'pro_monthly',
      '--price',
      '9.99',
      '--project',
      'demo',
    )

  beforeAll(async () => {
    stage = await consoleStage(LIVES)
    await stage.call('POST', at('/charts/annotations'), {
      at: new Date().toISOString(),
      text: '<img src=x onerror=alert(1)>',
    })
  }, SETUP)
  afterAll(async () => {
    await stage?.close()
  }, SLOW)

  for (const look of LOOKS)
    test(
      `is whole and accessible, ${look.theme}`,
      async () => {
        const isWhole = async ({ page }: Visit) => {
          await page.locator('[data-event]').first().waitFor()
          await page.locator('[data-figure=mrr]', { hasText: '$9.99' }).waitFor()
          await page.getByText(/subscriptions? in (its|their) grace period/).waitFor()
          await page.getByText(/trials? ends? within 7 days/).waitFor()
          await page.getByRole('heading', { name: 'Stores' }).waitFor()
          const isCut = `[...document.querySelectorAll('[data-event] a bdi')].some((one) => one.scrollWidth > one.clientWidth)`
          await untilTrue(page, `!(${isCut})`)
        }
        expect(await faultsOf(stage, look, [['overview', OVERVIEW, isWhole]])).toEqual([])
      },
      SLOW,
    )

  test(
    'a purchase appears without a reload, in the figures and among the events',
    async () => {
      const { page } = await open()
      await goTo(page, OVERVIEW)
      await page.evaluate('globalThis.isTheSame = true')
      await page.locator('[data-figure=mrr]', { hasText: '$' }).waitFor()
      await page.locator('[data-event]').first().waitFor()
      const before = await page.locator('[data-figure=mrr]').textContent()
      const first = await page.locator('[data-event]').first().getAttribute('data-event')
      await buy('nora')
      await page
        .locator('[data-figure=mrr]')
        .filter({ hasNotText: before ?? '' })
        .waitFor()
      await page.locator(`[data-event]:not([data-event="${first}"])`).first().waitFor()
      await page.locator('[data-event]').filter({ hasText: 'Purchase' }).first().waitFor()
      await soon(async () => expect(await page.evaluate(`'isTheSame' in globalThis`)).toBe(true))
      const { data } = await stage.call('GET', at('/charts/mrr?environment=SANDBOX&grain=day'))
      const micros = (data as { totals: { value: number } }).totals.value
      await soon(async () =>
        expect(await page.locator('[data-figure=mrr]').textContent()).toBe(`$${(micros / 1e6).toFixed(2)}`),
      )
    },
    SLOW,
  )

  test(
    'what the command line and another person configure appears without a reload',
    async () => {
      const { page } = await open()
      await goTo(page, '/p/demo/catalogue')
      await page.evaluate('globalThis.isTheSame = true')
      await page.getByRole('link', { name: 'pro_monthly' }).waitFor()
      const product = { identifier: 'late', type: 'SUBSCRIPTION', displayName: 'Late arrival' }
      expect((await stage.call('POST', at('/products'), product)).status).toBe(201)
      await page.getByRole('link', { name: 'late' }).waitFor()
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('link', { name: 'API keys' }).click()
      await page.getByRole('row').nth(1).waitFor()
      await stage.svc('key', 'create', '--project', 'demo', '--label', 'made by command')
      await page.getByRole('row', { name: 'made by command' }).waitFor()
      await soon(async () => expect(await page.evaluate(`'isTheSame' in globalThis`)).toBe(true))
    },
    SLOW,
  )

  test(
    'events that are paused hold still and are counted',
    async () => {
      const { page } = await open()
      await goTo(page, OVERVIEW)
      const first = page.locator('[data-event]').first()
      const before = await first.getAttribute('data-event')
      await page.getByRole('button', { name: 'Pause' }).click()
      await buy('otto')
      await page.getByText(/\d new events?/).waitFor()
      await soon(async () => expect(await first.getAttribute('data-event')).toBe(before))
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.mouse.move(0, 0)
      await page.locator(`li:first-child[data-event]:not([data-event="${before}"])`).waitFor()
    },
    SLOW,
  )

  test(
    'a figure leads to its chart, and the chart of revenue answers to keys',
    async () => {
      const { page } = await open()
      await goTo(page, OVERVIEW)
      const chart = page.getByRole('group', { name: /^Charges and refunds by period/ })
      await chart.focus()
      await page.keyboard.press('End')
      await page.locator('[aria-live=polite]', { hasText: /so far, Charges \$/ }).waitFor({ state: 'attached' })
      await page.locator('[data-figure=mrr]').click()
      await page.locator('h1', { hasText: 'Monthly recurring revenue' }).waitFor()
    },
    SLOW,
  )

  test(
    'in production it says that only the sandbox has purchases, and what needs a look leads to where it is mended',
    async () => {
      const { page } = await open()
      await goTo(page, '/p/demo/overview')
      await page.getByText('Only sandbox purchases exist').waitFor()
      await page.getByRole('link', { name: 'Look at the sandbox' }).click()
      await page.locator('[data-figure=mrr]', { hasText: /\$[1-9]/ }).waitFor()
      expect(page.url()).toEndWith('/p/demo/overview?env=sandbox')
      await page.getByText('Only sandbox purchases exist').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: /Enter the Apple ID of the app/ }).click()
      await page.waitForURL('**/connections/stores/ios?env=sandbox')
    },
    SLOW,
  )

  test(
    'a day of the renewal calendar opens to the subscriptions that renew on it',
    async () => {
      const { page } = await open()
      await goTo(page, '/p/demo/revenue/renewals?env=sandbox')
      await page.getByText('No renewal lacks an exchange rate.').waitFor()
      await page.getByText('As a table').click()
      const days = page.getByRole('table', { name: 'Expected renewals by day' })
      await days
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: '1', exact: true }) })
        .getByRole('link')
        .click()
      await page.getByText(/^Renews \d/).waitFor()
      const rows = page.getByRole('table', { name: 'Subscriptions' }).getByRole('row')
      await rows.filter({ hasText: 'Trial' }).waitFor()
      await soon(async () => expect(await rows.count()).toBe(2))
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await rows.nth(2).waitFor()
    },
    SLOW,
  )

  test(
    'a screen that stays open over midnight goes on to the next day',
    async () => {
      const { page } = await open()
      await page.clock.install()
      const days = new Set<string>()
      const fromOf = (url: string) => (/charts\/revenue\?/.test(url) ? new URL(url).searchParams.get('from') : null)
      page.on('request', (request) => void days.add(fromOf(request.url()) ?? ''))
      await goTo(page, OVERVIEW)
      await page.getByRole('group', { name: /^Charges and refunds by period/ }).waitFor()
      const known = [...days].toSorted().at(-1) ?? ''
      const next = page.waitForRequest((request) => (fromOf(request.url()) ?? '') > known)
      await page.clock.fastForward(86_400_000)
      await next
    },
    SLOW,
  )

  test(
    'what does not come with the figures is shown while the server cannot tell them',
    async () => {
      const { page } = await open()
      const error = { code: 'ANALYTICS_UNREACHABLE', message: 'Analytics cannot be reached.', details: {} }
      let isAway = true
      await page.route('**/overview', (route) =>
        isAway ? route.fulfill({ status: 503, headers: { 'retry-after': '600' }, json: { error } }) : route.fallback(),
      )
      await goTo(page, OVERVIEW)
      await page.getByRole('alert').filter({ hasText: 'ANALYTICS_UNREACHABLE' }).waitFor()
      await page.locator('[data-event]').first().waitFor()
      await page.getByRole('group', { name: /^Charges and refunds by period/ }).waitFor()
      isAway = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.locator('[data-figure=mrr]', { hasText: /\$[1-9]/ }).waitFor()
    },
    SLOW,
  )

  test(
    'a project without a purchase shows no figures',
    async () => {
      await stage.call('POST', '/dashboard/projects', { name: 'Empty', slug: 'empty' })
      const { page, complaints } = await open()
      await goTo(page, '/p/empty/overview')
      await page.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      await soon(async () => expect(await page.locator('[data-figure]').count()).toBe(0))
      expect(await violationsOf(page)).toEqual([])
      expect(complaints).toEqual([])
    },
    SLOW,
  )

  test(
    'support sees the overview whole',
    async () => {
      const { cookie } = await addMember(stage, 'support@example.com', 'CUSTOMER_SUPPORT')
      const { page, complaints } = await open({ cookie })
      await goTo(page, OVERVIEW)
      await page.locator('[data-event]').first().waitFor()
      await soon(async () => expect(await page.locator('[role=alert]').count()).toBe(0))
      expect(complaints).toEqual([])
    },
    SLOW,
  )

  test(
    'in the sandbox too, what lacks an exchange rate stands beside the figures',
    async () => {
      const own = ['--product', 'pro_monthly', '--price', '37.50', '--currency', 'SAR']
      await stage.svc('simulate', 'purchase', '--device', 'sami', ...own, '--project', 'demo')
      const { page } = await open()
      await goTo(page, OVERVIEW)
      await page.getByText('1 subscription lacks an exchange rate').waitFor()
      await page.getByText('1 charge lacks an exchange rate').waitFor()
      await goTo(page, '/p/demo/revenue/transactions?env=sandbox')
      await page.getByText('1 transaction lacks an exchange rate and is not in the amounts.').waitFor()
    },
    SLOW,
  )
})

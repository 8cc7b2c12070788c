import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import {
  type ConsoleStage,
  consoleStage,
  excessOf,
  goTo,
  untilTrue,
  type Visit,
  violationsOf,
} from '../support/console'
import { slidingListsOf } from '../support/console-screens'
import { soon } from '../support/soon'

// A browser has six connections to a server that speaks HTTP/1.1, and a stream holds one.
const WINDOWS = 8
/** More rows than a list draws at once. */
const PEOPLE = 230

describe.skipIf(!hasChromium)('several windows of one browser', () => {
  let stage: ConsoleStage
  let visit: Visit
  beforeAll(async () => {
    const mira = ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99']
    stage = await consoleStage([mira], { SVC_ALLOW_PRIVATE_TARGETS: '1' })
    visit = await stage.open()
  }, 600_000)
  const buy = (device: string) =>
    stage.svc(
      'simulate',
      'purchase',
      '--device',
      device,
      '--product',
      'coins_100',
      '--price',
      '4.99',
      '--project',
      'demo',
    )
  afterAll(async () => {
    await visit?.close()
    await stage?.close()
  }, 600_000)

  test('all load, share one stream, hear what happens, and go on when the window that holds it closes', async () => {
    let opened = 0
    visit.context.on('request', (request) => void (request.url().includes('/events/stream') && opened++))
    const pages: Page[] = [visit.page]
    while (pages.length < WINDOWS) pages.push(await visit.context.newPage())
    for (const page of pages) {
      await goTo(page, '/p/demo/subscribers?env=sandbox')
      await page.getByText('mira').first().waitFor()
    }
    expect(opened).toBe(1)
    await buy('otto')
    for (const page of pages) await page.getByText('otto').first().waitFor()
    await pages[0]?.close()
    await buy('rosa')
    for (const page of pages.slice(1)) await page.getByText('rosa').first().waitFor()
    expect(opened).toBe(2)
  }, 300_000)

  test('what stands on a screen of a phone does not move while the rest is read', async () => {
    const phone = await stage.open({ width: 390, height: 844 })
    await phone.context.addInitScript(SHIFTS)
    const moved: [string, number][] = []
    for (const screen of CALM) {
      await goTo(phone.page, `/p/demo${screen}?env=sandbox`)
      moved.push([screen, Number(await phone.page.evaluate('globalThis.shifted'))])
    }
    expect(moved.filter(([, sum]) => sum >= 0.1)).toEqual([])
    await phone.close()
  }, 300_000)

  test('no list scrolls sideways on a phone', async () => {
    const project = `/dashboard/projects/${stage.projectId}`
    const longName = 'A name that nobody made short, '.repeat(4)
    await stage.call('POST', `${project}/api-keys`, { label: longName, kind: 'pair' })
    await stage.call('POST', `${project}/invitations`, { email: `${'long'.repeat(14)}@example.com`, role: 'GROWTH' })
    await stage.call('POST', '/dashboard/me/tokens', { name: longName.slice(0, 60), scopes: null })
    const phone = await stage.open({ width: 390, height: 844 })
    const found: string[] = []
    const seen = new Set<string>()
    for (const path of LISTS) {
      await goTo(phone.page, `${path}?env=sandbox`)
      for (const name of await listNamesOf(phone.page)) seen.add(name)
      found.push(...(await slidingListsOf(phone.page)).map((list) => `${path}: ${list}`))
    }
    expect(found).toEqual([])
    // A screen without rows has no list that could be too wide.
    expect([...seen].toSorted()).toEqual(SHOWN_LISTS)
    expect(phone.complaints).toEqual([])
    await goTo(phone.page, '/p/demo/settings/api-keys')
    await phone.page.getByText('A name that nobody made short').click()
    await phone.page.getByRole('dialog').waitFor()
    await goTo(phone.page, '/p/demo/growth')
    await phone.page.locator('[data-list] a').first().click()
    await phone.page.waitForURL(/growth\/flags\/./)
    await phone.close()
  }, 300_000)

  test('a long name and a long address leave the screen of a phone as wide as it is', async () => {
    const { data } = await stage.call('POST', `/dashboard/projects/${stage.projectId}/webhook-endpoints`, {
      ...{ name: 'An endpoint with a name that nobody made short', eventTypes: ['*'], environments: ['SANDBOX'] },
      url: `http://127.0.0.1:9/${'an-address-without-a-place-to-break/'.repeat(3)}`,
    })
    const { page, complaints, close } = await stage.open({ width: 390, height: 844 })
    await goTo(page, `/p/demo/connections/webhooks/${(data as { id: string }).id}`)
    expect(await excessOf(page)).toBe(0)
    await goTo(page, '/p/demo/connections/webhooks')
    const name = page.getByRole('link', { name: 'An endpoint with a name' })
    await name.waitFor()
    const right = `document.querySelector('[data-list] td:first-child .truncate').getBoundingClientRect().right`
    expect(Number(await page.evaluate(right))).toBeLessThan(390)
    expect(complaints).toEqual([])
    await close()
  }, 300_000)

  test('a day is typed as the language writes it, and moved by keys', async () => {
    const { page, complaints, close } = await stage.open()
    const asked = () => new URL(page.url()).searchParams.get('from')
    await goTo(page, '/p/demo/revenue/transactions')
    const from = page.getByRole('textbox', { name: 'From' })
    await from.fill('3/4/2026')
    await untilTrue(page, `location.search.includes('from=2026-04-03')`)
    await from.blur()
    await soon(async () => expect(await from.inputValue()).toBe('3 Apr 2026'))
    await from.press('ArrowUp')
    await untilTrue(page, `location.search.includes('from=2026-04-04')`)
    await from.press('PageDown')
    await untilTrue(page, `location.search.includes('from=2026-03-04')`)
    await soon(async () => expect(await from.inputValue()).toBe('4 Mar 2026'))
    await from.fill('31 Feb 2026')
    await page.getByRole('alert').getByText('Write it like 22 Nov 2026').waitFor()
    expect(asked()).toBe('2026-03-04')
    expect(await violationsOf(page)).toEqual([])
    await from.fill('')
    await untilTrue(page, `!location.search.includes('from=')`)
    await stage.call('PATCH', '/dashboard/me/preferences', { locale: 'de' })
    await page.reload()
    await page.getByRole('textbox', { name: 'Von' }).fill('5. März 2026')
    await untilTrue(page, `location.search.includes('from=2026-03-05')`)
    await stage.call('PATCH', '/dashboard/me/preferences', { locale: 'en' })
    await goTo(page, '/p/demo/settings/api-keys?do=create')
    await page.getByLabel('Label', { exact: true }).fill('Until')
    await page.getByLabel('Expires').fill('tomorrow')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('alert').getByText('cannot be read as a date').waitFor()
    await soon(async () => expect(await page.locator('input:focus').inputValue()).toBe('tomorrow'))
    expect(complaints).toEqual([])
    await close()
  }, 300_000)

  test('a list of more than 200 rows is drawn in part on the screen, and is whole on paper', async () => {
    const { data } = await stage.call('POST', `/dashboard/projects/${stage.projectId}/api-keys`, {
      ...{ label: 'Test', kind: 'secret' },
    })
    const headers = {
      authorization: `Bearer ${(data as { secret: string }).secret}`,
      'content-type': 'application/json',
    }
    for (let count = 0; count < PEOPLE; count++) {
      const body = JSON.stringify({ deviceKey: `svc_paper_${count}`, appUserId: `paper_${count}` })
      const answer = await fetch(`${stage.url}/v1/identify`, { method: 'POST', headers, body })
      expect(answer.status).toBe(200)
    }
    const { page, complaints, close } = await stage.open()
    await goTo(page, '/p/demo/subscribers')
    const shown = async () => Number(/\d+/.exec((await page.getByText(/^\d+ shown$/).textContent()) ?? '')?.[0])
    while ((await shown()) < PEOPLE) {
      const before = await shown()
      await page.getByRole('button', { name: 'Show more' }).click()
      while ((await shown()) === before) await Bun.sleep(20)
    }
    const drawn = () => page.getByText(/^paper_\d+$/).count()
    expect(await drawn()).toBeLessThan(PEOPLE)
    // What a browser says before it makes the sheets, and after it. The headless one does not print.
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await untilTrue(page, DRAWN_WHOLE)
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await untilTrue(page, `!(${DRAWN_WHOLE})`)
    expect(complaints).toEqual([])
    await close()
  }, 300_000)

  test('a chart and a screen are starred into the sidebar, and taken out again', async () => {
    const { page, complaints, close } = await stage.open()
    await goTo(page, '/p/demo/charts/mrr?env=sandbox')
    const favourites = page.getByRole('navigation', { name: 'Favourites' })
    await soon(async () => expect(await favourites.count()).toBe(0))
    await page.getByRole('button', { name: 'Add Monthly recurring revenue to the favourites' }).first().click()
    await favourites.getByRole('link', { name: 'Monthly recurring revenue' }).waitFor()
    await goTo(page, '/p/demo/revenue/transactions?env=sandbox')
    await page.getByRole('button', { name: 'Add Transactions to the favourites' }).click()
    await favourites.getByRole('link', { name: 'Transactions' }).waitFor()
    await favourites.getByRole('link', { name: 'Monthly recurring revenue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Monthly recurring revenue' }).waitFor()
    expect(new URL(page.url()).searchParams.get('env')).toBe('sandbox')
    expect(await violationsOf(page)).toEqual([])
    await page.reload()
    await favourites.getByRole('link', { name: 'Monthly recurring revenue' }).waitFor()
    await soon(async () =>
      expect(await favourites.getByRole('link').allTextContents()).toEqual([
        'Monthly recurring revenue',
        'Transactions',
      ]),
    )
    await page.getByRole('button', { name: 'Remove Monthly recurring revenue from the favourites' }).first().click()
    await favourites.getByRole('link', { name: 'Monthly recurring revenue' }).waitFor({ state: 'detached' })
    await soon(async () => expect(await favourites.getByRole('link').count()).toBe(1))
    expect(complaints).toEqual([])
    await close()
  }, 300_000)
})

/** Whether every person of the list is in the page. */
const DRAWN_WHOLE = `new Set(document.body.innerText.match(/\\bpaper_\\d+/g)).size === ${PEOPLE}`

/** Adds up how far what was seen already is moved, as browsers measure it. */
const SHIFTS = `globalThis.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

const listNamesOf = async (page: Page): Promise<string[]> =>
  (await page.evaluate(
    `[...document.querySelectorAll('table[data-list]')].map((one) => one.getAttribute('aria-label'))`,
  )) as string[]

const LISTS = [
  ...['', '/transfers', '/data-requests'].map((path) => `/p/demo/subscribers${path}`),
  ...['', '/transactions', '/billing-issues', '/scheduled', '/refund-shield'].map((path) => `/p/demo/revenue${path}`),
  ...['', '/access', '/offerings', '/currencies', '/waiting'].map((path) => `/p/demo/catalogue${path}`),
  ...['', '/experiments', '/placements', '/funnels', '/audiences'].map((path) => `/p/demo/growth${path}`),
  ...['/cohorts', '/leaderboards'].map((path) => `/p/demo/charts${path}`),
  ...['/webhooks', '/deliveries', '/integrations', '/store-events', '/forwarding', '/imports', '/data-exports'].map(
    (path) => `/p/demo/connections${path}`,
  ),
  ...['/api-keys', '/members', '/audit-log', '/support'].map((path) => `/p/demo/settings${path}`),
  ...['/projects', '/account', '/account/sessions', '/account/tokens'],
]

const SHOWN_LISTS = [
  'API keys',
  'Access',
  'Audiences',
  'Audit log',
  'Currencies',
  'Experiments',
  'Flags',
  'Funnels',
  'Invitations',
  'Members',
  'Offerings',
  'People',
  'Placements',
  'Products',
  'Projects',
  'Sessions',
  'Store events',
  'Subscriptions',
  'Tokens',
  'Transactions',
]

const CALM = [
  ...['/overview', '/subscribers', '/revenue', '/revenue/transactions', '/revenue/renewals', '/revenue/refund-shield'],
  ...['/charts', '/charts/mrr', '/charts/revenue', '/charts/ltv', '/catalogue', '/growth', '/connections'],
  ...['/connections/deliveries', '/connections/data-exports', '/connections/imports', '/settings/project-file'],
]

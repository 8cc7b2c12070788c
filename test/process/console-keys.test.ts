import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import {
  type ConsoleStage,
  consoleStage,
  excessOf,
  goTo,
  shoot,
  untilTrue,
  type Visit,
  violationsOf,
} from '../support/console'
import { until } from '../support/console-screens'
import { soon } from '../support/soon'

// Keys, selections, files and copied commands, as they are in every list and at every object.

const PATIENCE = 600_000

describe.skipIf(!hasChromium)('the keyboard, lists and objects of the console', () => {
  let stage: ConsoleStage
  let visit: Visit
  let page: Page
  let base: string
  let token: string
  const people = '/p/demo/subscribers?env=sandbox'

  const items = async (path: string): Promise<Row[]> =>
    ((await stage.call('GET', `${base}${path}`)).data as { items: Row[] }).items
  const row = (id: string) => page.locator(`[data-row="${id}"]`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  /** What was copied last; waits until something was. */
  async function copied(): Promise<string> {
    await untilTrue(page, 'window.copied !== ""')
    const text = String(await page.evaluate('window.copied'))
    await page.evaluate('window.copied = ""')
    return text
  }

  /** The answer to a copied command, asked with a real token in place of the variable. */
  async function answerTo(command: string): Promise<{ status: number; data: unknown }> {
    const [, url = ''] = /^curl -H "Authorization: Bearer \$SVC_TOKEN" '([^']+)'$/.exec(command) ?? []
    expect([command, url.startsWith(stage.url)]).toEqual([command, true])
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, data: ((await answer.json()) as { data: unknown }).data }
  }

  beforeAll(async () => {
    stage = await consoleStage()
    base = `/dashboard/projects/${stage.projectId}`
    token = ((await stage.call('POST', '/dashboard/me/tokens', { name: 'Terminal' })).data as { token: string }).token
    visit = await stage.open()
    page = visit.page
    await page.addInitScript(`
      window.copied = ''
      navigator.clipboard.writeText = async (text) => { window.copied = text }
    `)
  }, PATIENCE)

  afterAll(async () => {
    await visit?.close()
    await stage?.close()
  }, PATIENCE)

  test(
    'by keys alone: from the sign-in to a person, the reasons, the id, and back to the row',
    async () => {
      const own = await stage.open({ cookie: null })
      const keys = own.page.keyboard
      await own.page.addInitScript(
        `window.copied = ''; navigator.clipboard.writeText = async (text) => { window.copied = text }`,
      )
      await goTo(own.page, '/sign-in?next=/p/demo/overview')
      await tabTo(own.page, own.page.locator('input[type=email]'))
      await keys.type('owner@example.com')
      await tabTo(own.page, own.page.locator('input[type=password]'))
      await keys.type('correct horse battery')
      await keys.press('Enter')
      await own.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await keys.press('Control+k')
      await own.page.getByRole('dialog').getByRole('combobox').waitFor()
      await keys.type('sandbox')
      await own.page.getByRole('option', { name: /Show the sandbox/ }).waitFor()
      await keys.press('Enter')
      await own.page.waitForURL('**env=sandbox')
      // Two keys belong together for a moment only, which a busy machine can miss.
      while (!own.page.url().includes('/subscribers')) {
        await keys.press('g')
        await keys.press('s')
      }
      const link = own.page.getByRole('link', { name: /^mira( US)?$/ })
      await link.waitFor()
      for (let rows = await own.page.locator('[data-row]').count(); rows > 0 && !(await isFocused(link)); rows--)
        await keys.press('j')
      await keys.press('j')
      await keys.press('k')
      if (!(await isFocused(link))) await keys.press('j')
      expect(await isFocused(link)).toBe(true)
      await keys.press('Enter')
      await own.page.getByRole('heading', { level: 1, name: 'mira' }).waitFor()
      const chain = own.page.getByRole('link', { name: /Full chain/ })
      await chain.waitFor()
      await tabTo(own.page, chain)
      await keys.press('Enter')
      const sheet = own.page.getByRole('dialog')
      await sheet.getByText('ACTIVE_BEFORE_END').first().waitFor()
      await keys.press('Escape')
      await sheet.waitFor({ state: 'detached' })
      const id = new URL(own.page.url()).pathname.split('/').at(-1)
      await keys.press('c')
      await untilTrue(own.page, 'window.copied !== ""')
      await soon(async () => expect(await own.page.evaluate('window.copied')).toBe(id))
      await untilTrue(own.page, `document.querySelector('main [data-copy="${id}"]').textContent === 'Copied'`)
      await own.page.goBack()
      // The sheet was a step of the history; before it is the person, before that the list.
      for (let steps = 0; steps < 3 && own.page.url().includes(id ?? ''); steps++) await own.page.goBack()
      await untilTrue(
        own.page,
        `document.activeElement && document.activeElement.closest('[data-row="${id}"]') !== null`,
      )
      expect(own.complaints).toEqual([])
      await own.close()
    },
    PATIENCE,
  )

  test(
    'selected rows are copied and saved, Escape gives them up',
    async () => {
      await goTo(page, people)
      const [first, second] = await items('/subscribers')
      if (!first || !second) throw new Error('the demo has people')
      await row(first.id).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await page.getByRole('status').getByText('1 selected').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await page.getByRole('status').getByText('2 selected').waitFor()
      await page.keyboard.press('c')
      expect(await copied()).toBe(second.id)
      await button('Copy the ids').click()
      expect(await copied()).toBe(`${first.id}\n${second.id}`)
      const lines = await savedBy(page, button('Export selected'))
      expect(lines.map((line) => line.split(',').includes(first.id) || line.split(',').includes(second.id))).toEqual([
        false,
        true,
        true,
      ])
      for (const [theme, width] of [
        ['light', 1280],
        ['dark', 390],
        ['light', 320],
      ] as const) {
        await page.emulateMedia({ colorScheme: theme })
        await page.setViewportSize({ width, height: 900 })
        await page.mouse.move(0, 0)
        expect([width, await violationsOf(page)]).toEqual([width, []])
        expect([width, await excessOf(page)]).toEqual([width, 0])
        if (width !== 320) await shoot(page, `keys-selected-${theme}-${width}`)
      }
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.keyboard.press('Escape')
      await page.getByText('2 selected').waitFor({ state: 'detached' })
    },
    PATIENCE,
  )

  test(
    'the menu of a row opens it, selects it, and copies its id and the call that reads it',
    async () => {
      await goTo(page, people)
      const [first] = await items('/subscribers')
      const choose = async (name: string) => {
        await row(first?.id ?? '').hover()
        await row(first?.id ?? '')
          .getByRole('button', { name: /^Row 1/ })
          .click()
        await page.getByRole('menuitem', { name, exact: true }).click()
      }
      await choose('Copy the id')
      expect(await copied()).toBe(first?.id ?? '')
      await choose('Copy as curl')
      expect(await answerTo(await copied())).toMatchObject({ status: 200, data: { subscriber: { id: first?.id } } })
      await choose('Select')
      await page.getByRole('status').getByText('1 selected').waitFor()
      await choose('Unselect')
      await page.getByText('1 selected').waitFor({ state: 'detached' })
      await choose('Open')
      await page.waitForURL(`**/subscribers/${first?.id}?env=sandbox`)
    },
    PATIENCE,
  )

  test(
    'every object can be read by the command that its screen copies',
    async () => {
      const of = async (path: string) => (await items(path))[0]?.id ?? ''
      const screens = [
        `/subscribers/${await of('/subscribers')}`,
        `/catalogue/products/${await of('/products')}`,
        `/catalogue/offerings/${await of('/offerings')}`,
        '/growth/flags/paywall',
        `/growth/audiences/${await of('/audiences')}`,
        '/charts/mrr',
        '/settings',
      ]
      for (const screen of screens) {
        await page.goto(`/p/demo${screen}`)
        await button('Copy as curl').first().click()
        const command = await copied()
        expect([command, (await answerTo(command)).status]).toEqual([command, 200])
      }
    },
    PATIENCE,
  )

  test(
    'every list can be saved as a file',
    async () => {
      const lists = [
        ...['/subscribers', '/revenue', '/revenue/transactions', '/revenue/billing-issues', '/catalogue'],
        ...['/catalogue/access', '/catalogue/offerings', '/catalogue/currencies', '/growth', '/growth/audiences'],
        ...['/settings/members', '/settings/audit-log'],
      ]
      const files = page.getByRole('button', { name: 'Export CSV' }).or(page.getByRole('link', { name: 'Export CSV' }))
      for (const list of [...lists.map((path) => `/p/demo${path}?env=sandbox`), '/projects', '/account/sessions']) {
        await page.goto(list)
        await files.first().waitFor()
        expect([list, await files.count()]).toEqual([list, 1])
      }
    },
    PATIENCE,
  )

  test(
    'a list of many pages is saved whole, and what looks like a formula is none',
    async () => {
      const made = await stage.call('POST', `${base}/api-keys`, { label: '=HYPERLINK("http://example.com")' })
      expect(made.status).toBe(201)
      await goTo(page, '/p/demo/settings/api-keys')
      const keys = await savedBy(page, button('Export CSV'))
      expect(keys.join('\n')).toContain(`"'=HYPERLINK(""http://example.com"")"`)
      // Pages of two: the file is read in several calls.
      let calls = 0
      await page.route(LISTED, (route) => {
        const url = new URL(route.request().url())
        calls += url.searchParams.get('limit') === '200' ? 1 : 0
        url.searchParams.set('limit', '2')
        return route.continue({ url: url.toString() })
      })
      await page.goto(people)
      await button('Show more').waitFor()
      const lines = await savedBy(page, button('Export CSV'))
      const all = await items('/subscribers')
      expect(all.length).toBeGreaterThan(3)
      expect(lines.length).toBe(all.length + 1)
      for (const { id } of all) expect(lines.filter((line) => line.split(',').includes(id)).length).toBe(1)
      expect(calls).toBe(Math.ceil(all.length / 2))
      await page.unrouteAll()
    },
    PATIENCE,
  )

  test(
    'a long export says how far it is on every screen, goes on when its list is left, and can be stopped',
    async () => {
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(LISTED, async (route) => {
        const url = new URL(route.request().url())
        const isNext = url.searchParams.has('cursor')
        if (isNext) await held
        await route.fulfill({
          json: { data: { items: manyPeople(200, isNext ? 200 : 0), nextCursor: isNext ? null : 'next' } },
        })
      })
      const leave = async () => {
        await page.getByText('200 rows read').waitFor()
        await page
          .getByRole('link', { name: 'Members' })
          .or(page.getByRole('link', { name: 'Settings' }))
          .first()
          .click()
        await page.waitForURL('**/settings**')
        await page.getByText('200 rows read').waitFor()
      }
      await page.goto(people)
      await button('Export CSV').click()
      await leave()
      expect(await violationsOf(page)).toEqual([])
      await shoot(page, 'keys-export-left')
      await button('Stop').click()
      await page.getByText('200 rows read').waitFor({ state: 'detached' })
      await page.goto(people)
      await button('Export CSV').click()
      await leave()
      const [file] = await Promise.all([page.waitForEvent('download'), release()])
      const lines = readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n')
      expect(lines.length).toBe(401)
      await page.getByText('rows read').waitFor({ state: 'detached' })
      await page.unrouteAll()
    },
    PATIENCE,
  )

  test(
    'a list of thousands of rows has few of them in the document, and keys reach all',
    async () => {
      const PAGE = 5000
      await page.route(LISTED, (route) => {
        const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
        const nextCursor = from === 0 ? String(PAGE) : null
        return route.fulfill({ json: { data: { items: manyPeople(PAGE, from), nextCursor } } })
      })
      await page.goto(people)
      await page.getByText('5,000 shown').waitFor()
      const inDocument = () => page.locator('[data-row]').count()
      // Rows of another place come with the next picture of the screen, and those of the place before go with a later one.
      const fewInDocument = () => until(async () => (await inDocument()) < 100)
      await fewInDocument()
      await button('Show more').click()
      await page.getByText('10,000 shown').waitFor()
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      const last = page.getByRole('link', { name: 'person 9999', exact: true })
      await last.waitFor()
      await fewInDocument()
      await page.getByRole('link', { name: 'person 9990', exact: true }).focus()
      for (let step = 0; step < 12; step++) await page.keyboard.press('j')
      expect(await isFocused(last)).toBe(true)
      // Rows appear with the next picture of the screen, which can take longer than a key.
      const above = page.getByRole('link', { name: 'person 9939', exact: true })
      for (let presses = 0; presses < 1000 && !(await isFocused(above)); presses++) await page.keyboard.press('k')
      expect(await isFocused(above)).toBe(true)
      await fewInDocument()
      await soon(async () => expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001'))
      expect(await violationsOf(page)).toEqual([])
      await page.unrouteAll()
    },
    PATIENCE,
  )

  test(
    'the palette opens the person of an order, charts by their usual names, and what can be done',
    async () => {
      const [line] = (await items('/transactions?environment=SANDBOX&limit=1')) as unknown as {
        storeTransactionId: string
        purchaseId: string
        subscriberId: string
      }[]
      const find = async (text: string, found: RegExp) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Search or jump' }).fill(text)
        const option = page.getByRole('option', { name: found }).first()
        await option.waitFor()
        return option
      }
      await goTo(page, '/p/demo/overview?env=sandbox')
      const order = await find(line?.storeTransactionId ?? '', /\$\d/)
      await soon(async () => expect(await page.getByRole('option').count()).toBeLessThan(6))
      await order.click()
      await page.waitForURL((url) => url.pathname.endsWith(`/subscribers/${line?.subscriberId}`))
      expect(new URL(page.url()).searchParams.get('purchase')).toBe(line?.purchaseId ?? '')
      await (await find('turnover', /Net revenue/)).click()
      await page.getByRole('heading', { level: 1, name: 'Net revenue' }).waitFor()
      // A part inside of a name is enough, and nobody is listed twice.
      await find('ir', /mira/)
      await soon(async () => expect(await page.getByRole('option', { name: /mira/ }).count()).toBe(1))
      await page.keyboard.press('Escape')
      for (const [text, found] of [
        ['invite', /Invite/],
        ['dark', /Dark theme/],
        ['grant', /Grant access/],
        ['simulate', /Simulate/],
      ] as const) {
        await find(text, found)
        await page.keyboard.press('Escape')
      }
      await (await find('new flag', /flag/)).click()
      await page.waitForURL(/\/growth\?.*do=new/)
      expect(visit.complaints).toEqual([])
    },
    PATIENCE,
  )

  test(
    'Space holds the stream, e edits, t swaps times, and nothing happens while somebody types or has switched keys off',
    async () => {
      await goTo(page, '/p/demo/connections/events?env=sandbox')
      await button('Pause').waitFor()
      await page.keyboard.press('Space')
      await button('Resume').waitFor()
      await page.keyboard.press('Space')
      await button('Pause').waitFor()
      const [product] = await items('/products')
      await goTo(page, `/p/demo/catalogue/products/${product?.id}`)
      await page.locator('[data-fields] input').first().waitFor()
      await page.keyboard.press('e')
      await untilTrue(page, `document.activeElement.closest('[data-fields]') !== null`)
      await goTo(page, people)
      const time = page.locator('[data-row] time').first()
      const near = (await time.textContent()) ?? ''
      await page.keyboard.press('t')
      const full = (await time.getAttribute('title')) ?? ''
      expect(near).not.toBe(full)
      await page.locator('[data-row] time', { hasText: full }).first().waitFor()
      await page.keyboard.press('t')
      await page.getByRole('searchbox').focus()
      await page.keyboard.type('x e ?')
      await soon(async () => expect(await page.getByRole('searchbox').inputValue()).toBe('x e ?'))
      await soon(async () => expect(await page.getByRole('dialog').count()).toBe(0))
      await page.getByRole('searchbox').fill('')
      await page.locator('[data-row]').first().waitFor()
      await page.getByRole('searchbox').blur()
      await page.keyboard.press('?')
      const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      for (const words of ['Select the row', 'Edit what is open', 'Hold the stream'])
        await list.getByText(words).waitFor()
      await list.getByRole('switch').click()
      await page.keyboard.press('Escape')
      await list.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: /^mira( US)?$/ }).focus()
      await page.keyboard.press('x')
      await page.keyboard.press('e')
      await page.keyboard.press('?')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await soon(async () => expect(await page.getByText('1 selected').count()).toBe(0))
      await soon(async () => expect(await list.count()).toBe(0))
      expect(new URL(page.url()).pathname).toBe('/p/demo/subscribers')
      expect(visit.complaints).toEqual([])
    },
    PATIENCE,
  )
})

/** The call that lists people, not the screen of the same name. */
const LISTED = /\/dashboard\/.*\/subscribers\?/

interface Row {
  id: string
}

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not reach it')
}

const isFocused = async (target: Locator): Promise<boolean> =>
  (await target.and(target.page().locator(':focus')).count()) === 1

/** The lines of the file that a button saves. */
async function savedBy(page: Page, button: Locator): Promise<string[]> {
  const begun = page.waitForEvent('download')
  await button.click()
  const download = await begun
  expect(download.suggestedFilename()).toMatch(/^[a-z-]+-\d{4}-\d\d-\d\d\.csv$/)
  return readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
}

const manyPeople = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `sub_${String(from + index).padStart(26, '0')}`,
    appUserId: `person ${from + index}`,
    deviceKey: `device-${from + index}`,
    person: {
      ...{ subscriberId: `sub_${String(from + index).padStart(26, '0')}`, deviceKey: `device-${from + index}` },
      ...{ appUserId: `person ${from + index}`, email: null, displayName: null, country: null },
    },
    leadingAccess: null,
    access: ['pro'],
    lifetimeSpend: { amountMicros: 9_990_000, currency: 'USD' },
    lastSeenAt: '2026-01-02T03:04:05.000Z',
    createdAt: '2026-01-02T03:04:05.000Z',
    firstSeenAt: '2026-01-02T03:04:05.000Z',
  }))

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { hasRows, shapeOf } from '../../src/console/screens/charts/shape'
import { isEntryChart, valueNamesOf } from '../../src/insight/charts/chart'
import { CHARTS } from '../../src/insight/charts/charts'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, type Visit } from '../support/console'
import { faultsOf, keepToasts, setNoon } from '../support/console-look'
import { addMember } from '../support/console-members'
import { LOOKS } from '../support/release'
import { soon } from '../support/soon'

// Charts, the rows behind their figures, SQL, cohorts and leaderboards, in a browser. The test stores sell in the sandbox.

const SLOW = 600_000
const SETUP = 600_000
const LIVES = [
  ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99'],
  ['purchase', '--device', 'lena', '--product', 'coins_100', '--price', '4.99'],
  ['refund', '--device', 'lena'],
]
const HOSTILE = '<img src=x onerror=alert(1)> שלום 🎈'

test('the console knows of every value whether it has rows', () => {
  for (const chart of CHARTS)
    for (const value of valueNamesOf(chart)) {
      const isOpen = isEntryChart(chart) ? chart.values[value]?.kind !== 'mean' : chart.rows[value] !== undefined
      expect([chart.id, value, hasRows(chart.id, value)]).toEqual([chart.id, value, isOpen])
    }
})

test('every chart has a shape', () => {
  const shapes = CHARTS.map((chart) => {
    const about = { ...chart, filters: [...chart.filters], values: [...valueNamesOf(chart)] }
    return shapeOf(about)
  })
  expect(shapes.filter((shape) => shape === 'movement')).toHaveLength(6)
  expect(shapes.filter((shape) => shape === 'heat')).toHaveLength(3)
})

describe.skipIf(!hasChromium)('charts', () => {
  let stage: ConsoleStage
  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const get = async <T>(path: string) => (await stage.call('GET', at(path))).data as T
  const start = async (path: string, options?: Parameters<ConsoleStage['open']>[0]): Promise<Visit> => {
    const visit = await stage.open(options)
    await keepToasts(visit)
    await goTo(visit.page, path)
    return visit
  }

  beforeAll(async () => {
    stage = await consoleStage([])
    await setNoon(stage)
    for (const life of LIVES) await stage.svc('simulate', ...life, '--project', 'demo')
    await stage.call('POST', at('/charts/annotations'), { at: new Date().toISOString(), text: HOSTILE })
    await stage.call('POST', at('/cohorts'), {
      ...{ identifier: 'buyers', name: HOSTILE },
      definition: { event: 'purchase.initial', filters: { environment: 'SANDBOX' } },
    })
    await stage.call('POST', at('/leaderboards'), {
      identifier: 'spenders',
      name: HOSTILE,
      metric: 'spend',
      window: 'all',
    })
    await stage.call('POST', at('/queries'), { name: HOSTILE, sql: 'SELECT 1 AS one' })
  }, SETUP)
  afterAll(async () => {
    await stage?.close()
  }, SLOW)

  const idOf = async (path: string) => (await get<{ items: { id: string }[] }>(path)).items[0]?.id ?? ''

  const screens: [name: string, path: () => Promise<string>][] = [
    ['gallery', async () => '/p/demo/charts'],
    ['chart', async () => '/p/demo/charts/mrr-movement?env=sandbox'],
    ['chart-groups', async () => '/p/demo/charts/net-revenue?env=sandbox&by=product'],
    ['chart-heat', async () => '/p/demo/charts/retention?env=sandbox'],
    [
      'chart-rows',
      async () => `/p/demo/charts/revenue?env=sandbox&start=${encodeURIComponent(await today())}&value=gross`,
    ],
    ['sql', async () => '/p/demo/charts/sql'],
    ['cohorts', async () => '/p/demo/charts/cohorts'],
    ['cohort', async () => `/p/demo/charts/cohorts/${await idOf('/cohorts')}`],
    ['leaderboard', async () => `/p/demo/charts/leaderboards/${await idOf('/leaderboards')}?env=sandbox`],
    ['leaderboards', async () => '/p/demo/charts/leaderboards'],
  ]
  const today = async () => {
    const { series } = await get<{ series: { start: string }[] }>('/charts/revenue?environment=SANDBOX')
    return series.at(-1)?.start ?? ''
  }

  for (const look of LOOKS)
    test(
      `every screen is accessible and fits, ${look.theme}`,
      async () => {
        const paths = await Promise.all(screens.map(async ([name, path]) => [name, await path()] as const))
        expect(await faultsOf(stage, look, paths)).toEqual([])
      },
      2 * SLOW,
    )

  test(
    'the gallery has every chart and finds them by words',
    async () => {
      const { page, close } = await start('/p/demo/charts')
      await soon(async () => expect(await page.locator('main li a').count()).toBe(CHARTS.length))
      for (const usual of ['turnover', 'dau', 'ltv', 'dunning', 'still paying']) {
        await page.getByRole('searchbox').fill(usual)
        await page.locator('main li a').first().waitFor()
        expect([usual, await page.getByText('No chart is called').count()]).toEqual([usual, 0])
      }
      await page.getByRole('searchbox').fill('refund rate')
      await page.getByRole('link', { name: 'Average transaction', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Refund rate', exact: true }).click()
      await page.locator('h1', { hasText: 'Refund rate' }).waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'ten charts are on top with their figures, which are those of the charts that they open',
    async () => {
      const { page, complaints, close } = await start('/p/demo/charts?env=sandbox')
      const tiles = page.getByRole('list', { name: 'Ten charts to begin with' })
      await soon(async () => expect(await tiles.getByRole('listitem').count()).toBe(10))
      const { totals } = await get<{ totals: { value: number } }>('/charts/net-revenue?environment=SANDBOX')
      const revenue = `$${(totals.value / 1_000_000).toFixed(2)}`
      await tiles.locator('[data-top=net-revenue]', { hasText: revenue }).waitFor()
      const active = await get<{ series: { values: { value: number } }[] }>(
        '/charts/active-subscriptions?environment=SANDBOX',
      )
      const text = String(active.series.at(-1)?.values.value)
      await tiles.locator('[data-top=active-subscriptions]', { hasText: text }).waitFor()
      await page.getByRole('link', { name: 'Churn', exact: true }).click()
      await page.locator('h1', { hasText: 'Churn rate of recurring revenue' }).waitFor()
      // A chart of what moves slowly begins with twelve months.
      await soon(async () => expect(await page.getByLabel('Range').inputValue()).toBe('12m'))
      await page.getByLabel('Range').selectOption('Last month')
      await page.getByLabel('Compare with').selectOption('a year before')
      expect([...new URL(page.url()).searchParams]).toEqual([
        ['env', 'sandbox'],
        ['range', 'lastMonth'],
        ['compare', 'year'],
      ])
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'a figure opens to rows whose sum is the figure, and the sandbox tells both',
    async () => {
      const { page, close } = await start('/p/demo/charts/revenue?env=sandbox')
      const { totals } = await get<{ totals: { gross: number } }>('/charts/revenue?environment=SANDBOX')
      await page.locator('tfoot a').first().click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('Equal to the millionth').waitFor()
      const { items } = await get<{ items: { contribution: number; subscriberId: string }[] }>(
        `/charts/revenue/rows?environment=SANDBOX&grain=day&value=gross&start=${await today()}`,
      )
      expect(items.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(totals.gross)
      await soon(async () => expect(await sheet.locator('tbody tr').count()).toBe(items.length))
      await soon(async () =>
        expect(await sheet.locator('tbody a').first().getAttribute('href')).toBe(
          `/p/demo/subscribers/${items[0]?.subscriberId}?env=sandbox`,
        ),
      )
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
      await page.goBack()
      await close()
    },
    SLOW,
  )

  test(
    'actions stand right of a long purpose, and a year by day keeps its figures under their heads',
    async () => {
      const { page, close } = await start('/p/demo/charts/retention?env=sandbox', { width: 1024 })
      const save = page.getByRole('button', { name: 'Save view' })
      const end = async (place: typeof save) => {
        const box = await place.boundingBox()
        return { right: (box?.x ?? 0) + (box?.width ?? 0), top: box?.y ?? 0 }
      }
      expect((await end(save)).right).toBeGreaterThan(990)
      expect((await end(save)).top).toBeLessThan((await end(page.getByLabel('Range'))).top - 20)
      await goTo(page, '/p/demo/charts/revenue?env=sandbox&range=12m&grain=day')
      await page.getByRole('row').nth(8).waitFor()
      const head = await end(page.getByRole('columnheader', { name: 'Net' }))
      for (const row of [1, 7]) {
        const cell = await end(page.getByRole('row').nth(row).getByRole('cell').last())
        expect(Math.abs(cell.right - head.right)).toBeLessThan(2)
      }
      await close()
    },
    SLOW,
  )

  test(
    'the rows of a share, of a group and of a movement open',
    async () => {
      const day = encodeURIComponent(await today())
      for (const [path, text] of [
        [`churn-rate?env=sandbox&range=30d&start=${day}&value=value`, 'what is divided'],
        [`net-revenue?env=sandbox&by=product&start=${day}&value=value&of=%3Dpro_monthly`, 'Equal to the millionth'],
        [`mrr-movement?env=sandbox&range=30d&start=${day}&value=end`, 'Equal to the millionth'],
        [`active-subscriptions?env=sandbox&start=${day}&value=value`, 'Equal to the millionth'],
      ]) {
        const { page, close } = await start(`/p/demo/charts/${path}`)
        await page
          .getByRole('dialog')
          .getByText(text ?? '')
          .waitFor()
        await close()
      }
      const { page, close } = await start('/p/demo/charts/mrr-movement?env=sandbox&hidden=churn')
      await page
        .getByRole('row', { name: /All periods/ })
        .getByRole('link')
        .nth(6)
        .click()
      await page.locator('h1', { hasText: 'Net change' }).waitFor()
      await page.getByRole('dialog').getByText('Equal to the millionth').waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'an address whose days are none shows the usual ones, and reversed days are put in order',
    async () => {
      const { page, complaints, close } = await start(
        '/p/demo/charts/revenue?env=sandbox&range=custom&from=x&start=x&value=net',
      )
      await page.locator('tfoot', { hasText: '$14.98' }).waitFor()
      await goTo(page, `/p/demo/charts/revenue?env=sandbox&range=custom&from=2026-02-03&to=2026-02-01&known=x`)
      await page.getByRole('row', { name: /3 Feb 2026/ }).waitFor()
      await page.getByRole('row', { name: /1 Feb 2026/ }).waitFor()
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'time travel shows what was known, and leads back',
    async () => {
      const before = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
      const { page, close } = await start('/p/demo/charts/gross-revenue?env=sandbox')
      await page.locator('tfoot', { hasText: '$14.98' }).waitFor()
      await page.getByLabel('Known at').fill(before)
      await page.getByText('What was learned later is not counted.').waitFor()
      await page.getByText('Nothing was counted in this window').waitFor()
      expect(page.url()).toContain(`known=${before}`)
      await page.getByRole('button', { name: 'Back to now' }).click()
      await page.locator('tfoot', { hasText: '$14.98' }).waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'keys go through the periods, and Enter opens the rows',
    async () => {
      const { page, close } = await start('/p/demo/charts/gross-revenue?env=sandbox')
      await page.getByRole('group', { name: /Arrow keys/ }).focus()
      await page.keyboard.press('End')
      await page
        .locator('[aria-live=polite]', { hasText: 'so far, Gross revenue $14.98' })
        .waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowLeft')
      await page.locator('[aria-live=polite]', { hasText: '$0.00' }).waitFor({ state: 'attached' })
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByText('Equal to the millionth').waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'filters, groups, hidden series and ranges are in the address, and a view keeps them',
    async () => {
      const { page, close } = await start('/p/demo/charts/revenue?env=sandbox')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Store' }).click()
      await page.getByLabel('App Store').check()
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByRole('button', { name: 'Remove the filter Store' }).waitFor()
      await page.getByLabel('Range').selectOption('90d')
      await page.getByRole('button', { name: 'Refunds' }).click()
      expect([...new URL(page.url()).searchParams]).toEqual([
        ['env', 'sandbox'],
        ['store', 'IOS_STORE'],
        ['range', '90d'],
        ['hidden', 'refunds'],
      ])
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByLabel('Name').fill(HOSTILE)
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByText('The view is saved').waitFor()
      const [view] = (await get<{ items: { name: string; params: object }[] }>('/charts/views')).items
      expect(view).toMatchObject({ name: HOSTILE, params: { store: 'IOS_STORE', range: '90d', hidden: 'refunds' } })
      await goTo(page, '/p/demo/charts')
      await page.getByRole('link', { name: HOSTILE }).click()
      await page.getByRole('button', { name: 'Remove the filter Store' }).waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'the groups of a chart with several values are those of its net, and open to their rows',
    async () => {
      const { page, complaints, close } = await start('/p/demo/charts/revenue?env=sandbox')
      await page.getByRole('button', { name: 'Charges' }).waitFor()
      await page.getByLabel('Group by').selectOption('store')
      await page.getByText('Net by store. The table of groups has the other values.').waitFor()
      await page.getByRole('button', { name: 'App Store', exact: true }).waitFor()
      await soon(async () => expect(await page.getByRole('button', { name: 'Charges' }).count()).toBe(0))
      await page
        .getByRole('row', { name: /All periods/ })
        .getByRole('link')
        .first()
        .click()
      await page.getByRole('dialog').getByText('Equal to the millionth').waitFor()
      await goTo(page, '/p/demo/charts/mrr-movement?env=sandbox&by=product')
      await page.getByText('Net by product.').waitFor()
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'on paper a chart has every column of its table, and nothing to press beside it',
    async () => {
      const { page, close } = await start('/p/demo/charts/mrr-movement?env=sandbox')
      await page.locator('tfoot').waitFor()
      await page.emulateMedia({ media: 'print' })
      // A sheet of A4, landscape, without its margins.
      await page.setViewportSize({ width: 1032, height: 700 })
      const ends = `[...document.querySelectorAll('main th')].map((one) => one.getBoundingClientRect().right)`
      for (const end of (await page.evaluate(ends)) as number[]) expect(end).toBeLessThanOrEqual(1032)
      await page.getByRole('columnheader', { name: 'End' }).waitFor()
      for (const hidden of [page.getByRole('complementary'), page.getByRole('button', { name: 'Save view' })])
        await soon(async () => expect(await hidden.first().isVisible()).toBe(false))
      await soon(async () => expect(await page.getByRole('combobox').filter({ visible: true }).count()).toBe(0))
      await page.getByText(/^Demo, Sandbox, \d/).waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'an annotation is added, stands on the chart, and its deletion is undone',
    async () => {
      const { page, close } = await start('/p/demo/charts/revenue?env=sandbox&do=annotations')
      const now = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16)
      await page.getByLabel('Day and time').fill(now)
      await page.getByLabel('Text').fill('Release 4.2')
      await page.getByRole('button', { name: 'Add an annotation' }).click()
      await page.getByRole('button', { name: 'Delete the annotation “Release 4.2”' }).click()
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Delete the annotation “Release 4.2”' }).waitFor()
      const { items } = await get<{ items: { text: string }[] }>('/charts/annotations')
      expect(items.map(({ text }) => text).sort()).toEqual([HOSTILE, 'Release 4.2'].sort())
      await page.getByRole('button', { name: 'Add an annotation' }).click()
      await page.locator('[aria-invalid=true]').first().waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'the CSV of a chart is what the screen shows',
    async () => {
      const { page, close } = await start('/p/demo/charts/revenue?env=sandbox&range=7d')
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export CSV' }).click()
      const lines = readFileSync(await (await download).path(), 'utf8')
        .trim()
        .split(/\r?\n/)
      expect(lines[0]).toBe('cellStart,gross,refunds,net')
      expect(lines).toHaveLength(8)
      expect(lines.at(-1)).toEndWith(',14980000,4990000,9990000')
      await close()
    },
    SLOW,
  )

  const type = async (page: Page, text: string) => {
    await page.locator('.cm-content').click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }

  test(
    'a query runs by key, is drawn, exported, saved and opened again',
    async () => {
      const { page, complaints, close } = await start('/p/demo/charts/sql')
      await type(page, 'SELECT product_identifier, count(*) AS purchases FROM purchases GROUP BY 1 ORDER BY 1')
      await page.keyboard.press('ControlOrMeta+Enter')
      await page.getByRole('status').filter({ hasText: 'rows in' }).waitFor()
      await soon(async () => expect(await page.locator('main tbody tr').count()).toBe(2))
      await page.getByRole('button', { name: 'Chart', exact: true }).click()
      await page.getByRole('group', { name: 'Result: purchases' }).waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export CSV' }).click()
      const csv = readFileSync(await (await download).path(), 'utf8')
      expect(csv).toStartWith('product_identifier,purchases\r\ncoins_100,1\r\n')
      await page.getByRole('button', { name: 'Save query' }).click()
      await page.getByLabel('Name').fill('By product')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.locator('h1', { hasText: 'By product' }).waitFor()
      await page.reload()
      await page.locator('.cm-content', { hasText: 'product_identifier' }).waitFor()
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'the editor completes what is typed, and asks before another text is overwritten',
    async () => {
      const { data } = await stage.call('POST', at('/queries'), { name: 'Count', sql: 'SELECT 1' })
      const { id, revision } = data as { id: string; revision: number }
      const { page, close } = await start(`/p/demo/charts/sql?q=${id}`)
      await page.locator('.cm-content', { hasText: 'SELECT 1' }).waitFor()
      await type(page, 'SELECT count(*) FROM ')
      await page.keyboard.type('purch')
      await page.locator('.cm-tooltip-autocomplete li', { hasText: 'purchases' }).first().click()
      await page.locator('.cm-content', { hasText: 'SELECT count(*) FROM purchases' }).waitFor()
      await stage.call('PATCH', at(`/queries/${id}`), { sql: 'SELECT 2' })
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('dialog').getByText('SELECT 2').waitFor()
      const saved = async () => (await get<{ items: { id: string; sql: string }[] }>('/queries')).items
      expect((await saved()).find((one) => one.id === id)?.sql).toBe('SELECT 2')
      await page.getByRole('button', { name: 'Overwrite' }).click()
      await page.getByRole('status').getByText('saved').first().waitFor()
      const [now] = (await get<{ items: { id: string; sql: string; revision: number }[] }>('/queries')).items.filter(
        (one) => one.id === id,
      )
      expect(now).toMatchObject({ sql: 'SELECT count(*) FROM purchases', revision: revision + 2 })
      await close()
    },
    SLOW,
  )

  test(
    'a refused query says why and where',
    async () => {
      const { page, close } = await start('/p/demo/charts/sql')
      await type(page, 'SELECT *\nFROM secrets')
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('There is no such table here.').waitFor()
      await page.getByRole('alert').filter({ hasText: 'QUERY_REJECTED' }).waitFor()
      await page.getByRole('button', { name: /Go to line 2, column \d+/ }).click()
      await page.locator('.sql-fault', { hasText: 'secrets' }).waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'a cohort is made by form, and a taken identifier is refused at once',
    async () => {
      const { page, close } = await start('/p/demo/charts/cohorts?env=sandbox&do=new')
      await page.getByLabel('Name').fill('New people')
      await page.getByLabel('Identifier').fill('buyers')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('alert').filter({ hasText: 'IDENTIFIER_TAKEN' }).waitFor()
      await page.getByLabel('Identifier').fill('new_people')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.locator('h1', { hasText: 'New people' }).waitFor()
      await page.locator('tbody a').first().waitFor()
      await page.getByRole('button', { name: 'Delete cohort' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete cohort' }).click()
      await page.locator('h1', { hasText: 'Cohorts' }).waitFor()
      const { items } = await get<{ items: { identifier: string }[] }>('/cohorts')
      expect(items.map(({ identifier }) => identifier)).toEqual(['buyers'])
      await close()
    },
    SLOW,
  )

  test(
    'a change of somebody else meanwhile is told, and can be overwritten',
    async () => {
      const { page, close } = await start(
        `/p/demo/charts/leaderboards/${await idOf('/leaderboards')}?env=sandbox&do=edit`,
      )
      await page.locator('tbody a').first().waitFor()
      await stage.call('PATCH', at(`/leaderboards/${await idOf('/leaderboards')}`), { window: 'month' })
      await page.getByLabel('Name').fill('Top')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Somebody changed this meanwhile' }).waitFor()
      await page.getByRole('button', { name: 'Overwrite' }).click()
      await page.locator('h1', { hasText: 'Top' }).waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'a chart of production says that only the sandbox has purchases, and leads there',
    async () => {
      const { page, close } = await start('/p/demo/charts/gross-revenue?range=90d')
      await page.getByText('Only sandbox purchases exist').waitFor()
      await page.getByRole('link', { name: 'Look at the sandbox' }).click()
      await page.locator('tfoot', { hasText: '$14.98' }).waitFor()
      expect(new URL(page.url()).search).toBe('?range=90d&env=sandbox')
      await close()
    },
    SLOW,
  )

  test(
    'a slow answer is told, because what is shown until then is of another choice',
    async () => {
      const { page, close } = await start('/p/demo/charts/revenue?env=sandbox')
      await page.locator('tfoot', { hasText: '$14.98' }).waitFor()
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route(/charts\/revenue\?.*grain=month/, async (route) => {
        await promise
        await route.fallback()
      })
      await page.getByRole('button', { name: 'Month', exact: true }).click()
      await page.getByText('these are the figures of before').waitFor()
      resolve()
      await page.getByText('these are the figures of before').waitFor({ state: 'detached' })
      const error = { code: 'VALIDATION_ERROR', message: 'It is refused.', details: {} }
      await page.route('**/charts/revenue/rows?*', (route) => route.fulfill({ status: 400, json: { error } }))
      await page.locator('tfoot a').first().click()
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('alert').filter({ hasText: 'It is refused.' }).waitFor()
      await soon(async () => expect(await sheet.locator('dl').textContent()).toEndWith('Sum of the rows—'))
      await close()
    },
    SLOW,
  )

  test(
    'support reads charts, and is neither offered SQL nor new cohorts',
    async () => {
      const { cookie } = await addMember(stage, 'support@example.com', 'CUSTOMER_SUPPORT')
      const { page, close } = await start('/p/demo/charts/cohorts', { cookie })
      await soon(async () => expect(await page.getByRole('link', { name: 'SQL' }).count()).toBe(0))
      await soon(async () =>
        expect(await page.getByRole('button', { name: 'New cohort' }).getAttribute('title')).toContain('needs Growth'),
      )
      await goTo(page, '/p/demo/charts/revenue?env=sandbox')
      await page.locator('tfoot', { hasText: '$14.98' }).waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'what is bought meanwhile appears in a chart without a reload',
    async () => {
      const { page, close } = await start('/p/demo/charts/revenue?env=sandbox')
      await page.locator('tfoot', { hasText: '$14.98' }).waitFor()
      await page.evaluate('globalThis.isTheSame = true')
      const bought = ['purchase', '--device', 'zoe', '--product', 'coins_100', '--price', '4.99']
      await stage.svc('simulate', ...bought, '--project', 'demo')
      await page.locator('tfoot', { hasText: '$19.97' }).waitFor()
      await soon(async () => expect(await page.evaluate(`'isTheSame' in globalThis`)).toBe(true))
      await close()
    },
    SLOW,
  )
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, untilTrue, type Visit, violationsOf } from '../support/console'
import { faultsOf, keepToasts, setNoon } from '../support/console-look'
import { addMember, type Member } from '../support/console-members'
import { LOOKS } from '../support/release'
import { soon } from '../support/soon'

const TIMEOUT = 600_000

const LIVES = [
  ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99'],
  ['purchase', '--device', 'webb', '--product', 'pro_yearly', '--price', '59.99', '--store', 'payment'],
  ['purchase', '--device', 'elif', '--product', 'pro_monthly', '--price', '9.99'],
  ['billing-issue', '--device', 'elif'],
]

interface List<I> {
  items: I[]
}

describe.skipIf(!hasChromium)('revenue in the console', () => {
  let stage: ConsoleStage
  let visit: Visit
  let page: Page
  let growth: Member
  let base: string
  let webb: { id: string; subscriberId: string }

  const toasted = (text: string) => page.getByRole('status').getByText(text).first().waitFor()
  const listed = async <I>(path: string): Promise<I[]> => ((await stage.call('GET', base + path)).data as List<I>).items

  beforeAll(async () => {
    stage = await consoleStage([])
    await setNoon(stage)
    for (const life of LIVES) await stage.svc('simulate', ...life, '--project', 'demo')
    base = `/dashboard/projects/${stage.projectId}`
    const purchases = await listed<{ id: string; subscriberId: string; store: string }>(
      '/subscriptions?environment=SANDBOX&store=PAYMENT',
    )
    webb = purchases[0] ?? { id: '', subscriberId: '' }
    growth = await addMember(stage, 'growth@example.com', 'GROWTH')
    visit = await stage.open()
    await keepToasts(visit)
    page = visit.page
  }, 1_200_000)

  afterAll(async () => {
    await visit?.close()
    await stage?.close()
  }, 600_000)

  for (const look of LOOKS)
    test(
      `every screen holds in ${look.theme} colours`,
      async () => {
        const at = (path: string) => `/p/demo/revenue${path}${path.includes('?') ? '&' : '?'}env=sandbox`
        const titled = (heading: string) => (seen: Visit) =>
          seen.page.getByRole('heading', { level: 1, name: heading }).waitFor()
        const [charge] = await listed<{ id: string }>('/transactions?environment=SANDBOX&store=PAYMENT')
        const found = await faultsOf(stage, look, [
          ['subscriptions', at(''), titled('Subscriptions')],
          ['transactions', at('/transactions'), titled('Transactions')],
          [
            'transaction-refund',
            at(`/transactions?store=PAYMENT&refund=${charge?.id}`),
            (seen) => seen.page.getByRole('dialog').getByText('purchase.refunded').waitFor(),
          ],
          ['renewals', at('/renewals'), titled('Renewals')],
          ['billing-issues', at('/billing-issues'), titled('Billing issues')],
          ['scheduled', at('/scheduled'), titled('Scheduled')],
          ['refund-shield', at('/refund-shield'), titled('Refund shield')],
        ])
        expect(found).toEqual([])
      },
      TIMEOUT,
    )

  test(
    'subscriptions are filtered, opened at their person, and saved as a file',
    async () => {
      await goTo(page, '/p/demo/revenue?env=sandbox')
      const table = page.getByRole('table', { name: 'Subscriptions' })
      await table.getByRole('row').nth(3).waitFor()
      await page.getByLabel('Store').selectOption('PAYMENT')
      await table.getByRole('row').nth(2).waitFor({ state: 'detached' })
      expect(new URL(page.url()).searchParams.get('store')).toBe('PAYMENT')
      const file = page.getByRole('link', { name: 'Export CSV' })
      const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
      const lines = (await Bun.file(await download.path()).text()).trim().split('\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toContain(webb.id)
      await table.getByRole('link', { name: 'Pro Yearly' }).click()
      await page.getByRole('heading', { level: 1, name: 'webb' }).waitFor()
      expect(new URL(page.url()).searchParams.get('purchase')).toBe(webb.id)
    },
    TIMEOUT,
  )

  test(
    'figures agree between the volume, its table and the rows',
    async () => {
      await goTo(page, '/p/demo/revenue/transactions?env=sandbox')
      const stores = page.getByRole('table', { name: 'By store' })
      await stores.getByRole('row', { name: /Total/ }).getByText('$79.97').waitFor()
      await page.getByText('As a table').click()
      const day = page.getByRole('table', { name: 'Amount by day' }).getByRole('row', { name: /\$79\.97/ })
      await day.getByRole('link').click()
      await page.waitForURL(/[?&]from=/)
      const { searchParams } = new URL(page.url())
      expect(searchParams.get('from')).toBe(searchParams.get('to'))
      await stores
        .getByRole('row', { name: /Total 3/ })
        .getByText('$79.97')
        .waitFor()
      const rows = page.getByRole('table', { name: 'Transactions' }).getByRole('row')
      await rows.nth(3).waitFor()
      await soon(async () => expect(await rows.count()).toBe(4))
      await stores.getByRole('link', { name: 'Web' }).click()
      await page.getByRole('table', { name: 'Transactions' }).getByRole('row').nth(2).waitFor({ state: 'detached' })
      await page.getByRole('table', { name: 'Transactions' }).getByText('$59.99').first().waitFor()
    },
    TIMEOUT,
  )

  test(
    'a purchase from outside appears among the subscriptions without a reload, and its renewal among the charges',
    async () => {
      await goTo(page, '/p/demo/revenue?env=sandbox&store=ANDROID_STORE')
      await page.mouse.move(0, 0)
      await page.evaluate('globalThis.isTheSame = true')
      await page.getByText('Nothing').first().waitFor()
      const android = ['--device', 'nora', '--store', 'android', '--project', 'demo']
      await stage.svc('simulate', 'purchase', ...android, '--product', 'pro_monthly', '--price', '9.99')
      await page.getByRole('table', { name: 'Subscriptions' }).getByRole('link', { name: 'Pro Monthly' }).waitFor()
      await page.getByRole('link', { name: 'Transactions', exact: true }).click()
      const rows = page.getByRole('table', { name: 'Transactions' })
      await rows.getByText('Google Play').first().waitFor()
      await page.mouse.move(0, 0)
      await stage.svc('simulate', 'renew', '--device', 'nora', '--project', 'demo')
      await rows.getByRole('cell', { name: 'Renewal', exact: true }).waitFor()
      await soon(async () => expect(await page.evaluate(`'isTheSame' in globalThis`)).toBe(true))
    },
    TIMEOUT,
  )

  test(
    'a failed renewal is listed with what it means',
    async () => {
      await goTo(page, '/p/demo/revenue/billing-issues?env=sandbox')
      const table = page.getByRole('table', { name: 'Billing issues' })
      await table.getByText('charge failed, access stays on').waitFor()
      await soon(async () => expect(await table.getByRole('row').count()).toBe(2))
    },
    TIMEOUT,
  )

  test(
    'a cancellation is scheduled with its preview, listed, and called off',
    async () => {
      await goTo(page, `/p/demo/subscribers/${webb.subscriberId}?env=sandbox&do=schedule`)
      const sheet = page.getByRole('dialog')
      await sheet.getByText('preview, nothing changed yet').waitFor()
      await sheet.getByText('purchase.cancelled').waitFor()
      expect(await listed('/subscriptions/scheduled')).toEqual([])
      await sheet.getByRole('button', { name: 'Schedule the cancellation' }).click()
      await toasted('Cancellation scheduled')
      await goTo(page, '/p/demo/revenue/scheduled?env=sandbox')
      await page.getByRole('button', { name: 'Call off' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Call off' }).click()
      await toasted('Cancellation called off')
      await page.getByRole('table').getByText('Called off').waitFor()
      const [action] = await listed<{ status: string }>('/subscriptions/scheduled')
      expect(action?.status).toBe('CANCELLED')
    },
    TIMEOUT,
  )

  test(
    'a charge is refunded from its row after its effect was shown',
    async () => {
      await goTo(page, '/p/demo/revenue/transactions?env=sandbox&store=PAYMENT')
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('purchase.refunded').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Refund $59.99' }).click()
      await toasted('Refunded')
      await page.getByRole('cell', { name: 'Refund', exact: true }).first().waitFor()
      const kinds = await listed<{ kind: string }>('/transactions?environment=SANDBOX&store=PAYMENT')
      expect(kinds.map(({ kind }) => kind)).toContain('REFUND')
      await goTo(page, '/p/demo/revenue/transactions?env=sandbox&store=IOS_STORE')
      await page.getByRole('button', { name: 'Refund', exact: true }).first().click()
      await page.getByRole('dialog').getByText('Apple alone decides').waitFor()
      expect(visit.complaints).toEqual([])
    },
    TIMEOUT,
  )

  test(
    'settings of the refund shield that somebody else changed meanwhile are not overwritten unseen',
    async () => {
      await goTo(page, '/p/demo/revenue/refund-shield?env=sandbox')
      await page.getByLabel('Minutes until the answer').fill('30')
      const theirs = { enabled: true, delayMinutes: 90, policy: 'neutral', customerConsented: true }
      await stage.call('PUT', `${base}/refund-shield`, theirs)
      await page.getByRole('button', { name: 'Save' }).click()
      const conflict = page.getByRole('dialog')
      await conflict.getByRole('heading', { name: 'Somebody changed this meanwhile' }).waitFor()
      await conflict.getByRole('row', { name: /Minutes until the answer 60 90 30/ }).waitFor()
      expect((await stage.call('GET', `${base}/refund-shield`)).data).toMatchObject(theirs)
      await page.getByRole('button', { name: 'Load the newest' }).click()
      const minutes = page.getByLabel('Minutes until the answer')
      await page.locator('input[value="90"]').waitFor()
      await minutes.fill('45')
      visit.complaints.length = 0 // The browser reports the refused call.
      await page.getByRole('button', { name: 'Save' }).click()
      await toasted('Refund shield saved')
      expect((await stage.call('GET', `${base}/refund-shield`)).data).toMatchObject({ ...theirs, delayMinutes: 45 })
    },
    TIMEOUT,
  )

  test(
    'what a role may not do is not offered, and refused when forced',
    async () => {
      const seen = await stage.open({ cookie: growth.cookie })
      await goTo(seen.page, '/p/demo/revenue/transactions?env=sandbox&store=IOS_STORE')
      const refund = seen.page.getByRole('button', { name: 'Refund', exact: true }).first()
      await refund.waitFor()
      await soon(async () =>
        expect([await refund.isDisabled(), await refund.getAttribute('title')]).toEqual([
          true,
          'Your role does not allow this. It needs Admin.',
        ]),
      )
      await soon(async () => expect(await seen.page.getByRole('link', { name: 'Scheduled' }).count()).toBe(0))
      const forced = await growth.call('POST', `${base}/subscriptions/${webb.id}/refund`, {})
      expect(forced).toEqual({ status: 403, code: 'CAPABILITY_REQUIRED' })
      await goTo(seen.page, '/p/demo/revenue/refund-shield')
      const save = seen.page.getByRole('button', { name: 'Save' })
      await soon(async () =>
        expect(await save.getAttribute('title')).toBe('Your role does not allow this. It needs Owner.'),
      )
      await seen.close()
    },
    TIMEOUT,
  )

  test(
    'a product of an earlier Google order is refunded with the whole order, once that is meant',
    async () => {
      const extra = { identifier: 'cloud_monthly', type: 'SUBSCRIPTION', period: 'P1M', displayName: 'Cloud' }
      expect((await stage.call('POST', `${base}/products`, extra)).status).toBe(201)
      const path = '/transactions?environment=SANDBOX&store=ANDROID_STORE'
      const others = new Set((await listed<{ id: string }>(path)).map(({ id }) => id))
      const duo = ['--device', 'duo', '--product', 'pro_monthly', '--price', '9.99', '--store', 'android']
      await stage.svc('simulate', 'purchase', ...duo, '--with', 'cloud_monthly', '--project', 'demo')
      await stage.svc('simulate', 'renew', '--device', 'duo', '--project', 'demo')
      const charges = (await listed<{ id: string; kind: string }>(path)).filter(({ id }) => !others.has(id))
      await goTo(
        page,
        `/p/demo/revenue/transactions?env=sandbox&store=ANDROID_STORE&refund=${charges.findLast(({ kind }) => kind !== 'RENEWAL')?.id}`,
      )
      const dialog = page.getByRole('dialog')
      const whole = dialog.getByLabel('Refund the whole order')
      await whole.waitFor()
      await soon(async () =>
        expect(await dialog.getByRole('button', { name: 'Refund', exact: true }).isDisabled()).toBe(true),
      )
      await whole.check()
      await dialog.getByText('Another product of the order will be refunded too.').waitFor()
      await dialog.getByRole('button', { name: /^Refund \$/ }).click()
      await toasted('Refunded')
      const refunds = await listed<{ id: string; kind: string }>(path)
      expect(refunds.filter(({ id, kind }) => kind === 'REFUND' && !others.has(id))).toHaveLength(2)
    },
    TIMEOUT,
  )

  test(
    'a phone shows who paid how much in two lines, and opens its filters by one button',
    async () => {
      const seen = await stage.open({ width: 390, height: 844 })
      await goTo(seen.page, '/p/demo/revenue/transactions?env=sandbox')
      await soon(async () => expect(await seen.page.locator('header').first().textContent()).toContain('Demo'))
      const row = seen.page.locator('main [data-row]', { hasText: 'webb' }).last()
      const text = await row.textContent()
      for (const part of ['$59.99', 'First charge', 'Pro Yearly']) expect(text).toContain(part)
      const isCut = `[...document.querySelectorAll('main table')].some((one) => one.parentElement.scrollWidth > one.parentElement.clientWidth)`
      await untilTrue(seen.page, `!(${isCut})`)
      await soon(async () => expect(await seen.page.getByRole('combobox').count()).toBe(0))
      await seen.page.getByRole('button', { name: 'Filter', exact: true }).click()
      const sheet = seen.page.getByRole('dialog')
      await sheet.getByLabel('Store').selectOption('PAYMENT')
      await sheet.getByRole('button', { name: 'Show the rows' }).click()
      await seen.page.locator('main [data-row]', { hasText: 'mira' }).waitFor({ state: 'detached' })
      await seen.page.getByRole('button', { name: 'Take away the filter Store' }).click()
      await seen.page.locator('main [data-row]', { hasText: 'mira' }).first().waitFor()
      await row.getByRole('link').click()
      await seen.page.getByRole('heading', { level: 1, name: 'webb' }).waitFor()
      expect(seen.page.url()).toContain('purchase=')
      expect(seen.complaints).toEqual([])
      await seen.close()
    },
    TIMEOUT,
  )
})

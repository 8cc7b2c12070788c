import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, excessOf, goTo, shoot, type Visit, violationsOf } from '../support/console'
import { faultsOf, keepToasts, tabTo } from '../support/console-look'
import { addMember, type Member } from '../support/console-members'
import { LOOKS } from '../support/release'
import { soon } from '../support/soon'

const TIMEOUT = 600_000
const DAY = 86_400_000
const HOSTILE = '<img src=x onerror="document.title=1">'
const RIGHT_TO_LEFT = 'مشترك تجريبي'
const LONG = 'x'.repeat(240)

const LIVES = [
  ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99'],
  ['purchase', '--device', 'lena', '--product', 'coins_100', '--price', '4.99'],
  ['purchase', '--device', 'webb', '--product', 'pro_yearly', '--price', '59.99', '--store', 'payment'],
  ['purchase', '--device', 'part', '--product', 'pro_yearly', '--price', '59.99', '--store', 'payment'],
  ['refund', '--device', 'part', '--partial', '18.00'],
  ['refund', '--device', 'lena'],
  ['purchase', '--device', 'otto', '--product', 'coins_100', '--price', '4.99'],
]

interface Person {
  subscriber: { id: string; attributes: Record<string, string> }
  access: Record<string, { expiresDate: string | null }>
  balances: Record<string, number>
  purchases: { id: string; status: string; store: string; purchaseDate: string; refundedAt: string | null }[]
  mergedInto: string | null
  erased: boolean
}

describe.skipIf(!hasChromium)('people in the console', () => {
  let stage: ConsoleStage
  let visit: Visit
  let page: Page
  let support: Member
  let base: string
  const ids = new Map<string, string>()

  const idOf = (key: string): string => ids.get(key) ?? ''
  const personOf = async (key: string) => (await stage.call('GET', `${base}/subscribers/${idOf(key)}`)).data as Person
  const open = (key: string, query = '') => goTo(page, `/p/demo/subscribers/${idOf(key)}?env=sandbox${query}`)
  const toasted = (text: string) => page.getByRole('status').getByText(text).first().waitFor()

  beforeAll(async () => {
    stage = await consoleStage(LIVES)
    base = `/dashboard/projects/${stage.projectId}`
    await nameHostilePeople(stage, base)
    const { items } = (await stage.call('GET', `${base}/subscribers`)).data as {
      items: { id: string; deviceKey: string }[]
    }
    for (const { id, deviceKey } of items) ids.set(deviceKey, id)
    support = await addMember(stage, 'support@example.com', 'CUSTOMER_SUPPORT')
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
      `every screen and sheet holds in ${look.theme} colours`,
      async () => {
        const person = `/p/demo/subscribers/${idOf('mira')}?env=sandbox`
        const drawn = (seen: Visit) => seen.page.getByRole('slider').waitFor()
        const previewed = (seen: Visit) => seen.page.getByRole('dialog').getByText('preview, nothing').waitFor()
        const opened = (seen: Visit) => seen.page.getByRole('dialog').getByRole('button').last().waitFor()
        const sheets = [
          ...(['chain', 'ledger', 'credits', 'attributes', 'dsar', 'refund'] as const).map(
            (sheet) => [`person-${sheet}`, `${person}&do=${sheet}`, opened] as const,
          ),
          ['person-grant', `${person}&do=grant`, previewed],
          ['person-transfer', `${person}&do=transfer&to=${idOf('webb')}`, previewed],
          ['person-schedule', `/p/demo/subscribers/${idOf('webb')}?env=sandbox&do=schedule`, previewed],
        ] as const
        const found = await faultsOf(stage, look, [
          [
            'people',
            '/p/demo/subscribers?env=sandbox',
            (seen) => seen.page.getByRole('link', { name: 'mira' }).waitFor(),
          ],
          ['person', person, drawn],
          ['transfers', '/p/demo/subscribers/transfers?env=sandbox'],
          ['data-requests', '/p/demo/subscribers/data-requests?env=sandbox'],
          ...sheets,
        ])
        expect(found).toEqual([])
      },
      TIMEOUT,
    )

  test(
    'people and purchases that come from outside appear without a reload',
    async () => {
      await goTo(page, '/p/demo/subscribers?env=sandbox')
      await page.mouse.move(0, 0)
      await page.evaluate('globalThis.isTheSame = true')
      const buy = ['--product', 'pro_monthly', '--price', '9.99', '--project', 'demo']
      await stage.svc('simulate', 'purchase', '--device', 'nora', ...buy)
      await page.getByRole('link', { name: 'nora' }).click()
      await page.getByRole('heading', { level: 1, name: 'nora' }).waitFor()
      const events = page.getByRole('list', { name: 'Events' })
      await events.getByText('Purchase', { exact: true }).waitFor()
      await stage.svc('simulate', 'renew', '--device', 'nora', '--project', 'demo')
      await events.getByText('Renewed', { exact: true }).waitFor()
      await events
        .getByText(/^Pro Monthly, until/)
        .first()
        .waitFor()
      await page.getByText('$19.98').waitFor()
      await soon(async () => expect(await page.evaluate(`'isTheSame' in globalThis`)).toBe(true))
    },
    TIMEOUT,
  )

  test(
    'production has only people of production, and says where the others are',
    async () => {
      await goTo(page, '/p/demo/subscribers')
      await page.locator('main [data-row]').first().waitFor()
      await soon(async () => expect(await page.getByRole('link', { name: 'mira' }).count()).toBe(0))
      await page.getByRole('searchbox', { name: 'Search people' }).fill('mira')
      await page.getByText('Production has none. The sandbox has some.').waitFor()
      await page.getByRole('link', { name: 'Look at the sandbox' }).click()
      await page.getByRole('link', { name: 'mira' }).waitFor()
      await page.getByRole('group', { name: 'Environment' }).getByText('Production').click()
      await page.getByText('Production has none. The sandbox has some.').waitFor()
      await goTo(page, '/p/demo/settings?env=sandbox')
      expect(await page.getByRole('group', { name: 'Environment' }).count()).toBe(0)
      expect(await page.locator('main').getByText('Sandbox', { exact: true }).count()).toBe(0)
      await open('mira')
      await page.locator('h1 ~ span', { hasText: 'Sandbox' }).first().waitFor()
    },
    TIMEOUT,
  )

  test(
    'a grant is given by keyboard only',
    async () => {
      const seen = await stage.open()
      await keepToasts(seen)
      await goTo(seen.page, '/p/demo/subscribers?env=sandbox')
      await seen.page.getByRole('link', { name: 'otto' }).waitFor()
      await seen.page.keyboard.press('/')
      await seen.page.getByRole('dialog').getByRole('combobox').waitFor()
      await seen.page.keyboard.type('otto')
      await seen.page.getByRole('option', { name: /otto/, selected: true }).waitFor()
      await seen.page.keyboard.press('Enter')
      await seen.page.getByRole('heading', { level: 1, name: 'otto' }).waitFor()
      await tabTo(seen, 'Grant')
      await seen.page.keyboard.press('Enter')
      const sheet = seen.page.getByRole('dialog')
      await sheet.getByText('preview, nothing changed yet').waitFor()
      await tabTo(seen, 'Until')
      await seen.page.keyboard.press('ArrowUp')
      await tabTo(seen, 'Reason')
      await seen.page.keyboard.type('by hand')
      await sheet.getByText('purchase.initial').waitFor()
      await tabTo(seen, 'Grant pro')
      await seen.page.keyboard.press('Enter')
      await seen.page.getByRole('status').getByText('Access granted').waitFor()
      await sheet.waitFor({ state: 'detached' })
      const end = Date.parse((await personOf('otto')).access.pro?.expiresDate ?? '')
      expect(Math.abs(end - Date.now() - DAY)).toBeLessThan(600_000)
      expect(seen.complaints).toEqual([])
      await seen.close()
    },
    TIMEOUT,
  )

  test(
    'a person is found by id and by the beginning of a name',
    async () => {
      await goTo(page, '/p/demo/subscribers?env=sandbox')
      const search = page.getByRole('searchbox', { name: 'Search people' })
      await search.fill(idOf('lena'))
      await page.getByRole('link', { name: 'lena' }).waitFor()
      await page.getByRole('link', { name: 'mira' }).waitFor({ state: 'detached' })
      await search.fill('mi')
      await page.getByRole('link', { name: 'mira' }).waitFor()
      expect(new URL(page.url()).searchParams.get('q')).toBe('mi')
      const { items } = (await stage.call('GET', `${base}/transactions?subscriberId=${idOf('webb')}`)).data as {
        items: { storeTransactionId: string }[]
      }
      await search.fill(` ${items[0]?.storeTransactionId} `)
      await page.getByRole('link', { name: 'webb' }).waitFor()
      await page.getByRole('link', { name: 'mira' }).waitFor({ state: 'detached' })
      await search.fill('w')
      await page.getByRole('link', { name: 'mira' }).waitFor()
      await search.fill('nobody of that name')
      await page.getByText('Nobody matches').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('link', { name: 'mira' }).click()
      await page.getByRole('heading', { level: 1, name: 'mira' }).waitFor()
    },
    TIMEOUT,
  )

  test(
    'the screen says why an access is off, and what it will be at another time',
    async () => {
      await open('lena')
      await page.getByText('Not active').waitFor()
      await page.getByText('Nothing that gives this access was ever bought or granted.').waitFor()
      await open('mira')
      await page.getByText('Active until').waitFor()
      const line = page.getByRole('slider', { name: 'Moment' })
      await line.focus()
      await page.keyboard.press('PageUp')
      await page.keyboard.press('PageUp')
      await page.getByText('Not active').waitFor()
      expect(new URL(page.url()).searchParams.get('at')).toMatch(/^20\d\d-/)
      await page.getByText(/ended/).first().waitFor()
      await page.getByRole('button', { name: 'Back to now' }).click()
      await page.getByText('Active until').waitFor()
      expect(new URL(page.url()).searchParams.has('at')).toBe(false)
      await open('mira', '&at=2020-01-01T00:00:00Z')
      await page.getByRole('button', { name: 'Back to now' }).waitFor()
      await soon(async () => expect(await page.getByText('2020').count()).toBe(0))
      await page.getByRole('button', { name: 'Back to now' }).click()
      await page.getByText(/^\d+, without a gap$/).waitFor()
      await page.getByRole('link', { name: /Full chain/ }).click()
      await page.getByRole('dialog').getByText('ACTIVE_BEFORE_END').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
    TIMEOUT,
  )

  test(
    'support grants three days and sees them',
    async () => {
      const seen = await stage.open({ cookie: support.cookie })
      await keepToasts(seen)
      await goTo(seen.page, `/p/demo/subscribers/${idOf('lena')}?env=sandbox`)
      await seen.page.getByRole('button', { name: 'Grant', exact: true }).click()
      const sheet = seen.page.getByRole('dialog')
      await sheet.getByText('preview, nothing changed yet').waitFor()
      await sheet.getByRole('table', { name: 'lena' }).getByText('no access').waitFor()
      expect((await personOf('lena')).access).toEqual({})
      await sheet.getByLabel(/Reason/).fill('lost a voucher')
      await sheet.getByText('purchase.initial').waitFor()
      expect(await violationsOf(seen.page)).toEqual([])
      await sheet.getByRole('button', { name: 'Grant pro' }).click()
      await seen.page.getByRole('status').getByText('Access granted').waitFor()
      await seen.page.getByText('Active until').waitFor()
      const end = Date.parse((await personOf('lena')).access.pro?.expiresDate ?? '')
      expect(Math.abs(end - Date.now() - 3 * DAY)).toBeLessThan(600_000)
      expect(seen.complaints).toEqual([])
      await seen.close()
    },
    TIMEOUT,
  )

  test(
    'a grant whose answer was lost is given once, though it is sent twice',
    async () => {
      const seen = await stage.open()
      await keepToasts(seen)
      const sent: unknown[] = []
      const askedAgain = Promise.withResolvers<void>()
      await seen.page.route('**/grants', async (route) => {
        const isPreview = (route.request().postDataJSON() as { dryRun?: boolean }).dryRun === true
        if (isPreview && sent.length > 0) return askedAgain.resolve()
        if (isPreview) return await route.continue()
        const answer = await route.fetch()
        sent.push([answer.status(), await route.request().headerValue('idempotency-key')])
        sent.length === 1 ? await route.abort() : await route.fulfill({ response: answer })
      })
      const before = (await personOf('otto')).purchases.length
      await goTo(seen.page, `/p/demo/subscribers/${idOf('otto')}?env=sandbox&do=grant`)
      const sheet = seen.page.getByRole('dialog')
      await sheet.getByText('preview, nothing changed yet').waitFor()
      await sheet.getByRole('button', { name: 'Grant pro' }).click()
      await sheet.getByText('The server did not answer. Whether it was done is not known').first().waitFor()
      // The server is back and everything is read again, the preview too. The button does not wait for that.
      await askedAgain.promise
      await sheet.getByRole('button', { name: 'Grant pro' }).click()
      await seen.page.getByRole('status').getByText('Access granted').waitFor()
      expect((await personOf('otto')).purchases).toHaveLength(before + 1)
      expect(sent).toHaveLength(2)
      expect(sent[1]).toEqual(sent[0])
      await seen.close()
    },
    TIMEOUT,
  )

  test(
    'a refund that Apple alone decides is said before the click, and refused when forced',
    async () => {
      await open('mira', '&do=refund')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Apple alone decides').waitFor()
      await soon(async () => expect(await dialog.getByRole('button', { name: /^Refund/ }).count()).toBe(0))
      const [purchase] = (await personOf('mira')).purchases
      const forced = await stage.call('POST', `${base}/subscriptions/${purchase?.id}/refund`, {})
      expect(forced.status).toBe(422)
    },
    TIMEOUT,
  )

  test(
    'a web purchase is refunded after its effect was shown',
    async () => {
      await open('webb', '&do=refund')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('purchase.refunded').waitFor()
      const more = ['--product', 'coins_100', '--price', '4.99', '--store', 'payment', '--project', 'demo']
      await stage.svc('simulate', 'purchase', '--device', 'webb', ...more)
      await dialog.getByText('100 Coins').waitFor()
      const yearly = async () => (await personOf('webb')).purchases.at(-1)
      expect((await yearly())?.status).toBe('ACTIVE')
      await dialog.getByRole('button', { name: 'Refund $59.99' }).click()
      await toasted('Refunded')
      const refunded = await yearly()
      expect(refunded?.status).toBe('REFUNDED')
      await page.getByText('Not active').waitFor()
      await page.getByText(/refunded Pro Yearly/).waitFor()
      const [from, to] = [Date.parse(refunded?.purchaseDate ?? ''), Date.parse(refunded?.refundedAt ?? '')]
      const middle = new Date((from + to) / 2).toISOString()
      await goTo(page, `/p/demo/subscribers/${idOf('webb')}?env=sandbox&at=${encodeURIComponent(middle)}`)
      await page.getByText('Active until').waitFor()
      await page.getByText(/is paid for until/).waitFor()
      await page.getByRole('button', { name: 'Back to now' }).click()
      await page.getByText('Not active').waitFor()
    },
    TIMEOUT,
  )

  test(
    'of a purchase of which a part was given back at the store, the rest is named and refunded',
    async () => {
      await open('part', '&do=refund')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('$41.99').first().waitFor()
      await dialog.getByRole('button', { name: 'Refund $41.99' }).click()
      await toasted('Refunded')
      expect((await personOf('part')).purchases[0]?.status).toBe('REFUNDED')
      const { items } = (await stage.call('GET', `${base}/transactions?subscriberId=${idOf('part')}`)).data as {
        items: { price: { amountMicros: number } | null }[]
      }
      expect(items.reduce((sum, { price }) => sum + (price?.amountMicros ?? 0), 0)).toBe(0)
      await open('part', '&do=refund')
      await dialog.getByText('This was refunded already.').waitFor()
    },
    TIMEOUT,
  )

  test(
    'a balance is changed once, with its preview',
    async () => {
      await open('mira', '&do=credits')
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('Amount').fill('120')
      await sheet.getByRole('table', { name: 'mira' }).getByText('120').waitFor()
      expect((await personOf('mira')).balances).toEqual({})
      await sheet.getByRole('button', { name: 'Book +120 coins' }).click()
      await toasted('Balance changed')
      expect((await personOf('mira')).balances).toEqual({ coins: 120 })
      await page.getByRole('link', { name: 'Ledger' }).click()
      const line = sheet.getByRole('table', { name: 'Ledger' }).getByRole('row').nth(1)
      await line.getByRole('cell', { name: '+120 coins' }).waitFor()
      await line.getByRole('cell', { name: '120', exact: true }).waitFor()
      expect(new URL(page.url()).searchParams.get('do')).toBe('ledger')
      await page.goBack()
      await sheet.waitFor({ state: 'detached' })
    },
    TIMEOUT,
  )

  test(
    'a transfer shows both sides before, and is undone at once or from its list',
    async () => {
      await open('mira', '&do=transfer')
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('searchbox').fill('webb')
      await sheet.getByRole('button', { name: /webb/ }).click()
      await sheet.getByRole('table', { name: 'mira' }).getByText('no access').waitFor()
      await sheet.getByRole('table', { name: 'webb' }).getByText('until').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await shoot(page, 'transfer-light-1280')
      await sheet.getByRole('button', { name: 'Transfer everything' }).click()
      await toasted('Transferred')
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await toasted('Transfer undone')
      expect((await personOf('mira')).mergedInto).toBe(null)
      await open('mira', `&do=transfer&to=${idOf('webb')}`)
      await sheet.getByRole('button', { name: 'Transfer everything' }).click()
      await toasted('Transferred')
      await page.getByText('This row was merged into another person.').first().waitFor()
      expect((await personOf('mira')).mergedInto).toBe(idOf('webb'))
      expect(Object.keys((await personOf('webb')).access)).toEqual(['pro'])
      await goTo(page, '/p/demo/subscribers/transfers?env=sandbox')
      await page.getByRole('row').nth(1).getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Undo the transfer' }).click()
      await toasted('Transfer undone')
      await page.getByText('undone', { exact: true }).nth(1).waitFor()
      const mira = await personOf('mira')
      expect([mira.mergedInto, Object.keys(mira.access), mira.balances]).toEqual([null, ['pro'], { coins: 120 }])
    },
    TIMEOUT,
  )

  test(
    'attributes that somebody else changed meanwhile are shown before they are overwritten',
    async () => {
      const path = `${base}/subscribers/${idOf('mira')}/attributes`
      await stage.call('PATCH', path, { attributes: { goal: 'sleep', note: HOSTILE } })
      await open('mira', '&do=attributes')
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('textbox', { name: 'goal' }).fill('focus')
      await stage.call('PATCH', path, { attributes: { goal: 'run' } })
      await sheet.getByRole('button', { name: 'Save' }).click()
      await sheet.getByText('Somebody changed this meanwhile').waitFor()
      await sheet.getByRole('cell', { name: 'run' }).first().waitFor()
      expect((await personOf('mira')).subscriber.attributes.goal).toBe('run')
      await sheet.getByRole('button', { name: 'Overwrite' }).click()
      await toasted('Attributes saved')
      expect((await personOf('mira')).subscriber.attributes).toEqual({ goal: 'focus', note: HOSTILE })
    },
    TIMEOUT,
  )

  test(
    'a refusal of the server is shown with its code and request',
    async () => {
      const attributes = { goal: 'focus', lines: 'a\nb' }
      await stage.call('PATCH', `${base}/subscribers/${idOf('mira')}/attributes`, { attributes })
      await open('mira', '&do=attributes')
      const sheet = page.getByRole('dialog')
      await soon(async () => expect(await sheet.getByRole('textbox', { name: 'lines' }).inputValue()).toBe('a\nb'))
      await sheet.getByRole('button', { name: 'Add an attribute' }).click()
      await sheet.getByRole('textbox', { name: 'Value' }).fill('x')
      await sheet.getByRole('button', { name: 'Save' }).click()
      await sheet.getByText('A value needs a key.').waitFor()
      await sheet.getByRole('textbox', { name: 'Key' }).fill('goal')
      await sheet.getByText('This key is there already.').waitFor()
      await sheet.getByRole('textbox', { name: 'Key' }).fill('two words')
      await sheet.getByRole('button', { name: 'Save' }).click()
      const alert = sheet.getByRole('alert')
      await alert.getByText('VALIDATION_ERROR').waitFor()
      await alert.getByText(/req_/).first().waitFor()
      await soon(async () => expect(await sheet.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('two words'))
      visit.complaints.length = 0 // The browser reports every refused call.
    },
    TIMEOUT,
  )

  test(
    'what a role may not do is not offered, and refused when forced',
    async () => {
      const seen = await stage.open({ cookie: support.cookie })
      await goTo(seen.page, `/p/demo/subscribers/${idOf('mira')}?env=sandbox`)
      const refund = seen.page.getByRole('button', { name: 'Refund', exact: true })
      await soon(async () =>
        expect([await refund.isDisabled(), await refund.getAttribute('title')]).toEqual([
          true,
          'Your role does not allow this. It needs Admin.',
        ]),
      )
      await soon(async () => expect(await seen.page.getByRole('link', { name: 'Data requests' }).count()).toBe(0))
      const forced = await support.call('POST', `${base}/subscribers/${idOf('mira')}/dsar`, { type: 'ERASURE' })
      expect(forced).toEqual({ status: 403, code: 'CAPABILITY_REQUIRED' })
      await stage.call('PATCH', `${base}/members/${support.userId}`, { role: 'GROWTH' })
      await goTo(seen.page, `/p/demo/subscribers/${idOf('mira')}?env=sandbox`)
      await soon(async () =>
        expect(await seen.page.getByRole('button', { name: 'Grant', exact: true }).isDisabled()).toBe(true),
      )
      await soon(async () => expect(await seen.page.getByRole('link', { name: 'Transfers' }).count()).toBe(0))
      const grant = { accessIds: ['pro'] }
      const growth = await support.call('POST', `${base}/subscribers/${idOf('mira')}/grants`, grant)
      expect(growth).toEqual({ status: 403, code: 'CAPABILITY_REQUIRED' })
      await seen.close()
    },
    TIMEOUT,
  )

  test(
    'hostile names are text',
    async () => {
      for (const name of [HOSTILE, RIGHT_TO_LEFT, LONG]) {
        // They bought nothing, so they are people of production.
        await goTo(page, '/p/demo/subscribers')
        const link = page.getByRole('link', { name })
        await link.waitFor()
        await link.click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        const excess = await excessOf(page)
        expect([name, excess]).toEqual([name, 0])
      }
      await soon(async () => expect(await page.locator('img').count()).toBe(0))
      expect(visit.complaints).toEqual([])
    },
    TIMEOUT,
  )

  test(
    'an export is made and downloaded, and an erasure needs the typed id',
    async () => {
      await open('lena', '&do=dsar')
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('button', { name: 'Start the export' }).click()
      const file = sheet.getByRole('link', { name: 'Export' })
      const [exported] = await Promise.all([page.waitForEvent('download'), file.click()])
      expect(exported.suggestedFilename()).toMatch(/^dsar-dsr_/)
      await sheet.getByText('Erase', { exact: true }).click()
      const erase = sheet.getByRole('button', { name: 'Erase this person' })
      await soon(async () => expect(await erase.isDisabled()).toBe(true))
      await sheet.getByLabel(`Type ${idOf('lena')} to confirm`).fill(idOf('lena'))
      await erase.click()
      await page.getByRole('status').getByText('Request opened').nth(1).waitFor() // The first is of the export.
      await goTo(page, '/p/demo/subscribers/data-requests?env=sandbox')
      const certificate = page.getByRole('link', { name: 'Certificate' })
      const [download] = await Promise.all([page.waitForEvent('download'), certificate.click()])
      expect(download.suggestedFilename()).toMatch(/^dsar-dsr_/)
      expect((await personOf('lena')).erased).toBe(true)
      await open('lena')
      await page.getByText('This person was erased. Purchases').waitFor()
      await soon(async () =>
        expect(await page.getByRole('button', { name: 'Grant', exact: true }).isDisabled()).toBe(true),
      )
    },
    TIMEOUT,
  )
})

/** People whose names try to be markup, run from right to left, or are long. */
async function nameHostilePeople(stage: ConsoleStage, base: string): Promise<void> {
  const key = (await stage.call('POST', `${base}/api-keys`, { label: 'test', kind: 'secret' })).data as {
    secret: string
  }
  for (const [index, appUserId] of [HOSTILE, RIGHT_TO_LEFT, LONG].entries()) {
    const answer = await fetch(`${stage.url}/v1/identify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}` },
      body: JSON.stringify({ deviceKey: `hostile-${index}`, appUserId }),
    })
    expect(answer.status).toBe(200)
  }
}

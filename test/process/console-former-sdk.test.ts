import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, shoot, violationsOf } from '../support/console'
import { SDK_HEADERS } from '../support/former-sdk'
import { soon } from '../support/soon'

// The screen "Apps on the former SDK" as a person uses it.

const SLOW_MS = 900_000
const SCREEN = '/p/demo/connections/former-sdk'
const OLD_KEY = 'appl_FormerVendorKey1234'

describe.skipIf(!hasChromium)('apps on the former SDK', () => {
  let stage: ConsoleStage
  let publicKey: string
  const P = () => `/dashboard/projects/${stage.projectId}`
  const settings = async () => (await stage.call('GET', `${P()}/sdk-door`)).data as Record<string, unknown>
  const put = (body: object) => stage.call('PUT', `${P()}/sdk-door`, body)
  const ask = (sdk: keyof typeof SDK_HEADERS, path: string, body?: object) =>
    fetch(stage.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...SDK_HEADERS[sdk],
        authorization: `Bearer appl_${publicKey}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })

  beforeAll(async () => {
    stage = await consoleStage([])
    const { data } = await stage.call('GET', `${P()}/api-keys`)
    publicKey = (data as { items: { publicKey: string }[] }).items[0]?.publicKey ?? ''
  }, SLOW_MS)
  afterAll(() => stage?.close())

  test(
    'closed it shows the order of a move and the line; it opens after two sentences, and closes after a question',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, SCREEN)
      await page.getByText('Not answered').waitFor()
      await soon(async () => expect(await page.locator('main ol > li').count()).toBe(5))
      await page.getByText(`Purchases.proxyURL = URL(string: "${stage.url}")`).waitFor()
      await page.getByRole('button', { name: 'Answer these apps' }).click()
      const modal = page.getByRole('dialog')
      await modal.getByText('read and change a person by your own id', { exact: false }).waitFor()
      await modal.getByRole('button', { name: 'Cancel' }).click()
      expect((await settings()).enabled).toBe(false)
      await page.getByRole('button', { name: 'Answer these apps' }).click()
      await modal.getByRole('button', { name: 'Answer these apps' }).click()
      await page.getByText('No app on the former SDK has called', { exact: false }).waitFor()
      expect((await settings()).enabled).toBe(true)
      await page.getByRole('button', { name: 'Stop answering these apps' }).click()
      await modal.getByText('sent again later', { exact: false }).waitFor()
      await modal.getByRole('button', { name: 'Stop answering these apps' }).click()
      await page.getByText('Not answered').waitFor()
      expect((await settings()).enabled).toBe(false)
      expect(complaints).toEqual([])
      await close()
    },
    SLOW_MS,
  )

  test(
    'an old key is entered, refused when it is wrong, shown by its end and removed; another person is not overwritten',
    async () => {
      const { page, close } = await stage.open()
      await goTo(page, SCREEN)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('Key of the former vendor').fill('short')
      await sheet.getByRole('button', { name: 'Add', exact: true }).click()
      await sheet.locator('[role=alert], [aria-invalid=true]').first().waitFor()
      expect((await settings()).oldKeys).toEqual([])
      await sheet.getByLabel('Key of the former vendor').fill(OLD_KEY)
      await sheet.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('…1234').waitFor()
      expect(await page.content()).not.toContain(OLD_KEY)
      await page.getByRole('button', { name: 'Remove …1234' }).click()
      await put({ restoreBehavior: 'keep' })
      const readAgain = page.waitForResponse(
        (answer) => answer.url().endsWith('/sdk-door') && answer.request().method() === 'GET',
      )
      await sheet.getByRole('button', { name: 'Remove' }).click()
      await sheet.getByRole('alert').first().waitFor()
      await readAgain
      expect((await settings()).oldKeys).toHaveLength(1)
      await sheet.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('None is entered.').waitFor()
      expect(await settings()).toMatchObject({ oldKeys: [], restoreBehavior: 'keep' })
      await close()
    },
    SLOW_MS,
  )

  test(
    'restores, counts and the test store are settings, which another person does not overwrite',
    async () => {
      await put({ restoreBehavior: 'transfer', logCalls: true, testStore: false })
      const { page, complaints, close } = await stage.open()
      await goTo(page, SCREEN)
      await page.getByText('Moves to the caller').waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('A purchase of another person').selectOption('keep')
      await sheet.getByRole('switch', { name: 'Count calls' }).click()
      await sheet.getByRole('switch', { name: 'Test store' }).click()
      expect(await violationsOf(page)).toEqual([])
      await put({ restoreBehavior: 'project' })
      const readAgain = page.waitForResponse(
        (answer) => answer.url().endsWith('/sdk-door') && answer.request().method() === 'GET',
      )
      await sheet.getByRole('button', { name: 'Save' }).click()
      await sheet.getByRole('alert').first().waitFor()
      await readAgain
      expect(await settings()).toMatchObject({ restoreBehavior: 'project', logCalls: true, testStore: false })
      await sheet.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Stays with its owner').waitFor()
      expect(await settings()).toMatchObject({ restoreBehavior: 'keep', logCalls: false, testStore: true })
      await put({ logCalls: true, testStore: false })
      expect(complaints.filter((one) => !one.includes('409'))).toEqual([])
      await close()
    },
    SLOW_MS,
  )

  test(
    'kept purchases stand apart from refused ones, and the open test store is warned of; also on a phone',
    async () => {
      await put({ enabled: true, testStore: true })
      await ask('ios', '/v1/subscribers/ada')
      // No store is connected, so the phone keeps the purchase; a forged receipt is refused for ever.
      const receipt = { app_user_id: 'ada', fetch_token: 'forged', product_id: 'x', price: 1, currency: 'USD' }
      const kept = await ask('android', '/v1/receipts', { ...receipt, product_ids: ['x'] })
      const refused = await ask('ios', '/v1/receipts', receipt)
      await ask('web', '/v1/subscribers/ada')
      expect([kept.status, refused.status]).toEqual([503, 400])
      for (const [width, theme] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        const { page, complaints, close } = await stage.open({ width, theme })
        await goTo(page, SCREEN)
        await page.getByText('The test store is open', { exact: false }).waitFor()
        const figure = (name: string) => page.locator('dl > div', { hasText: name }).locator('dd').textContent()
        expect([await figure('Kept by the phone (503)'), await figure('Refused for ever')]).toEqual(['1', '1'])
        const shown = (text: string) => page.locator('main').getByText(text).filter({ visible: true }).first().waitFor()
        await shown('1 purchase kept')
        await shown('1 purchase refused')
        await shown('All calls')
        if (width === 1280) await shown('to the former vendor')
        else await shown('1 device')
        expect(await violationsOf(page)).toEqual([])
        await shoot(page, `connections-former-sdk-${width}`)
        expect(complaints).toEqual([])
        if (width === 390) {
          await page.getByRole('button', { name: 'Close the test store' }).click()
          await page.getByText('The test store is open', { exact: false }).waitFor({ state: 'detached' })
          expect((await settings()).testStore).toBe(false)
        }
        await close()
      }
    },
    SLOW_MS,
  )
})

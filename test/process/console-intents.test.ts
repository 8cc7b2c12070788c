import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, excessOf, goTo, shoot, untilTrue, violationsOf } from '../support/console'
import { invite } from '../support/console-people'
import { type IntentServer, REFUND, serveIntents, waitingIntent } from '../support/intent-fixtures'
import { soon } from '../support/soon'

const SLOW = 600_000
const INBOX = '/p/demo/settings/assistant'

describe.skipIf(!hasChromium)('changes to approve', () => {
  let stage: ConsoleStage
  let helper: string

  beforeAll(async () => {
    stage = await consoleStage([])
    helper = await invite(stage, 'helper@example.com', 'CUSTOMER_SUPPORT', 'Helper')
  }, SLOW)
  afterAll(async () => {
    await stage?.close()
  }, SLOW)

  const card = (page: Page) => page.locator('[data-intent]')
  const inCard = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true })
  const armed = (page: Page) => untilTrue(page, "document.querySelector('[data-intent][data-armed]')")

  async function visitInbox(intents: IntentServer['intents'], cookie?: string) {
    const visit = await stage.open(cookie === undefined ? {} : { cookie })
    const server = await serveIntents(visit.page)
    server.intents.push(...intents)
    await goTo(visit.page, INBOX)
    return { ...visit, server }
  }

  test(
    'low risk is approved by a key once the card was on the screen for a second and has the focus, with its digest',
    async () => {
      const waiting = waitingIntent()
      const { page, server, close } = await visitInbox([waiting])
      await card(page).getByText('nothing has changed yet').waitFor()
      for (const text of ['isEnabled', '128', 'none gained or lost', 'none moves', '9f3c…21ae', '13 min left'])
        await card(page).getByText(text).first().waitFor()
      await armed(page)
      await page.locator('h1').click()
      await page.keyboard.press('Control+Enter')
      expect(server.sent).toEqual([])
      await card(page).focus()
      await page.keyboard.press('Enter')
      expect(server.sent).toEqual([])
      await page.keyboard.press('Control+Enter')
      await card(page).getByText('approved').waitFor()
      expect(server.sent).toEqual([['execute', waiting.id, { digest: waiting.digest }]])
      await soon(async () => expect(await card(page).getByRole('button', { name: 'Approve' }).count()).toBe(0))
      await close()
    },
    SLOW,
  )

  test(
    'high risk needs a second press, names the amount, and no key approves it',
    async () => {
      const { page, server, close } = await visitInbox([waitingIntent(REFUND)])
      await armed(page)
      await card(page).focus()
      await page.keyboard.press('Control+Enter')
      await inCard(page, 'Approve −$59.99').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This is done at once').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(server.sent).toEqual([])
      await card(page).getByText('“The customer wrote twice”').waitFor()
      await card(page).getByText('not checked').waitFor()
      await inCard(page, 'Approve −$59.99').click()
      server.refuses = { status: 403, code: 'FORBIDDEN', details: { reason: 'sign_in' } }
      await dialog.getByRole('button', { name: 'Approve −$59.99' }).click()
      await inCard(page, 'Sign in and approve').click()
      await page.getByRole('dialog', { name: 'Sign in to go on' }).waitFor()
      await page.getByRole('dialog').getByLabel('Password').fill('correct horse battery')
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click()
      await card(page).getByText('approved').waitFor()
      expect(server.sent.map(([act]) => act)).toEqual(['execute', 'execute'])
      await close()
    },
    SLOW,
  )

  test(
    'what changed meanwhile is said, nothing was done, and it can be prepared again',
    async () => {
      const { page, server, close } = await visitInbox([waitingIntent()])
      const objects = [{ type: 'flag', id: 'paywall_v2' }]
      server.refuses = { status: 409, code: 'CONFLICT', details: { reason: 'stale', objects } }
      await card(page).getByRole('button', { name: 'Approve' }).click()
      await card(page).getByText('Changed meanwhile: flag paywall_v2. Nothing was done.').waitFor()
      await inCard(page, 'Prepare again').click()
      await card(page).getByRole('heading', { name: 'Switch paywall_v2 off, again' }).waitFor()
      await card(page).getByText('nothing has changed yet').waitFor()
      expect(server.sent.map(([act]) => act)).toEqual(['execute', 'revise'])
      await close()
    },
    SLOW,
  )

  test(
    'other arguments make a new change; what is no object is not sent; another one can be rejected',
    async () => {
      const { page, server, close } = await visitInbox([waitingIntent()])
      await inCard(page, 'Change it').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Arguments').fill('[1]')
      await dialog.getByRole('button', { name: 'Prepare again' }).click()
      expect(server.sent).toEqual([])
      await dialog.getByLabel('Arguments').fill('{"id":"flg_1","isEnabled":true}')
      await dialog.getByRole('button', { name: 'Prepare again' }).click()
      await card(page).getByRole('heading', { name: 'Switch paywall_v2 off, again' }).waitFor()
      expect(server.sent[0]?.[2]).toEqual({ arguments: { id: 'flg_1', isEnabled: true } })
      await inCard(page, 'Reject').click()
      await card(page).getByText('rejected').waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'what ran out is grey, and somebody without the capability reads the card and cannot approve',
    async () => {
      const ended = waitingIntent({ expiresAt: new Date(Date.now() - 1000).toISOString() })
      const { page, close } = await visitInbox([ended])
      await card(page).getByText('ran out').waitFor()
      await soon(async () => expect(await card(page).getByRole('button', { name: 'Approve' }).count()).toBe(0))
      await inCard(page, 'Prepare again').waitFor()
      await close()
      const other = await visitInbox([waitingIntent()], helper)
      await card(other.page).getByText('isEnabled').waitFor()
      await armed(other.page)
      await card(other.page).focus()
      await other.page.keyboard.press('Control+Enter')
      const approve = card(other.page).getByRole('button', { name: 'Approve' })
      await soon(async () => expect(await approve.getAttribute('aria-disabled')).toBe('true'))
      await soon(async () => expect(await approve.getAttribute('title')).toContain('Growth'))
      await approve.click({ force: true })
      expect(other.server.sent).toEqual([])
      await other.close()
    },
    SLOW,
  )

  test(
    'the inbox has what waits first, then what was done, by whom and through what; empty, it says how agents prepare',
    async () => {
      const done = waitingIntent({
        ...{ summary: 'Add a note', status: 'EXECUTED', threadId: 'cth_1', decidedBy: { name: 'Lena Vogt' } },
        decidedAt: new Date().toISOString(),
      })
      const { page, server, close } = await visitInbox([done, waitingIntent(REFUND)])
      const lines = page.getByRole('list', { name: 'Changes to approve' }).getByRole('listitem')
      await soon(async () =>
        expect(await lines.first().textContent()).toMatch(/Refund.*min left.*token “ci-support”.*−\$59.99.*high risk/),
      )
      await soon(async () =>
        expect(await lines.last().textContent()).toMatch(/Add a note.*approved.*Lena Vogt.*Deniz Arslan, in a chat/),
      )
      await lines.last().getByRole('button').click()
      await card(page).getByRole('heading', { name: 'Add a note' }).waitFor()
      await page.getByRole('button', { name: 'Waiting 1' }).click()
      await soon(async () => expect(await lines.count()).toBe(1))
      server.intents.length = 0
      await goTo(page, INBOX)
      await page.getByText('Agents can prepare changes by svc mcp.').waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'a change comes with its answer in the panel, and stays after a reload',
    async () => {
      const visit = await stage.open()
      const { page } = visit
      const server = await serveIntents(page)
      const configured = { configured: true, provider: 'openai', model: 'small', source: 'SERVER' }
      const body = JSON.stringify({ data: { ...configured, baseUrl: null, keyLast4: null, revision: null } })
      await page.route('**/assistant/credentials', (route) => route.fulfill({ contentType: 'application/json', body }))
      await page.route('**/assistant/threads/*/messages', async (route) => {
        const threadId = /threads\/([^/]+)/.exec(route.request().url())?.[1] ?? ''
        const waiting = waitingIntent({ threadId })
        server.intents.push(waiting)
        const events = [
          ['start', { messageId: 'cms_1', marks: {} }],
          ['delta', { text: 'I prepared it.' }],
          ['intent', waiting],
          ['done', { usage: {}, messageId: 'cms_1', marks: {} }],
        ] as const
        const stream = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('')
        await route.fulfill({ status: 200, contentType: 'text/event-stream', body: stream })
      })
      await goTo(page, '/p/demo/overview')
      await page.keyboard.press('Control+j')
      await page.getByLabel('Ask about this project').fill('Switch it off')
      await page.getByLabel('Ask about this project').press('Enter')
      await card(page).getByRole('heading', { name: 'Switch paywall_v2 off' }).waitFor()
      await page.reload()
      await card(page).getByText('nothing has changed yet').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await shoot(page, 'intent-panel-light-1280')
      await visit.close()
    },
    SLOW,
  )

  test(
    'the inbox on windows and phones, in light and dark: axe finds nothing',
    async () => {
      for (const [theme, width] of [
        ['light', 1280],
        ['dark', 1280],
        ['light', 390],
      ] as const) {
        const { page, close } = await stage.open({ theme, width })
        const server = await serveIntents(page)
        server.intents.push(waitingIntent(), waitingIntent(REFUND), waitingIntent({ status: 'FAILED' }))
        await goTo(page, INBOX)
        await card(page).waitFor()
        expect([theme, width, await violationsOf(page), await excessOf(page)]).toEqual([theme, width, [], 0])
        await page.setViewportSize({ width: 320, height: 900 })
        expect(await excessOf(page)).toBeLessThanOrEqual(0)
        await page.setViewportSize({ width, height: 900 })
        await shoot(page, `intent-inbox-${theme}-${width}`)
        await close()
      }
    },
    SLOW,
  )
})

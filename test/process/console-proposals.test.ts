import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, excessOf, goTo, shoot, untilTrue, violationsOf } from '../support/console'
import { callTool } from '../support/mcp'
import { type ModelServer, startModel } from '../support/model-server'
import { soon } from '../support/soon'

const SLOW = 600_000
const INBOX = '/p/demo/settings/assistant'

interface Flag {
  id: string
  key: string
  isEnabled: boolean
  description: string | null
}

/** No stand-in for the server: agents propose over MCP, and the assistant asks a scripted model. */
describe.skipIf(!hasChromium)('proposals at a real server', () => {
  let stage: ConsoleStage
  let model: ModelServer
  let agent: Client
  let flagId: string
  beforeAll(async () => {
    model = startModel()
    const own = { SVC_ASSISTANT_PROVIDER: 'compatible', SVC_ASSISTANT_MODEL: 'small', SVC_ASSISTANT_URL: model.url }
    stage = await consoleStage([], { SVC_ALLOW_PRIVATE_TARGETS: '1', ...own })
    const flag = { key: 'night_mode', env: 'PROD', type: 'BOOLEAN', defaultValue: true, isEnabled: true }
    flagId = ((await stage.call('POST', at('/feature-flags'), flag)).data as Flag).id
    agent = await agentWith('ci-deploy')
  }, SLOW)
  afterAll(async () => {
    await stage?.close()
    await model?.stop()
  }, SLOW)

  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const flagNow = async () => (await stage.call('GET', at(`/feature-flags/${flagId}`))).data as Flag
  const card = (page: Page) => page.locator('[data-intent]')
  const lines = (page: Page) => page.getByRole('list', { name: 'Changes to approve' }).getByRole('listitem')
  const approve = (page: Page) => card(page).getByRole('button', { name: 'Approve' })

  /** An agent with a personal access token of the owner. */
  async function agentWith(name: string): Promise<Client> {
    const { token } = (await stage.call('POST', '/dashboard/me/tokens', { name })).data as { token: string }
    const transport = new StreamableHTTPClientTransport(new URL(`${stage.url}/mcp?project=demo`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    })
    const client = new Client({ name: 'test', version: '1' })
    // The declaration of the transport has an optional member where that of the client has undefined.
    await client.connect(transport as unknown as Parameters<Client['connect']>[0])
    return client
  }

  /** Proposes over MCP and returns the path of the link that the agent was given. */
  async function propose(name: string, given: Record<string, unknown>): Promise<string> {
    const { isError, body } = await callTool(agent, name, given)
    expect([isError, body.error]).toEqual([false, undefined])
    return body.data.link.slice(body.data.link.indexOf('/p/'))
  }

  test(
    'what an agent proposes is in the inbox with its token and its note, and is done when it is approved',
    async () => {
      const { page, complaints, close } = await stage.open()
      await propose('propose_flag_setEnabled', { id: flagId, isEnabled: false, note: 'The night is over' })
      await goTo(page, INBOX)
      const line = lines(page).first()
      await line.waitFor()
      await soon(async () =>
        expect(await line.textContent()).toMatch(/Owner, coding agent, token “ci-deploy”.*“The night is over”/),
      )
      await card(page).getByText('the agent’s words, not checked').waitFor()
      await card(page).getByText('isEnabled').first().waitFor()
      expect((await flagNow()).isEnabled).toBe(true)
      await untilTrue(page, "document.querySelector('[data-intent][data-armed]')")
      await approve(page).click()
      await card(page).getByText('approved').waitFor()
      expect((await flagNow()).isEnabled).toBe(false)
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )

  test(
    'a patch of the project file shows what svc apply prints, and needs a second press',
    async () => {
      const { page, close } = await stage.open()
      const patch = { flags: { night_mode: { environments: { PROD: { description: 'From dusk' } } } } }
      const address = await propose('propose_projectFile_apply', { patch, note: 'To be understood' })
      await goTo(page, address)
      await card(page).getByText('~ flag night_mode (PROD)').waitFor()
      expect([await violationsOf(page), await excessOf(page)]).toEqual([[], 0])
      await shoot(page, 'proposal-file-light-1280')
      await approve(page).click()
      expect((await flagNow()).description).toBe(null)
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await card(page).getByText('approved').waitFor()
      expect(await flagNow()).toMatchObject({ description: 'From dusk' })
      await close()
    },
    SLOW,
  )

  test(
    'the inbox reads further pages, and its address opens one that no page has yet',
    async () => {
      const { page, close } = await stage.open()
      const oldest = await propose('propose_flag_update', { id: flagId, description: 'the oldest of them' })
      for (let n = 0; n < 55; n++) await propose('propose_flag_update', { id: flagId, description: `number ${n}` })
      await goTo(page, oldest)
      await card(page).getByText('the oldest of them').waitFor()
      await soon(async () => expect(await lines(page).count()).toBe(50))
      await page.getByRole('button', { name: 'Waiting 50+' }).waitFor()
      await page.getByRole('button', { name: 'Show more' }).click()
      await untilTrue(page, 'document.querySelectorAll(\'[aria-label="Changes to approve"] > li\').length > 55')
      await soon(async () => expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0))
      await card(page).getByText('the oldest of them').waitFor()
      await page.getByRole('button', { name: 'Waiting 50+' }).click()
      await page.getByRole('button', { name: 'Show more' }).click()
      await page.getByRole('button', { name: 'Waiting 56' }).waitFor()
      await close()
    },
    SLOW,
  )

  test(
    'a question in the panel reads rows, prepares a change, and nothing is done before it is approved',
    async () => {
      const { page, complaints, close } = await stage.open()
      const change = { id: flagId, isEnabled: true }
      model.script(
        { text: 'I look. ', calls: [{ name: 'list_feature_flags', arguments: { limit: 5 } }] },
        { text: 'I prepare it. ', calls: [{ name: 'propose_flag_setEnabled', arguments: change }] },
        { text: 'It waits for you.' },
      )
      await goTo(page, '/p/demo/overview')
      await page.keyboard.press('Control+j')
      await page.getByLabel('Ask about this project').fill('Switch night_mode on')
      await page.getByLabel('Ask about this project').press('Enter')
      const panel = page.locator('[data-assistant]')
      await panel.getByText('It waits for you.').waitFor()
      await panel
        .getByRole('button', { name: /^Read: / })
        .first()
        .click()
      await panel.locator('td').first().waitFor()
      await card(page).getByText('nothing has changed yet').waitFor()
      expect((await flagNow()).isEnabled).toBe(false)
      await untilTrue(page, "document.querySelector('[data-intent][data-armed]')")
      await approve(page).click()
      await card(page).getByText('approved').waitFor()
      expect((await flagNow()).isEnabled).toBe(true)
      await page.reload()
      await card(page).getByText('approved').waitFor()
      await goTo(page, `${INBOX}?show=done`)
      await soon(async () => expect(await lines(page).first().textContent()).toContain('Owner, in a chat'))
      expect(complaints).toEqual([])
      await close()
    },
    SLOW,
  )
})

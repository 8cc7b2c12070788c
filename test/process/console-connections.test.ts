import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ApiServer, startApiServer } from '../../src/test-store/stores/api-server'
import { CONNECT_PEM, type ConnectServer, newApp, startConnectServer } from '../support/app-store-connect'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, shoot, type Visit } from '../support/console'
import { hasFocus } from '../support/console-entry'
import { addMember } from '../support/console-members'
import { expectSoundScreens, until } from '../support/console-screens'
import { type AccountServer, soldAs, startAccountServer } from '../support/payment-account'
import { type Received, type Receiver, startReceiver } from '../support/receiver'
import { soon } from '../support/soon'

const LIVES = [
  ['purchase', '--device', 'mira', '--product', 'pro_monthly', '--price', '9.99'],
  ['renew', '--device', 'mira'],
]
const HOSTILE = '<img src=x onerror="alert(1)"> مرحبا 🧪'
const SLOW_MS = 900_000
const PATIENCE = 1_800_000
const BUNDLE = 'com.example.demo'
const CONNECT_KEY = 'CONNECT001'

describe.skipIf(!hasChromium)('connections', () => {
  let stage: ConsoleStage
  let receiver: Receiver
  let appStore: ApiServer
  let storeConnect: ConnectServer
  let provider: AccountServer
  const P = () => `/dashboard/projects/${stage.projectId}`
  const endpoints = async () =>
    ((await stage.call('GET', `${P()}/webhook-endpoints`)).data as { items: { id: string; name: string }[] }).items

  beforeAll(async () => {
    receiver = startReceiver()
    // A chat service answers so to a message without a text, by which its address is tried.
    receiver.respond = ({ body, path }) =>
      body === '{}' || path.startsWith('/amplitude')
        ? new Response('no_text', { status: 400 })
        : new Response('thank you')
    appStore = startApiServer({ bundleId: BUNDLE })
    storeConnect = startConnectServer(() => Date.now())
    storeConnect.apps.push(newApp(BUNDLE))
    storeConnect.roles.set(CONNECT_KEY, 'ADMIN')
    provider = startAccountServer()
    provider.keys.set('sk_test_demo', 'ALL')
    provider.prices.push(soldAs('price_pro', 'Pro', { interval: 'month' }))
    stage = await consoleStage(LIVES, {
      SVC_ALLOW_PRIVATE_TARGETS: '1',
      SVC_INTEGRATIONS_URL: receiver.url,
      SVC_IOS_API_URL: appStore.url,
      SVC_IOS_CONNECT_API_URL: storeConnect.url,
      SVC_PAYMENT_API_URL: provider.url,
    })
  }, SLOW_MS)
  afterAll(async () => {
    await stage?.close()
    await Promise.all([receiver, appStore, storeConnect, provider].map((one) => one?.close()))
  })

  const visiting = async (work: (visit: Visit) => Promise<void>, options: Parameters<ConsoleStage['open']>[0] = {}) => {
    const visit = await stage.open(options)
    try {
      await work(visit)
    } finally {
      await visit.close()
    }
  }

  test(
    'an endpoint is created, shows its secret once, and its test delivery is opened',
    () =>
      visiting(async ({ page, complaints }) => {
        await goTo(page, '/p/demo/connections/webhooks?do=create')
        await page.getByLabel('Name').fill(HOSTILE)
        await page.getByLabel('Address').fill('ftp://example.com')
        await page.getByRole('button', { name: 'Create endpoint' }).click()
        await page.getByText('The address must begin with https.').waitFor()
        await soon(async () => expect(await hasFocus(page.getByLabel('Address'))).toBe(true))
        await page.getByLabel('Address').fill(`${receiver.url}/hook`)
        // The endpoint is made, and its answer with the secret is lost.
        const isList = (url: URL) => url.pathname.endsWith('/webhook-endpoints')
        await page.route(isList, async (route) => {
          if (route.request().method() !== 'POST') return route.fallback()
          await route.fetch()
          await route.abort()
        })
        await page.getByRole('button', { name: 'Create endpoint' }).click()
        await page.getByRole('dialog').getByRole('alert').first().waitFor()
        await page.unroute(isList)
        await page.getByRole('button', { name: 'Create endpoint' }).click()
        await page.getByText(/^whsec_/).waitFor()
        await page.getByRole('button', { name: 'I stored it' }).click()
        await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
        await page.getByRole('button', { name: 'Send test' }).click()
        await page.getByRole('heading', { level: 1, name: 'webhook.test' }).waitFor()
        await page.getByText('Delivered').waitFor()
        await page.getByText('thank you').waitFor()
        await shoot(page, 'connections-delivery-light-1280')
        expect(receiver.received.map(({ path }) => path)).toContain('/hook')
        expect(complaints.filter((one) => !/400|ERR_FAILED/.test(one))).toEqual([])
        expect(await endpoints()).toEqual([expect.objectContaining({ name: HOSTILE })])
      }),
    SLOW_MS,
  )

  test(
    'a dead receiver is seen in the list, switched off with a way back, and a change by somebody else is told',
    () =>
      visiting(async ({ page }) => {
        const [one] = await endpoints()
        await goTo(page, `/p/demo/connections/webhooks/${one?.id}`)
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: 'Disable' }).click()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.locator('h1 + span', { hasText: 'Enabled' }).waitFor()
        await page.getByRole('button', { name: 'Edit' }).click()
        await page.getByRole('dialog').waitFor()
        await stage.call('PATCH', `${P()}/webhook-endpoints/${one?.id}`, { name: 'Theirs' })
        await page.getByLabel('Name').fill('Mine')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Somebody changed this meanwhile').waitFor()
        await page.getByRole('button', { name: 'Overwrite' }).click()
        await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
        const rotation = async () => {
          await page.getByRole('button', { name: 'More' }).click()
          await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
          return page.getByRole('dialog')
        }
        const first = await rotation()
        await first.getByText('A new secret signs from now on', { exact: false }).waitFor()
        await soon(async () =>
          expect(await first.getByText('Another rotation ends that secret at once', { exact: false }).count()).toBe(0),
        )
        await first.getByRole('button', { name: 'Rotate secret' }).click()
        await page.getByRole('button', { name: 'I stored it' }).click()
        await page.getByText('The secret of before signs until').waitFor()
        const second = await rotation()
        await second.getByText('The last rotation still runs.', { exact: false }).waitFor()
        await second.getByText('Another rotation ends that secret at once', { exact: false }).waitFor()
        await page.keyboard.press('Escape')
        await stage.call('PATCH', `${P()}/webhook-endpoints/${one?.id}`, { url: 'http://127.0.0.1:1/nobody' })
        await page.getByRole('button', { name: 'Send test' }).click()
        await page.getByText(/No connection could be made.* unreachable/).waitFor()
        await stage.call('PATCH', `${P()}/webhook-endpoints/${one?.id}`, { url: `${receiver.url}/hook` })
      }),
    SLOW_MS,
  )

  test(
    'a range is replayed after its preview, and the receiver gets its events',
    () =>
      visiting(async ({ page }) => {
        const [one] = await endpoints()
        const before = receiver.received.length
        await goTo(page, `/p/demo/connections/webhooks/${one?.id}?env=sandbox&do=replay`)
        await page.getByLabel('To (UTC)').fill('2099-01-01T00:00')
        await page.getByRole('button', { name: 'See what is sent' }).click()
        await page.getByText('Each event is sent with the webhook-id it had before', { exact: false }).waitFor()
        await page.getByRole('button', { name: 'Replay a range' }).click()
        await page.getByRole('link', { name: 'purchase.renewed' }).first().waitFor()
        await until(async () => receiver.received.length > before)
        await page.getByRole('link', { name: 'purchase.renewed' }).first().click()
        await page.getByRole('heading', { level: 1, name: 'purchase.renewed' }).waitFor()
        await page.getByRole('link', { name: 'Open', exact: true }).click()
        await page.getByRole('dialog').getByText('"type": "purchase.renewed"').waitFor()
        await page.goBack()
        await page.getByRole('heading', { level: 1, name: 'purchase.renewed' }).waitFor()
        const first = page.url()
        const idOf = (one: Received | undefined) => one?.headers['webhook-id']
        await page.getByText('thank you').waitFor()
        const sent = receiver.received.length
        await page.getByRole('button', { name: 'Deliver again' }).click()
        await page.waitForURL((url) => url.href !== first)
        await until(async () => receiver.received.length > sent)
        expect(receiver.received.slice(0, sent).map(idOf)).toContain(idOf(receiver.received.at(-1)))
        await page.getByText('thank you').waitFor()
      }),
    SLOW_MS,
  )

  test(
    'events appear without a reload, wait while paused, and open with their JSON',
    () =>
      visiting(async ({ page }) => {
        await goTo(page, '/p/demo/connections/events?env=sandbox')
        const renewals = page.getByRole('button', { name: 'purchase.renewed' })
        await renewals.first().waitFor()
        const before = await renewals.count()
        await stage.svc('simulate', 'renew', '--device', 'mira', '--project', 'demo')
        await renewals.nth(before).waitFor()
        await page.getByRole('button', { name: 'Pause' }).click()
        await stage.svc('simulate', 'renew', '--device', 'mira', '--project', 'demo')
        await page.getByRole('button', { name: /Resume \(\d+\)/ }).click()
        await renewals.nth(before + 1).waitFor()
        await renewals.first().click()
        await page.getByRole('dialog').getByText('"type": "purchase.renewed"').waitFor()
        const id = new URL(page.url()).searchParams.get('event')
        expect(id).toStartWith('evt_')
        await page.goBack()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        // As a link of another page has it, where the list does not have the event.
        await goTo(page, `/p/demo/connections/events?env=sandbox&types=currency.transaction&event=${id}`)
        await page.getByRole('dialog').getByText(`"id": "${id}"`).waitFor()
        await page.getByRole('link', { name: 'The notification of the store' }).click()
        await page.getByText('"notificationType": "DID_RENEW"').waitFor()
        await goTo(page, '/p/demo/connections/events?env=sandbox')
        const [saved] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Export CSV' }).click(),
        ])
        expect(saved.suggestedFilename()).toMatch(/^events-.*\.csv$/)
      }),
    SLOW_MS,
  )

  test(
    'refused credentials say why at their field',
    () =>
      visiting(async ({ page }) => {
        await goTo(page, '/p/demo/connections/stores/ios?do=credentials')
        const key = page.getByRole('group', { name: 'In-App Purchase key' })
        await page.getByLabel('Bundle ID').fill('com.example.demo')
        await key.getByLabel('Key ID').fill('ABC123DEF4')
        await key.getByLabel('Issuer ID').fill('57246542-96fe-1a63-e053-0824d011072a')
        await key.getByRole('textbox', { name: 'Private key' }).fill('not a key')
        await page.getByRole('button', { name: 'Try and save' }).click()
        const place = key.getByRole('textbox', { name: 'Private key' })
        await key.getByText('This cannot be read.', { exact: false }).waitFor()
        await soon(async () => expect(await place.getAttribute('aria-invalid')).toBe('true'))
        await page.getByText('STORE_CREDENTIALS_INVALID').waitFor()
        await page.getByText(/^req_/).first().waitFor()
        await shoot(page, 'connections-refused-light-1280')
        await goTo(page, '/p/demo/connections/stores/android?do=credentials')
        await page.getByLabel('Package name').fill('com.example.demo')
        await page.getByRole('textbox', { name: 'Key file' }).fill('{"type":"service_account"}')
        await page.getByRole('button', { name: 'Try and save' }).click()
        await page.getByText('A part that is needed is not there.', { exact: false }).waitFor()
        await goTo(page, '/p/demo/connections/stores/payment?do=credentials')
        await page.getByLabel('Secret or restricted key').fill('sk_live_000')
        await page.getByLabel('Signing secret of the webhook').fill('whsec_000')
        await page.getByRole('button', { name: 'Try and save' }).click()
        await page.getByText('This key is of live mode, not of test').last().waitFor()
      }),
    SLOW_MS,
  )

  test(
    'a chat channel is connected, tested and removed',
    () =>
      visiting(async ({ page }) => {
        await goTo(page, '/p/demo/connections/integrations?connect=SLACK')
        await page.getByLabel('Webhook address').fill('https://hooks.slack.com/services/T000/B000/abcdefghijkl')
        await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Slack' }).waitFor()
        await page.getByRole('button', { name: 'Send test' }).click()
        await page.getByText('The test is on its way.').waitFor()
        await page.getByText('integration.test').waitFor()
        await until(async () => receiver.received.some(({ path }) => path.startsWith('/slack')))
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByRole('button', { name: 'Delete Slack' }).click()
        await page.getByText('Connected services will be listed here').waitFor()
        await page.goto('/p/demo/connections/integrations?connect=AMPLITUDE')
        await page.getByLabel('API key').fill('amplitude-key-0001')
        await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Amplitude' }).waitFor()
        await page.getByRole('button', { name: 'Edit' }).click()
        await soon(async () => expect(await page.getByLabel('Region').inputValue()).toBe('US'))
        await page.getByLabel('Region').selectOption('EU')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.getByText('EU', { exact: true }).waitFor()
        const asked = receiver.received.filter(({ path }) => path.startsWith('/amplitude'))
        expect(asked.map(({ body }) => JSON.parse(body).api_key)).toEqual(Array(2).fill('amplitude-key-0001'))
      }),
    SLOW_MS,
  )

  test(
    'a notification of a store is read with its payload and processed again, and forwards are added and removed',
    () =>
      visiting(async ({ page }) => {
        await goTo(page, '/p/demo/connections/store-events?env=sandbox')
        await page.getByRole('link', { name: /RENEW/ }).first().click()
        await page.getByText('"notificationType": "DID_RENEW"').waitFor()
        await page.getByRole('button', { name: 'Process again' }).click()
        await page.getByText(/^Processed again: (Processed|Ignored)/).waitFor()
        await goTo(page, '/p/demo/connections/forwarding?do=add')
        await page.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/forwarded`)
        await page.getByRole('button', { name: 'Add', exact: true }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.getByText(`${receiver.url}/forwarded`).first().waitFor()
        await page.getByRole('button', { name: 'Remove' }).click()
        await page.getByRole('button', { name: 'Stop forwarding' }).click()
        await page.getByText('Addresses will be listed here').waitFor()
      }),
    SLOW_MS,
  )

  test(
    'what a role may not do is disabled with the reason, and what it may not read is not there',
    async () => {
      const { cookie } = await addMember(stage, 'support@example.com', 'CUSTOMER_SUPPORT')
      await visiting(
        async ({ page }) => {
          await goTo(page, '/p/demo/connections/webhooks')
          const create = page.getByRole('button', { name: 'New endpoint' })
          await soon(async () => expect(await create.isDisabled()).toBe(true))
          await soon(async () => expect(await create.getAttribute('title')).toContain('needs Developer'))
          await goTo(page, '/p/demo/connections/webhooks?do=create')
          const submit = page.getByRole('button', { name: 'Create endpoint' })
          await soon(async () => expect(await submit.getAttribute('title')).toContain('needs Developer'))
          await soon(async () => expect(await submit.isDisabled()).toBe(true))
          await page.keyboard.press('Escape')
          await soon(async () => expect(await page.getByRole('link', { name: 'Imports' }).count()).toBe(0))
          await soon(async () => expect(await page.getByRole('link', { name: 'Store events' }).count()).toBe(0))
          await goTo(page, '/p/demo/connections/stores/ios')
          await soon(async () =>
            expect(await page.getByRole('button', { name: 'Enter keys' }).getAttribute('title')).toContain(
              'needs Owner',
            ),
          )
        },
        { cookie },
      )
    },
    SLOW_MS,
  )

  test(
    'stores are connected by their forms, and show what they sell',
    () =>
      visiting(async ({ page, complaints }) => {
        await goTo(page, '/p/demo/connections')
        await page.getByRole('link', { name: 'Set up App Store' }).click()
        await page.getByRole('button', { name: 'Enter keys' }).click()
        await page.getByLabel('Bundle ID').fill(BUNDLE)
        for (const [name, keyId] of [
          ['In-App Purchase key', 'IAPKEY0001'],
          ['App Store Connect key', CONNECT_KEY],
        ] as const) {
          const key = page.getByRole('group', { name })
          const file = { name: `AuthKey_${keyId}.p8`, mimeType: 'text/plain', buffer: Buffer.from(CONNECT_PEM) }
          await key.locator('input[type=file]').setInputFiles(file)
          await key.getByLabel('Issuer ID').fill('57246542-96fe-1a63-e053-0824d011072a')
          await until(async () => (await key.getByLabel('Key ID').inputValue()) === keyId)
        }
        await page.getByRole('button', { name: 'Try and save' }).click()
        await page.getByText('Saved. The store accepted the keys.').waitFor()
        await page.getByText('The store has no products').waitFor()
        await goTo(page, '/p/demo/connections/stores/payment?do=credentials')
        await page.getByLabel('Secret or restricted key').fill('sk_test_demo')
        await page.getByLabel('Signing secret of the webhook').fill('whsec_demo')
        await page.getByRole('button', { name: 'Try and save' }).click()
        await page.getByText('Saved. The store accepted the keys.').waitFor()
        await page.getByRole('cell', { name: 'price_pro' }).waitFor()
        await goTo(page, '/p/demo/connections/stores/payment?do=credentials')
        await page.getByLabel('Signing secret of the webhook').fill('whsec_next')
        await page.getByRole('button', { name: 'Try and save' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await goTo(page, '/p/demo/connections/stores/ios?do=credentials')
        const saved = page.getByRole('group', { name: 'In-App Purchase key' })
        await soon(async () =>
          expect(await saved.getByLabel('Issuer ID').inputValue()).toBe('57246542-96fe-1a63-e053-0824d011072a'),
        )
        await page.getByRole('button', { name: 'Try and save' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        const { data } = await stage.call('GET', `${P()}/credentials`)
        expect(data).toMatchObject({
          ios: { bundleId: BUNDLE, inAppPurchaseKey: { keyId: 'IAPKEY0001' }, storeConnectKey: { keyId: CONNECT_KEY } },
          payment: { configured: true, mode: 'test', revision: 2 },
        })
        expect(JSON.stringify(data)).not.toContain('sk_test_demo')
        expect(complaints).toEqual([])
        await shoot(page, 'connections-payment-connected-light-1280')
        await goTo(page, '/p/demo/connections/stores/ios')
        await shoot(page, 'connections-ios-connected-light-1280')
      }),
    SLOW_MS,
  )

  test(
    'events and deliveries of the sandbox are not those of production, which says where they are',
    () =>
      visiting(
        async ({ page, complaints }) => {
          for (const list of ['events', 'deliveries?type=purchase.renewed']) {
            await goTo(page, `/p/demo/connections/${list}`)
            await page.getByText('Production has none. The sandbox has some.').waitFor()
            await soon(async () => expect(await page.locator('main [data-row]').count()).toBe(0))
            await page.getByRole('link', { name: 'Look at the sandbox' }).click()
            await page.locator('main [data-row]').first().waitFor()
            expect(new URL(page.url()).searchParams.get('env')).toBe('sandbox')
          }
          await goTo(page, '/p/demo/connections/events?env=sandbox')
          // On a phone each row states it too.
          await soon(async () =>
            expect(await page.locator('main li[data-row]').getByText('Sandbox').filter({ visible: true }).count()).toBe(
              await page.locator('main li[data-row]').count(),
            ),
          )
          expect(complaints).toEqual([])
        },
        { width: 390, height: 844 },
      ),
    SLOW_MS,
  )

  test(
    'every screen is sound on a wide window and on a phone',
    async () => {
      const [one] = await endpoints()
      const screens = screensOf(one?.id ?? '').map(([name, path]) => [
        `connections-${name}`,
        `/p/demo/connections${path}`,
      ])
      await expectSoundScreens(stage, Object.fromEntries(screens), /404/)
    },
    PATIENCE,
  )
})

const screensOf = (endpoint: string): [name: string, path: string][] => [
  ['stores', ''],
  ['ios', '/stores/ios'],
  ['android', '/stores/android?do=credentials'],
  ['payment', '/stores/payment'],
  ['webhooks', '/webhooks'],
  ['endpoint', `/webhooks/${endpoint}`],
  ['endpoint-edit', `/webhooks/${endpoint}?do=edit`],
  ['deliveries', '/deliveries'],
  ['events', '/events'],
  ['integrations', '/integrations'],
  ['connect', '/integrations?connect=APPSFLYER'],
  ['forwarding', '/forwarding'],
  ['former-sdk', '/former-sdk'],
  ['former-sdk-open', '/former-sdk?do=open'],
  ['store-events', '/store-events'],
  ['comparisons', '/comparisons'],
  ['compare-start', '/comparisons?do=start'],
  ['data-exports', '/data-exports'],
  ['export-schedule', '/data-exports?do=schedule'],
]

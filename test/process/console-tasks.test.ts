import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo } from '../support/console'
import { until } from '../support/console-screens'
import { CountedPerson } from '../support/counted-clicks'
import { type Receiver, startReceiver } from '../support/receiver'

// Nine tasks of a working day, each begun on the overview. What a person has to do is counted and has a limit, so that no
// screen makes it longer unseen.

const SLOW_MS = 900_000
const DAY = 86_400_000
const LIVES = [
  ['purchase', '--device', 'lena', '--product', 'pro_monthly', '--price', '9.99'],
  ['refund', '--device', 'lena'],
  ['purchase', '--device', 'webb', '--product', 'pro_yearly', '--price', '59.99', '--store', 'payment'],
]

/** `before`: what the same took when the tasks were first tried by hand, from the screen of its area on. */
const TASKS = {
  'find who paid by the order, and see why there is no access': { before: 3, limit: 3 },
  'give that person access': { before: 5, limit: 5 },
  'refund a purchase and see it in the revenue': { before: 3, limit: 4 },
  'show a new flag to a tenth of an audience': { before: 9, limit: 11 },
  'read an experiment': { before: 2, limit: 3 },
  'decide an experiment': { before: 3, limit: 6 },
  'come to the fields of the App Store': { before: 3, limit: 3 },
  'see why a webhook fails': { before: 3, limit: 3 },
  'send a webhook again': { before: 4, limit: 4 },
  'read the revenue of last month': { before: 4, limit: 3 },
  'see why it is less': { before: 8, limit: 6 },
  'invite a colleague': { before: 3, limit: 5 },
  'import from another service': { before: 4, limit: 6 },
} as const
type Task = keyof typeof TASKS

describe.skipIf(!hasChromium)('nine tasks of a working day', () => {
  let stage: ConsoleStage
  let receiver: Receiver
  const counted = new Map<Task, number>()
  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const items = async <T>(path: string) => ((await stage.call('GET', at(path))).data as { items: T[] }).items

  const made = async (path: string, body: object) => {
    const { status } = await stage.call('POST', at(path), body)
    if (status >= 300) throw new Error(`${path}: ${status}`)
  }

  beforeAll(async () => {
    receiver = startReceiver()
    receiver.respond = () => new Response('no room', { status: 500 })
    stage = await consoleStage([], { SVC_ALLOW_PRIVATE_TARGETS: '1' })
    await made('/webhook-endpoints', {
      ...{ name: 'Backend', url: `${receiver.url}/hook`, eventTypes: ['*'], environments: ['SANDBOX'] },
    })
    for (const life of LIVES) await stage.svc('simulate', ...life, '--project', 'demo')
    await made('/experiments', {
      ...{ key: 'short_trial', name: 'Short trial', type: 'FLAG', audienceId: null, metrics: ['purchase'] },
      variants: [
        { id: 'control', name: 'Control', weight: 0.5, value: false },
        { id: 'treatment', name: 'Treatment', weight: 0.5, value: true },
      ],
    })
    const [experiment] = await items<{ id: string }>('/experiments')
    await made(`/experiments/${experiment?.id}/start`, {})
  }, SLOW_MS)
  afterAll(async () => {
    console.info(table(counted))
    await stage?.close()
    await receiver?.close()
  }, SLOW_MS)

  /** Does a task from the overview on. `told`: how much was done until something was reached. */
  const task = (name: string, work: (person: CountedPerson, reached: (task: Task) => void) => Promise<void>) =>
    test(
      name,
      async () => {
        const { page, complaints, close } = await stage.open()
        await goTo(page, '/p/demo/overview?env=sandbox')
        const person = new CountedPerson(page)
        await work(person, (reached) => {
          counted.set(reached, person.count)
          expect([reached, person.count <= TASKS[reached].limit, person.count]).toEqual([reached, true, person.count])
        })
        expect(complaints).toEqual([])
        await close()
      },
      SLOW_MS,
    )

  task('somebody paid and has no access', async (person, reached) => {
    const { page } = person
    const lines = await items<{ kind: string; storeTransactionId: string }>(
      '/transactions?environment=SANDBOX&limit=50',
    )
    const refund = lines.find(({ kind }) => kind === 'REFUND')
    await person.press('Control+k')
    await person.type(page.getByRole('combobox', { name: 'Search or jump' }), refund?.storeTransactionId ?? '')
    await page.getByRole('option', { name: /lena/ }).first().waitFor()
    await person.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'lena' }).waitFor()
    await page.getByText('Not active').first().waitFor()
    reached('find who paid by the order, and see why there is no access')
    await person.button('Grant')
    await page.getByText('preview, nothing changed yet').waitFor()
    await person.button('Grant pro', page.getByRole('dialog'))
    await page.getByText('Active until').first().waitFor()
    reached('give that person access')
  })

  task('a refund is given and is in the revenue', async (person, reached) => {
    const { page } = person
    await person.menu('Revenue')
    await person.menu('Transactions')
    await person.button('Refund', page.getByRole('row', { name: /webb/ }))
    await page.getByRole('dialog').getByText('purchase.refunded').waitFor()
    await person.button('Refund $59.99', page.getByRole('dialog'))
    await page.getByRole('status').getByText('Refunded', { exact: true }).waitFor()
    await page.getByRole('row', { name: /webb/ }).nth(1).waitFor()
    reached('refund a purchase and see it in the revenue')
    const { data } = await stage.call('GET', at('/charts/refunds?environment=SANDBOX&grain=total'))
    expect((data as { totals: { value: number } }).totals.value).toBe(69_980_000)
  })

  task('a flag is shown to a tenth of an audience', async (person, reached) => {
    const { page } = person
    await person.menu('Growth')
    await person.button(/New flag/)
    await person.type(page.getByRole('dialog').getByLabel('Key'), 'night_mode')
    await person.button('Create', page.getByRole('dialog'))
    await page.waitForURL(/flags\/night_mode/)
    await person.button(/^Add a rule ?Production/)
    const sheet = page.getByRole('dialog', { name: /^Who gets/ })
    await person.choose(sheet.getByLabel('Audience'), { label: 'Turkey' })
    await sheet
      .getByText(/of \d+ (person|people)/)
      .first()
      .waitFor()
    await person.button('Done', sheet)
    await person.type(page.getByLabel('Production, rule 1, per cent'), '10')
    await person.click(page.getByRole('switch', { name: /^Production/ }))
    await person.press('Control+s')
    await person.button('Save to production', page.getByRole('dialog'))
    await page.getByRole('button', { name: /^Save/ }).waitFor({ state: 'detached' })
    reached('show a new flag to a tenth of an audience')
    const { data } = await stage.call('GET', at('/feature-flags/by-key/night_mode'))
    expect(JSON.stringify(data)).toContain('"rolloutPercentage":0.1')
  })

  task('an experiment is read and decided', async (person, reached) => {
    const { page } = person
    await person.menu('Growth')
    await person.menu('Experiments')
    await person.link('Short trial')
    await page.getByText('Not decided yet').waitFor()
    reached('read an experiment')
    await person.button('Stop')
    const decision = page.getByRole('dialog', { name: 'Stop the experiment' })
    await person.choose(decision.getByLabel('Winner', { exact: true }), 'treatment')
    await person.button('Stop the experiment', decision)
    await page.getByText(/ was chosen$/).waitFor()
    reached('decide an experiment')
  })

  task('the App Store is connected', async (person, reached) => {
    await person.menu('Connections')
    await person.link('Set up App Store')
    await person.button('Enter keys')
    await person.page.getByLabel('Bundle ID').waitFor()
    reached('come to the fields of the App Store')
  })

  task('a webhook fails: why, and again', async (person, reached) => {
    const { page } = person
    await until(async () => receiver.received.length > 0)
    await person.menu('Connections')
    await person.menu('Deliveries')
    await person.click(page.getByRole('row').nth(1).getByRole('link').first())
    await page.getByText('no room').first().waitFor()
    reached('see why a webhook fails')
    const before = receiver.received.length
    await person.button('Deliver again')
    await until(async () => receiver.received.length > before)
    reached('send a webhook again')
  })

  task('how much came in last month, and why it was less', async (person, reached) => {
    const { page } = person
    await person.menu('Charts')
    await person.link('Net revenue')
    await person.choose(page.getByLabel('Range'), { label: 'Last month' })
    await page.getByRole('table').first().waitFor()
    reached('read the revenue of last month')
    await person.press('Control+k')
    await person.type(page.getByRole('combobox', { name: 'Search or jump' }), 'movement')
    await page
      .getByRole('option', { name: /Movement of monthly/ })
      .first()
      .waitFor()
    await person.press('Enter')
    await page.getByRole('columnheader', { name: 'Churn' }).first().waitFor()
    reached('see why it is less')
  })

  task('a colleague is invited', async (person, reached) => {
    const { page } = person
    await person.menu('Settings')
    await person.menu('Members')
    await person.button('Invite')
    await person.type(page.getByLabel('Mail'), 'new@example.com')
    await person.button('Send invitation')
    await until(async () =>
      (await items<{ email: string }>('/invitations')).some(({ email }) => email === 'new@example.com'),
    )
    reached('invite a colleague')
  })

  task('purchases are imported from another service', async (person, reached) => {
    const { page } = person
    await person.menu('Connections')
    await person.menu('Imports')
    const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(vendorFile()) }
    await person.give(page.locator('input[type=file]'), file)
    await page.getByText('revenuecat_v5').first().waitFor()
    await person.button(/dry run/i)
    await page.getByText('Ready to be written').waitFor()
    await person.button('Write the rows')
    await person.button('Write the rows', page.getByRole('dialog'))
    await page.getByText('Completed').waitFor()
    reached('import from another service')
    expect((await items('/subscribers?q=rc_ada')).length).toBe(1)
  })

  test('each task was counted', () =>
    expect([...counted.keys()].toSorted()).toEqual(Object.keys(TASKS).toSorted() as Task[]))
})

function vendorFile(): string {
  const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 19).replace('T', ' ')
  return [
    'rc_original_app_user_id,store_transaction_id,store,product_identifier,start_time,end_time',
    `rc_ada,800001,app_store,com.example.demo.pro.monthly,${day(-3)},${day(27)}`,
    '',
  ].join('\n')
}

const table = (counted: ReadonlyMap<Task, number>): string =>
  [
    'task | before | now | limit',
    ...Object.entries(TASKS).map(
      ([name, { before, limit }]) => `${name} | ${before} | ${counted.get(name as Task) ?? '-'} | ${limit}`,
    ),
  ].join('\n')

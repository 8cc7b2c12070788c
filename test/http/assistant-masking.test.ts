import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { join } from '../support/crew'
import { callTool, mcpClient, tokenOf } from '../support/mcp'

const PEOPLE = Number(process.env.SVC_TEST_MASKED_PEOPLE ?? 1000)
const BUYERS = 40

const FIRST = ['Ada', 'Özgür', 'Jürgen', 'Мария', '健太', "O'Neil", 'Anne-Sophie', 'José', 'Nguyễn', 'Zoë']
const LAST = ['Lovelace', 'Yılmaz', 'Müller', 'Иванова', '佐藤', 'van der Berg', 'Núñez', 'Smith', 'Trần', 'Ó Briain']
const PHONES = [
  (n: number) => `+49 30 ${1000000 + n}`,
  (n: number) => `+905${320000000 + n}`,
  (n: number) => `(415) 555-${String(n).padStart(4, '0')}`,
  (n: number) => `0151/2${100000 + n}`,
]

interface Made {
  device: string
  email: string
  name: string
  phone: string
}

/** A person whose every text is their own. */
function personOf(n: number): Made {
  const name = `${FIRST[n % 10]} ${LAST[Math.floor(n / 10) % 10]}${n}`
  const phone = PHONES[n % PHONES.length]?.(n) ?? ''
  return {
    device: `install-${n}-${(n * 7919).toString(36)}`,
    email: `person.${n}+x@mail${n % 7}.example.org`,
    name,
    phone,
  }
}

const people = Array.from({ length: PEOPLE }, (_, n) => personOf(n))
let s: Stage
let token: string
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  token = await tokenOf(await join(s, 'ada-owner', 'OWNER'))
  for (const [n, one] of people.entries()) await arrive(n, one)
})
afterAll(() => s.close())

async function arrive(n: number, { device, email, name, phone }: Made): Promise<void> {
  if (n < BUYERS) await s.receipt(device, s.buy(MONTHLY))
  const attributes = {
    ...{ $email: email, $displayName: name, contact: phone },
    ...{ bio: `I am ${name}, write to ${email} or call ${phone}`, favourite: `device ${device}`, country: 'DE' },
  }
  const { status } = await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device } })
  if (status !== 200) throw new Error(`attributes of ${device}: ${status}`)
  if (n % 3 === 0)
    await s.post('/v1/identify', { appUserId: n % 2 ? email : phone }, { headers: { 'x-svc-app-user-id': device } })
}

async function pages(client: Awaited<ReturnType<typeof mcpClient>>['client'], name: string, given: object = {}) {
  const items: { id: string }[] = []
  for (let cursor: string | undefined; ; ) {
    const { isError, body } = await callTool(client, name, { limit: 40, ...given, ...(cursor && { cursor }) })
    expect([name, isError, body.cut]).toEqual([name, false, undefined])
    items.push(...body.data.items)
    cursor = body.data.nextCursor
    if (!cursor) return items
  }
}

test(`no byte that an agent gets names one of ${PEOPLE} people`, async () => {
  const { client, bytes } = await mcpClient(s, token)
  const listed = await pages(client, 'list_subscribers')
  expect(listed).toHaveLength(PEOPLE)
  for (const name of [
    'list_subscriptions',
    'list_transactions',
    'list_project_events',
    'list_audit_log',
    'list_transfers',
  ])
    await pages(client, name)
  for (const { id } of listed.filter((_, n) => n % 25 === 0)) {
    await callTool(client, 'get_subscriber', { id })
    await callTool(client, 'list_subscriber_events', { id })
  }
  for (const { email, name, phone, device } of people.filter((_, n) => n % 50 === 0))
    for (const q of [email, name, phone, device]) await callTool(client, 'search_project', { q })
  for (const sql of [
    'select * from subscribers limit 1000',
    "select id, lower(attributes ->> '$email'), upper(attributes ->> '$displayName') from subscribers limit 1000",
    'select data, before, after, app_user_id from events limit 1000',
  ])
    expect((await callTool(client, 'execute_query', { sql })).isError).toBe(false)
  const sent = bytes.join('\n').toLowerCase()
  const digits = sent.replace(/[\s()/-]/g, '')
  const told = people.flatMap(({ device, email, name, phone }) => [
    ...[device, email, name].filter((text) => sent.includes(text.toLowerCase())),
    ...(digits.includes(phone.replace(/[\s()/-]/g, '')) ? [phone] : []),
  ])
  expect(told).toEqual([])
}, 300_000)

test('what is no personal data is read as it is', async () => {
  const { client } = await mcpClient(s, token)
  const [sale] = await pages(client, 'list_transactions')
  const project = `/dashboard/projects/${s.project.id}`
  const [known] = (await (await join(s, 'second', 'OWNER')).browser.get(`${project}/transactions?limit=40`)).body.data
    .items
  const { person: _masked, ...shown } = sale as unknown as Record<string, unknown>
  const { person: _plain, ...plain } = known
  expect(shown).toEqual(plain)
  const { body } = await callTool(client, 'execute_query', {
    sql: 'select store, product_identifier, currency, sum(amount_micros) from transactions group by 1, 2, 3',
  })
  expect(body.data.rows).toEqual([['IOS_STORE', 'pro_monthly', 'USD', 9990000 * BUYERS]])
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { canonicalJson, sha256Hex } from '../../src/base/lib/hash'
import { sweepRetention } from '../../src/base/retention/sweep'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'
import { dumpOf } from '../support/dump'
import { erase } from '../support/erased'
import { type Approving, approver, decide, execute, proposed, type Shown, wholeState } from '../support/intents'
import { callTool, mcpClient, tokenOf } from '../support/mcp'
import { dataOf } from '../support/operator'

let s: Stage
let a: Approving
let flagId: string
let ben: Person
let eve: Person
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  a = await approver(s)
  ben = await join(s, 'ben', 'DEVELOPER')
  eve = await join(s, 'eve', 'CUSTOMER_SUPPORT')
  const flag = { key: 'dark_mode', env: 'PROD', type: 'BOOLEAN', defaultValue: true, isEnabled: true }
  flagId = (await a.person.browser.post(`${a.path}/feature-flags`, flag)).body.data.id
})
beforeEach(() => s.ctx.clock.advance(MINUTE))
afterAll(() => s.close())

const read = async (path: string, by = a.person): Promise<Shown> => dataOf(by.browser.get(a.path + path))
const isOn = async (): Promise<boolean> => (await read(`/feature-flags/${flagId}`)).isEnabled
const toggled = async (by = a): Promise<Shown> =>
  proposed(by, 'flag.setEnabled', { id: flagId, isEnabled: !(await isOn()) })
const stop = { pages: [{ id: 'a', type: 'info', title: { en: 'A' } }] }

/** Expects that a call is refused and that neither the flag nor the proposal changes. */
async function kept(intent: Shown, call: () => Promise<Answer>, refusal: unknown[]): Promise<void> {
  const before = await wholeState(s)
  const { status, body } = await call()
  expect([status, body.error?.code, body.error?.details]).toEqual(refusal)
  expect(await wholeState(s)).toEqual(before)
  expect((await read(`/assistant/intents/${intent.id}`)).status).toBe('PENDING')
}

describe('a proposal', () => {
  test('has the digest of action, arguments and base, and changes nothing', async () => {
    const before = await isOn()
    const intent = await toggled()
    const what = { action: intent.action, arguments: intent.arguments, base: intent.base }
    expect(intent).toMatchObject({
      ...{ threadId: null, action: 'flag.setEnabled', arguments: { id: flagId, isEnabled: !before } },
      ...{ digest: sha256Hex(canonicalJson(what)), capability: 'flags:write', risk: 'low', status: 'PENDING' },
      ...{ proposedBy: a.person.id, decidedBy: null, decidedAt: null, result: null, replacedBy: null },
      route: { method: 'POST', path: `${a.path}/feature-flags/${flagId}/toggle` },
    })
    expect(Date.parse(intent.expiresAt) - Date.parse(intent.createdAt)).toBe(15 * MINUTE)
    expect(await isOn()).toBe(before)
  })

  test('is executed once, by the person who approves it, and the log says so', async () => {
    const before = await isOn()
    const intent = await toggled()
    const { status, body } = await execute(a, intent, ben)
    expect([status, body.data.status, body.data.decidedBy]).toEqual([200, 'EXECUTED', ben.id])
    expect(await isOn()).toBe(!before)
    const [row] = (await read('/audit-log?limit=1')).items
    expect(row).toMatchObject({
      actor: { id: ben.id },
      via: { kind: 'assistant', intentId: intent.id, threadId: null },
    })
    expect(await read('/audit-log/proof')).toMatchObject({ ok: true })
    const again = await execute(a, intent)
    expect([again.status, again.body.error.code, again.body.error.details]).toEqual([
      ...[409, 'COPILOT_INTENT_SETTLED', { status: 'executed' }],
    ])
  })

  test('of two people who approve at once, one executes', async () => {
    const intent = await toggled()
    const answers = await Promise.all([a.person, ben, a.person, ben].map((by) => execute(a, intent, by)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const rows = (await read('/audit-log?limit=10')).items.filter(({ via }: Shown) => via?.intentId === intent.id)
    expect(rows).toHaveLength(1)
  })

  test('approved and rejected at once is one of both', async () => {
    const before = await isOn()
    const intent = await toggled()
    const [done, rejected] = await Promise.all([execute(a, intent), decide(a, intent.id, 'reject', {}, ben)])
    expect([done.status, rejected.status].sort()).toEqual([200, 409])
    expect(await isOn()).toBe(done.status === 200 ? !before : before)
  })

  test('that its route refuses is none, and the agent is told why', async () => {
    for (const given of [
      { id: 'flg_unknown', isEnabled: true },
      { id: flagId },
      { id: flagId, isEnabled: 'yes' },
      { id: flagId, isEnabled: true, dryRun: false },
      { id: '../../x', isEnabled: true },
    ]) {
      const before = await dumpOf(s.ctx, ['assistantIntents', 'notices'])
      const { isError, body } = await callTool(a.agent, 'propose_flag_setEnabled', given)
      expect([isError, typeof body.error.message]).toEqual([true, 'string'])
      expect(await dumpOf(s.ctx, ['assistantIntents', 'notices'])).toEqual(before)
    }
  })

  test('shows an id that its arguments name, and one that a text had before, as they are', async () => {
    const [first, second] = ['usr_7zzzzzzzzzzzzzzzzzzzzzzzzy', 'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz']
    const written = async (description: string) => {
      const intent = await proposed(a, 'flag.update', { id: flagId, description })
      return intent.preview.changes.find(({ path }: Shown) => path.endsWith('/description'))
    }
    expect(await written(`ask ${first}`)).toMatchObject({ after: `ask ${first}` })
    await a.person.browser.call('PATCH', `${a.path}/feature-flags/${flagId}`, { description: `ask ${first}` })
    expect(await written(`ask ${second}`)).toMatchObject({ before: `ask ${first}`, after: `ask ${second}` })
    const rules = { 'svc.appUserId': { $in: [first, second] } }
    const { preview } = await proposed(a, 'audience.save', { name: 'Two', rules })
    expect(JSON.stringify(preview.changes)).toContain(JSON.stringify([first, second]))
  })

  test('that takes other arguments is called by the name of its tool', async () => {
    const { body } = await callTool(a.agent, 'propose_flag_setEnabled', { id: flagId, isOn: true })
    expect(body.error.message).toBe('propose_flag_setEnabled takes no isOn')
  })

  test('that would change nothing is none', async () => {
    const { isError, body } = await callTool(a.agent, 'propose_flag_setEnabled', {
      id: flagId,
      isEnabled: await isOn(),
    })
    expect([isError, body.error.code]).toEqual([true, 'CONFLICT'])
  })

  test('of an action that does not exist is none', async () => {
    expect((await callTool(a.agent, 'propose_project_delete', {})).isError).toBe(true)
  })
})

describe('an approval is refused', () => {
  test('with another digest', async () => {
    const intent = await toggled()
    for (const digest of ['0'.repeat(64), '', intent.digest.toUpperCase()])
      await kept(intent, () => decide(a, intent.id, 'execute', { digest }), [
        400,
        'VALIDATION_ERROR',
        { field: 'digest' },
      ])
    expect((await decide(a, intent.id, 'execute')).status).toBe(400)
  })

  test('after the flag was changed meanwhile, and then for good', async () => {
    const intent = await toggled()
    await a.person.browser.call('PATCH', `${a.path}/feature-flags/${flagId}`, {
      description: `at ${s.ctx.clock.now()}`,
    })
    const before = await isOn()
    const { status, body } = await execute(a, intent)
    expect([status, body.error.code, body.error.details]).toEqual([
      409,
      'CONFLICT',
      { reason: 'stale', objects: [flagId] },
    ])
    expect(await isOn()).toBe(before)
    expect((await read(`/assistant/intents/${intent.id}`)).status).toBe('FAILED')
    expect((await execute(a, intent)).body.error).toMatchObject({ details: { status: 'failed' } })
  })

  test('after 16 minutes', async () => {
    const intent = await toggled()
    s.ctx.clock.advance(15 * MINUTE)
    for (const command of ['execute', 'reject'])
      expect(
        (await decide(a, intent.id, command, command === 'execute' ? { digest: intent.digest } : {})).body.error,
      ).toMatchObject({ code: 'COPILOT_INTENT_SETTLED', details: { status: 'expired' } })
    expect((await read(`/assistant/intents/${intent.id}`)).status).toBe('EXPIRED')
    expect((await read('/assistant/intents?status=EXPIRED')).items[0].id).toBe(intent.id)
    expect((await read('/assistant/intents')).items[0]).toMatchObject({ id: intent.id, status: 'EXPIRED' })
  })

  test('by a token', async () => {
    const intent = await toggled()
    const token = await tokenOf(a.person)
    const by = (command: string, body: object) =>
      s.call('POST', `${a.path}/assistant/intents/${intent.id}/${command}`, {
        ...{ key: null, body, headers: { authorization: `Bearer ${token}` } },
      })
    const refusal = [403, 'FORBIDDEN', { reason: 'session' }]
    await kept(intent, () => by('execute', { digest: intent.digest }), refusal)
    await kept(intent, () => by('revise', { arguments: intent.arguments }), refusal)
  })

  test('of a person without the capability, who may see it', async () => {
    const intent = await toggled()
    expect((await read(`/assistant/intents/${intent.id}`, eve)).id).toBe(intent.id)
    const details = { role: 'CUSTOMER_SUPPORT', capability: 'flags:write' }
    await kept(intent, () => execute(a, intent, eve), [403, 'CAPABILITY_REQUIRED', details])
  })

  test('of a high risk in a sign-in of yesterday', async () => {
    s.ctx.clock.advance(13 * HOUR)
    const made = { slug: `f${s.ctx.clock.now()}`, name: 'F', ...stop }
    const funnel = (await a.person.browser.post(`${a.path}/funnels`, made)).body.data
    const intent = await proposed(a, 'funnel.publish', { id: funnel.id })
    expect(intent.risk).toBe('high')
    await kept(intent, () => execute(a, intent), [403, 'FORBIDDEN', { reason: 'sign_in' }])
    const fresh = await join(s, 'fresh', 'OWNER')
    expect((await execute(a, intent, fresh)).status).toBe(200)
  })

  test('in another project, where it is not there', async () => {
    const intent = await toggled()
    const zoe = await join(s, 'zoe', 'OWNER', s.other.id)
    const other = `/dashboard/projects/${s.other.id}/assistant/intents/${intent.id}`
    for (const call of [
      zoe.browser.get(other),
      zoe.browser.post(`${other}/execute`, { digest: intent.digest }),
      zoe.browser.post(`${other}/reject`, {}),
      zoe.browser.post(`${other}/revise`, { arguments: intent.arguments }),
      zoe.browser.get(`${a.path}/assistant/intents`),
    ])
      expect([(await call).status, (await call).body.error.code]).toEqual([404, 'NOT_FOUND'])
    const theirs = await approvingOther(zoe)
    const { isError } = await callTool(theirs, 'propose_flag_setEnabled', { id: flagId, isEnabled: false })
    expect(isError).toBe(true)
  })
})

const approvingOther = async (person: Person) => (await mcpClient(s, await tokenOf(person))).client

test('those of a thread are found whatever their age, by pages, and by their status', async () => {
  const [{ id }, { assistantIntents: i }] = [await toggled(), s.ctx.tables]
  // A turn of a model for each of them would say no more about the list.
  await s.ctx.write(async ({ db }) => {
    const [row] = await db.select().from(i).where(eq(i.id, id))
    if (!row) throw new Error('no proposal')
    const copies = (count: number, prefix: string, more: object) =>
      Array.from({ length: count }, (_, n) => ({ ...row, id: `cin_${prefix}${String(n).padStart(25, '0')}`, ...more }))
    const rejected = { threadId: 'cth_old', status: 'REJECTED' as const }
    await db.insert(i).values([...copies(3, '0', { threadId: 'cth_old' }), ...copies(2, '1', rejected)])
    await db.insert(i).values([...copies(105, 'Z', { threadId: null }), ...copies(1, '2', { threadId: 'cth_other' })])
  })
  const list = (query: string) => read(`/assistant/intents?${query}`)
  const placesOf = ({ items }: Shown) => items.map((one: Shown) => [one.id.slice(4, 5), one.threadId])
  expect(placesOf(await list('limit=100')).some(([, thread]: string[]) => thread === 'cth_old')).toBe(false)
  const own = await list('threadId=cth_old')
  expect(placesOf(own)).toEqual([...Array(2).fill(['1', 'cth_old']), ...Array(3).fill(['0', 'cth_old'])])
  const first = await list('threadId=cth_old&limit=4')
  const second = await list(`threadId=cth_old&limit=4&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items]).toEqual(own.items)
  expect(second.nextCursor).toBe(null)
  expect(placesOf(await list('threadId=cth_old&status=REJECTED'))).toHaveLength(2)
  expect(await list('threadId=cth_none')).toEqual({ items: [], nextCursor: null })
  for (const query of ['threadId=', `threadId=${'x'.repeat(65)}`, `threadId=cth_other&cursor=${first.nextCursor}`])
    expect([query, (await a.person.browser.get(`${a.path}/assistant/intents?${query}`)).status]).toEqual([query, 400])
  await s.ctx.write(({ db }) => db.delete(i).where(inArray(i.threadId, ['cth_old', 'cth_other'])))
})

describe('a person', () => {
  test('can change the arguments: it is another proposal, and the old one is rejected', async () => {
    const before = await isOn()
    const intent = await proposed(a, 'flag.update', { id: flagId, description: 'first' })
    const { status, body } = await decide(
      a,
      intent.id,
      'revise',
      { arguments: { id: flagId, description: 'second' } },
      ben,
    )
    expect([status, body.data.proposedBy, body.data.status]).toEqual([201, ben.id, 'PENDING'])
    expect(await read(`/assistant/intents/${intent.id}`)).toMatchObject({
      status: 'REJECTED',
      replacedBy: body.data.id,
    })
    expect((await execute(a, body.data)).status).toBe(200)
    expect(await read(`/feature-flags/${flagId}`)).toMatchObject({ description: 'second', isEnabled: before })
    const late = await decide(a, intent.id, 'revise', { arguments: {} })
    expect(late.body.error).toMatchObject({ code: 'COPILOT_INTENT_SETTLED', details: { status: 'rejected' } })
  })

  test('cannot change them to what the route refuses', async () => {
    const intent = await toggled()
    const revised = decide(a, intent.id, 'revise', { arguments: { id: flagId, isEnabled: 'yes' } })
    await kept(intent, () => revised, [400, 'VALIDATION_ERROR', { field: 'arguments' }])
  })

  test('can reject it, which is in the log', async () => {
    const intent = await toggled()
    expect((await decide(a, intent.id, 'reject', {}, eve)).body.data).toMatchObject({
      status: 'REJECTED',
      decidedBy: eve.id,
    })
    expect((await execute(a, intent)).body.error).toMatchObject({ details: { status: 'rejected' } })
    expect((await read('/audit-log?limit=1')).items[0]).toMatchObject({ action: 'assistant.intent.reject' })
  })

  test('is told of a proposal when they may approve it and have not made it', async () => {
    const people = [ben, a.person, eve]
    const told = async (by: Person) =>
      (await dataOf(by.browser.get('/dashboard/notifications?limit=100'))).items.filter(
        ({ kind, body }: Shown) => kind === 'assistant.intent' && body.includes(flagId),
      ).length
    const before = await Promise.all(people.map(told))
    const intent = await toggled()
    const after = await Promise.all(people.map(told))
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 0, 0])
    expect(intent.status).toBe('PENDING')
  })

  test('can prepare one again that has expired, once', async () => {
    const intent = await toggled()
    s.ctx.clock.advance(16 * MINUTE)
    const again = () => decide(a, intent.id, 'revise', { arguments: intent.arguments })
    const { status, body } = await again()
    expect([status, body.data.status]).toEqual([201, 'PENDING'])
    expect(await read(`/assistant/intents/${intent.id}`)).toMatchObject({ status: 'EXPIRED', replacedBy: body.data.id })
    expect((await again()).body.error).toMatchObject({ code: 'COPILOT_INTENT_SETTLED', details: { status: 'expired' } })
    expect((await execute(a, body.data)).status).toBe(200)
    const other = { id: flagId, isEnabled: !intent.arguments.isEnabled }
    const done = await decide(a, body.data.id, 'revise', { arguments: other })
    expect(done.body.error).toMatchObject({ code: 'COPILOT_INTENT_SETTLED', details: { status: 'executed' } })
    const same = await decide(a, body.data.id, 'revise', { arguments: intent.arguments })
    expect(same.body.error).toMatchObject({ code: 'COPILOT_INTENT_SETTLED', details: { status: 'executed' } })
  })
})

describe('a project whose assistant', () => {
  const set = (assistant: string) => a.person.browser.call('PATCH', a.path, { settings: { assistant } })

  test('only reads has no proposing tools', async () => {
    await set('read')
    const { tools } = await a.agent.listTools()
    expect(tools.filter(({ name }) => name.startsWith('propose_'))).toEqual([])
    const { isError, body } = await callTool(a.agent, 'propose_flag_setEnabled', { id: flagId, isEnabled: false })
    expect([isError, body.error.code]).toEqual([true, 'FORBIDDEN'])
    await set('propose')
    expect((await a.agent.listTools()).tools.some(({ name }) => name === 'propose_flag_setEnabled')).toBe(true)
  })

  test('is off decides nothing', async () => {
    const intent = await toggled()
    await set('off')
    for (const call of [
      a.person.browser.get(`${a.path}/assistant/intents`),
      a.person.browser.get(`${a.path}/assistant/intents/${intent.id}`),
      execute(a, intent),
      decide(a, intent.id, 'reject'),
      decide(a, intent.id, 'revise', { arguments: intent.arguments }),
    ])
      expect([(await call).status, (await call).body.error.code]).toEqual([403, 'FORBIDDEN'])
    await set('propose')
    expect((await read(`/assistant/intents/${intent.id}`)).status).toBe('PENDING')
  })
})

describe('proposals', () => {
  test('that name a person are erased with them', async () => {
    await s.receipt('phone-of-cleo', s.buy(MONTHLY))
    const { id } = (await s.get('/v1/me', 'phone-of-cleo')).body.data.subscriber
    const intent = await proposed(a, 'attributes', { id, attributes: { plan: 'gold' } })
    const other = await toggled()
    await erase(s, id)
    expect((await a.person.browser.get(`${a.path}/assistant/intents/${intent.id}`)).status).toBe(404)
    expect((await read(`/assistant/intents/${other.id}`)).id).toBe(other.id)
  })

  test('are kept for 90 days', async () => {
    const intent = await toggled()
    s.ctx.clock.advance(91 * DAY)
    await sweepRetention(s.ctx, () => false)
    expect((await dumpOf(s.ctx, ['assistantIntents'])).filter((line) => line.includes(intent.id))).toEqual([])
  })
})

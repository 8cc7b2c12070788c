import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'
import { dumpOf } from '../support/dump'
import { type Approving, approver, execute, proposed, type Shown, wholeState } from '../support/intents'
import { callTool } from '../support/mcp'

const ACTION = 'projectFile.apply'
const TOOL = 'propose_projectFile_apply'
let s: Stage
let a: Approving
let gil: Person
let eve: Person
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  a = await approver(s)
  gil = await join(s, 'gil', 'GROWTH')
  eve = await join(s, 'eve', 'CUSTOMER_SUPPORT')
  const file = `version: 1
flags:
  one: { type: BOOLEAN, environments: { PROD: { default: true } } }
  two: { type: BOOLEAN, environments: { PROD: { default: true } } }
`
  await a.person.browser.post(`${a.path}/project-file/apply`, { file })
})
beforeEach(() => s.ctx.clock.advance(MINUTE))
afterAll(() => s.close())

const flag = (name: string, members: object) => ({ flags: { [name]: { environments: { PROD: members } } } })
const described = (name = 'one') => flag(name, { description: `at ${s.ctx.clock.now()}` })
const propose = (patch: unknown): Promise<Shown> => proposed(a, ACTION, { patch })
const idOf = async (name: string): Promise<string> => {
  const rows = await s.ctx.db.select().from(s.ctx.tables.flags)
  return rows.find(({ key }) => key === name)?.id ?? 'none'
}

/** The answer of the tool to a proposal that is none. */
async function refused(given: object): Promise<Shown> {
  const before = await dumpOf(s.ctx, ['assistantIntents', 'notices', 'flags'])
  const { isError, body } = await callTool(a.agent, TOOL, given as Record<string, unknown>)
  expect(await dumpOf(s.ctx, ['assistantIntents', 'notices', 'flags'])).toEqual(before)
  expect(isError).toBe(true)
  return body.error
}

describe('a proposed patch of the project file', () => {
  test('has the plan as its preview, and does what it showed', async () => {
    const patch = flag('one', { default: false })
    const trial = await a.person.browser.post(`${a.path}/project-file/patch`, { patch, dryRun: true })
    const intent = await propose(patch)
    expect(intent).toMatchObject({
      ...{ action: ACTION, arguments: { patch }, risk: 'high', capability: 'flags:write' },
      route: { method: 'POST', path: `${a.path}/project-file/patch` },
      summary: 'Change a project with a patch of its file: flag one (PROD)',
      preview: { lines: trial.body.data.lines, warnings: [] },
    })
    expect(intent.preview.lines).toEqual([
      '~ flag one (PROD)',
      '    defaultValue: true -> false',
      '0 to create, 1 to change, 0 to delete.',
    ])
    expect(intent.base).toEqual([{ type: 'flag', id: await idOf('one'), revision: 1 }])
    const before = await dumpOf(s.ctx, ['flags'])
    const { status, body } = await execute(a, intent)
    expect([status, body.data.result.lines, body.data.result.applied]).toEqual([200, intent.preview.lines, true])
    const after = await dumpOf(s.ctx, ['flags'])
    expect(after.filter((line) => !before.includes(line))).toHaveLength(1)
  })

  test('is stale when its object was changed, and not when another one was', async () => {
    const change = async (name: string) =>
      a.person.browser.call('PATCH', `${a.path}/feature-flags/${await idOf(name)}`, {
        description: `elsewhere at ${s.ctx.clock.now()}`,
      })
    const stale = await propose(flag('one', { enabled: false }))
    await change('one')
    const before = await dumpOf(s.ctx, ['flags'])
    const answer = await execute(a, stale)
    expect([answer.status, answer.body.error.details]).toEqual([409, { reason: 'stale', objects: [await idOf('one')] }])
    expect(await dumpOf(s.ctx, ['flags'])).toEqual(before)
    const fine = await propose(flag('one', { enabled: false }))
    await change('two')
    expect((await execute(a, fine)).status).toBe(200)
  })

  test('removes what it names alone, also when another object came meanwhile', async () => {
    const intent = await propose({ flags: { two: null } })
    const three = { key: 'three', env: 'PROD', type: 'BOOLEAN', defaultValue: true, isEnabled: true }
    await a.person.browser.post(`${a.path}/feature-flags`, three)
    expect((await execute(a, intent)).status).toBe(200)
    const keys = (await s.ctx.db.select().from(s.ctx.tables.flags)).map(({ key }) => key)
    expect(keys.sort()).toEqual(['one', 'three'])
  })

  test('needs the right to all that it changes, and tells those who have it', async () => {
    const both = { ...described(), access: { vip: { displayName: `V ${s.ctx.clock.now()}` } } }
    const intent = await propose(both)
    expect(intent.capability).toBe('DEVELOPER')
    const before = await wholeState(s)
    for (const by of [gil, eve]) expect((await execute(a, intent, by)).body.error.code).toBe('ROLE_REQUIRED')
    expect(await wholeState(s)).toEqual(before)
    expect((await execute(a, intent)).status).toBe(200)
    s.ctx.clock.advance(MINUTE)
    const own = await propose(described())
    expect((await execute(a, own, eve)).body.error.code).toBe('CAPABILITY_REQUIRED')
    expect((await execute(a, own, gil)).status).toBe(200)
    const told = await s.ctx.db.select().from(s.ctx.tables.notices)
    const toldOf = (id: string) => told.filter(({ userId, title }) => userId === id && title.includes(ACTION)).length
    expect([toldOf(gil.id) > 0, toldOf(eve.id)]).toEqual([true, 0])
  })

  test('keeps no secret that is made for it', async () => {
    const intent = await propose({ webhookEndpoints: { hooks: { url: 'https://8.8.8.8/x', eventTypes: ['*'] } } })
    expect(intent.preview.warnings).toEqual([expect.stringContaining('webhookEndpoint hooks is not shown')])
    const { status, body } = await execute(a, intent)
    expect([status, body.data.result.secrets]).toEqual([200, undefined])
    expect(JSON.stringify([body, await dumpOf(s.ctx, ['assistantIntents'])])).not.toContain('whsec_')
    expect(await s.ctx.db.select().from(s.ctx.tables.webhookEndpoints)).toHaveLength(1)
  })

  test('has the warnings of the plan', async () => {
    const intent = await propose({ audiences: { Old: { rules: { appVersion: { $lt: 'v3' } } } } })
    expect(intent.preview.warnings).toEqual([expect.stringContaining('audience Old: rules.appVersion.$lt')])
    expect(intent.preview.lines).toContainEqual(expect.stringMatching(/^! audience Old/))
  })
})

describe('a patch that is no proposal', () => {
  test.each<[name: string, patch: unknown, message: string]>([
    ['has a fault', 'flags:\n  one:\n    enabeld: true', 'line 3: flags.one.enabeld: Unknown key'],
    ['has a secret', { stores: { payment: { mode: 'test', secretKey: 'sk_test_1' } } }, 'A patch takes no secret'],
    ['changes nothing', { flags: { one: {} } }, 'That would change nothing'],
    ['removes a section', { flags: null }, 'flags: A patch removes single objects'],
  ])('%s', async (_name, patch, message) => {
    expect((await refused({ patch })).message).toContain(message)
  })

  test.each<[name: string, given: object]>([
    ['is a whole file', { file: 'version: 1' }],
    ['has prune', { patch: flag('one', { enabled: true }), prune: true }],
    ['has variables', { patch: flag('one', { enabled: true }), env: { A: 'b' } }],
    ['wants to be executed at once', { patch: flag('one', { enabled: true }), dryRun: false }],
    ['is none', {}],
  ])('%s', async (_name, given) => {
    expect((await refused(given)).code).toBe('VALIDATION_ERROR')
  })
})

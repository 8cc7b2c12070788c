// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { AppError } from '../../src/base/errors'
import { ROLES, type Role } from '../../src/core/roles/roles'
import { keepApplied } from '../../src/moving/project-file/applied'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { touchConfig } from '../../src/projects/project/service'
import { applyFile } from '../../src/projects/project-file/apply'
import { parseProjectFile } from '../../src/projects/project-file/parse'
import { sectionsOf } from '../../src/projects/project-file/sections'
import { type Stage, stage } from '../support/cast'
import { deviceOwner, happen } from '../support/deliveries'
import { auditRows } from '../support/operator'
import { startReceiver } from '../support/receiver'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeEach(async () => {
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  team = staff(s)
  for (const role of ROLES)
    team.sessions.tokens.set(tokenOf(role), {
      scopes: null,
      ...{ id: `pat_${role}`, user: { ...userOf(role) }, expiresAt: null, revokedAt: null },
    } as never)
  for (let version = 0; version < 2; version = await s.ctx.write((tx) => touchConfig(tx, s.project.id)))
    s.ctx.clock.advance(1)
  s.ctx.state.projects.forget(s.project.id)
})
afterEach(() => s.close())
const userOf = (role: Role) => team.sessions.sessions.get(role)?.user
const tokenOf = (role: Role) => `svc_pat_${role.toLowerCase()}`

/** As `svc apply` on the machine of the database. */
async function applied(text: string, prune = false): Promise<void> {
  s.ctx.clock.advance(1000)
  const sources = { env: () => null, file: () => null }
  const parsed = parseProjectFile(sectionsOf(s.ctx.hooks), `version: 1\n${text}`, sources)
  if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
  const keep = keepApplied(s.project.id, parsed, { prune })
  const plan = await applyFile(s.ctx, s.project.id, parsed, { prune, applied: keep })
  expect(plan.problems).toEqual([])
}

const drift = async () => (await team.as('CUSTOMER_SUPPORT').get('/project-file/drift')).body.data
const differing = async () =>
  (await drift()).objects.map(({ section, name }: Record<string, string>) => [section, name])
const idOf = async (path: string, identifier: string): Promise<string> => {
  const { items } = (await team.as('OWNER').get(`/${path}`)).body.data
  return items.find((one: { identifier: string }) => one.identifier === identifier).id
}
const rename = async (displayName: string) =>
  team.as('OWNER').patch(`/access/${await idOf('access', 'vip')}`, { displayName })

const VIP = 'access: { vip: { displayName: V } }\n'

describe('what differs from the file', () => {
  test('is nothing without a file', async () => {
    expect(await drift()).toEqual({ appliedAt: null, appliedBy: null, count: 0, objects: [] })
    await team.as('OWNER').post('/access', { identifier: 'a', displayName: 'A' })
    expect((await drift()).count).toBe(0)
  })

  test('is an object that somebody changes, until it is as before', async () => {
    await applied(VIP)
    expect(await drift()).toMatchObject({ appliedBy: null, count: 0, objects: [] })
    await rename('W')
    expect(await drift()).toMatchObject({
      appliedAt: expect.stringMatching(/Z$/),
      count: 1,
      objects: [{ section: 'access', name: 'vip', file: 'displayName: V\n', project: 'displayName: W\n' }],
    })
    await rename('V')
    expect((await drift()).count).toBe(0)
  })

  test('is an object that somebody deletes, and not one that the file does not name', async () => {
    await applied(VIP)
    await team.as('OWNER').post('/access', { identifier: 'other', displayName: 'O' })
    expect(await differing()).toEqual([])
    await team.as('OWNER').delete(`/access/${await idOf('access', 'vip')}`)
    expect((await drift()).objects).toEqual([
      { section: 'access', name: 'vip', file: 'displayName: V\n', project: null },
    ])
  })

  test('is also a new object in a section that was applied whole', async () => {
    await applied('placements: {}\n', true)
    const wall = { identifier: 'wall', name: 'Wall', rows: [] }
    expect((await team.as('OWNER').post('/placements', wall)).status).toBe(201)
    expect((await drift()).objects).toEqual([
      { section: 'placements', name: 'wall', file: null, project: 'name: Wall\n' },
    ])
  })

  test('is a change of the project itself', async () => {
    await applied('project: { slug: project-1, name: One }\n')
    await team.as('OWNER').patch('', { name: 'Two' })
    expect((await drift()).objects).toEqual([
      { section: 'project', name: '', file: 'slug: project-1\nname: One\n', project: 'slug: project-1\nname: Two\n' },
    ])
  })

  test('is an endpoint that the server switches off', async () => {
    const receiver = startReceiver()
    try {
      receiver.respond = () => new Response('', { status: 410 })
      await applied(`webhookEndpoints: { backend: { url: '${receiver.url}/hooks', eventTypes: ['*'] } }\n`)
      expect(await differing()).toEqual([])
      await happen(s, await deviceOwner(s, 'svc_ada'), [{}])
      await s.ctx.state.dispatcher.runDue()
      const [{ project, ...object }] = (await drift()).objects
      expect(object).toMatchObject({ section: 'webhookEndpoints', name: 'backend' })
      expect(project).toEndWith('isEnabled: false\n')
    } finally {
      await receiver.close()
    }
  })

  test('ends when the file is applied again, or says the same as the project', async () => {
    await applied(VIP)
    await rename('W')
    await applied(VIP)
    expect(await differing()).toEqual([])
    await rename('W')
    expect(await differing()).toEqual([['access', 'vip']])
    await applied('access: { vip: { displayName: W } }\n')
    expect(await differing()).toEqual([])
  })

  test('stays in the sections that a later file does not have', async () => {
    await applied(VIP)
    await applied('virtualCurrencies: { stars: { name: Stars } }\n')
    await rename('W')
    expect(await differing()).toEqual([['access', 'vip']])
  })

  test('is the same after a restart: nothing of it is only in memory', async () => {
    await applied(VIP)
    await rename('W')
    const { count } = await drift()
    s.ctx.state.drifts.forget(s.project.id)
    expect([count, (await drift()).count]).toEqual([1, 1])
  })

  test('names objects of any name', async () => {
    const names = ['a: b #', 'constructor', '👩‍🚀']
    const flagless = names.map((name) => `  ${JSON.stringify(name)}: { rules: { country: TR } }`).join('\n')
    await applied(`audiences:\n${flagless}\n`)
    expect(await differing()).toEqual([])
    const { items } = (await team.as('OWNER').get('/audiences')).body.data
    for (const { id, isDefault } of items)
      if (!isDefault) expect((await team.as('OWNER').patch(`/audiences/${id}`, { description: 'x' })).status).toBe(200)
    expect((await differing()).map(([, name]: string[]) => name)).toEqual(names.toSorted())
  })
})

const flag = (environments: string) => `flags: { f: { type: BOOLEAN, environments: { ${environments} } } }\n`
const PROD = 'PROD: { default: true }'
const funnel = (more: string) =>
  `funnels: { f: { name: F, defaultLocale: en, pages: [{ id: a, type: info, title: { en: A } }], ${more} } }\n`
const halves = [true, false].map((value) => `{ id: '${value}', name: N, weight: 0.5, value: ${value} }`).join(', ')
const experiment = (more: string) => `experiments: { e: { type: FLAG, name: E, variants: [${halves}], ${more} } }\n`
const offerings = (a: string, b: string) => `offerings: { a: ${a}, b: ${b} }\n`
const MARKED = '{ isDefault: true }'

/** As a change in the console: the project is not kept in this file. */
const elsewhere = async (text: string) => {
  s.ctx.clock.advance(1000)
  const { body } = await team.as('OWNER').post('/project-file/apply', { file: `version: 1\n${text}` })
  expect(body.data).toMatchObject({ applied: true })
}
const isAsFile = async (text: string, prune: boolean): Promise<boolean> => {
  const { data } = (await team.as('OWNER').post('/project-file/plan', { file: `version: 1\n${text}`, prune })).body
  expect(data.problems).toEqual([])
  return data.changes.length === 0
}

describe('what the file does not name is no difference', () => {
  const ZONE = 'project: { timezone: Europe/Istanbul }\n'
  const RENAMED = 'project: { slug: renamed, was: project-1, name: Renamed, timezone: Europe/Istanbul }\n'
  test.each([
    ['another environment of a flag', flag(PROD), flag('DEVELOPMENT: { default: false }'), false],
    ['the name and slug of the project', ZONE, RENAMED, false],
    ['the name and slug of the project, with --prune', ZONE, RENAMED, true],
    ['the status of an experiment', experiment(''), experiment('status: RUNNING'), false],
    ['that a funnel is published', funnel(''), funnel('publish: true'), false],
    ['the default, where the file marks none', offerings('{}', '{}'), offerings('{}', MARKED), false],
    ['the default, where the file marks none, with --prune', offerings('{}', '{}'), offerings('{}', MARKED), true],
  ])('%s', async (_name, file, change, prune) => {
    await applied(file, prune)
    await elsewhere(change)
    expect([await isAsFile(file, prune), await differing()]).toEqual([true, []])
    await applied(file, prune)
    expect((await auditRows(s)).filter(({ action }) => action === 'projectFile.apply')).toHaveLength(1)
  })
})

describe('what the file names is a difference', () => {
  test.each([
    ['its environment', flag(PROD), flag('PROD: { default: false }'), false, ['flags', 'f']],
    ['another environment, with --prune', flag(PROD), flag('STAGING: { default: false }'), true, ['flags', 'f']],
    ['the name', 'project: { name: A }\n', 'project: { name: B }\n', false, ['project', '']],
    ['the time zone', 'project: { timezone: Asia/Tokyo }\n', 'project: { timezone: UTC }\n', false, ['project', '']],
    ['an unpublished draft', funnel('publish: true'), funnel('locales: [en, tr]'), false, ['funnels', 'f']],
    ['its default', offerings(MARKED, '{}'), offerings('{}', MARKED), false, ['offerings', 'a'], ['offerings', 'b']],
  ])('%s', async (_name, file, change, prune, ...objects) => {
    await applied(file, prune)
    expect(await differing()).toEqual([])
    await elsewhere(change)
    expect([await isAsFile(file, prune), await differing()]).toEqual([false, objects])
  })

  test('and is shown without what the file does not name', async () => {
    await applied(flag(PROD))
    await elsewhere(flag('PROD: { default: false }, DEVELOPMENT: { default: true }'))
    const text = (value: boolean) => `type: BOOLEAN\nenvironments:\n  PROD:\n    enabled: true\n    default: ${value}\n`
    expect((await drift()).objects).toMatchObject([{ file: text(true), project: text(false) }])
  })

  test('with every digit of an amount', async () => {
    const product = (name: string) =>
      `products: { p: { type: CONSUMABLE, displayName: ${name}, grants: [{ currency: c, amount: 9007199254740993, on: PURCHASE }] } }\n`
    await applied(`virtualCurrencies: { c: { name: C } }\n${product('P')}`)
    expect(await differing()).toEqual([])
    await elsewhere(product('Q'))
    const [{ file, project }] = (await drift()).objects
    expect([file, project.replace('displayName: Q', 'displayName: P')]).toEqual([file, file])
    expect(file).toContain('amount: 9007199254740993\n')
  })

  test('of which one hundred are shown and all are counted', async () => {
    const access = (name: string) =>
      `access:\n${Array.from({ length: 101 }, (_, index) => `  a${index}: { displayName: ${name} }\n`).join('')}`
    await applied(access('A'))
    await elsewhere(access('B'))
    const { count, objects } = await drift()
    expect([count, objects.length]).toEqual([101, 100])
  })

  test('for which many who ask at once wait together, and a failure is not remembered', async () => {
    await applied(VIP)
    const { state, tables, clock, write } = s.ctx
    const find = () => state.drifts.of({ id: s.project.id, configVersion: 1 })
    const [one, ...others] = await Promise.all([find(), find(), find()])
    expect(others.every((other) => other === one)).toBe(true)
    const row = { projectId: 'prj_none', appliedAt: clock.now(), appliedBy: CLI_ACTOR, sections: {} }
    await write(async ({ db }) => {
      await db.insert(tables.appliedFiles).values(row)
    })
    const failed = () => state.drifts.of({ id: 'prj_none', configVersion: 1 }).catch((error: unknown) => error)
    expect(await failed()).toBeInstanceOf(AppError)
    expect(await failed()).not.toBe(await failed())
  })
})

describe('a project is kept in a file', () => {
  const asToken = (body: object, role: Role = 'OWNER') =>
    s.call('POST', `/dashboard/projects/${s.project.id}/project-file/apply`, {
      key: null,
      body,
      headers: { authorization: `Bearer ${tokenOf(role)}` },
    })
  const audited = async () => (await auditRows(s)).filter(({ action }) => action.startsWith('projectFile.'))

  test('when it was applied with an access token, and not when somebody pastes one into the console', async () => {
    await team.as('OWNER').post('/project-file/apply', { file: `version: 1\n${VIP}` })
    expect((await drift()).appliedAt).toBeNull()
    expect((await asToken({ file: `version: 1\n${VIP}` })).status).toBe(200)
    expect(await drift()).toMatchObject({ appliedBy: userOf('OWNER')?.email, count: 0 })
    await team.as('OWNER').post('/project-file/apply', { file: `version: 1\n${VIP.replace('V }', 'W }')}` })
    expect(await differing()).toEqual([['access', 'vip']])
  })

  test('only by a person who may change every section of the file', async () => {
    const whole = (await team.as('OWNER').get('/project-file')).body.data.yaml
    const flag = 'flags: { f: { type: BOOLEAN, environments: { PROD: { default: true } } } }\n'
    expect((await asToken({ file: `version: 1\n${VIP}${flag}` })).status).toBe(200)
    const kept = await s.ctx.db.select().from(s.ctx.tables.appliedFiles)
    const before = await auditRows(s)
    await rename('W')
    const now = (await team.as('OWNER').get('/project-file')).body.data.yaml
    for (const [file, role] of [
      [now, 'CUSTOMER_SUPPORT'],
      [whole, 'CUSTOMER_SUPPORT'],
      ['version: 1\n', 'CUSTOMER_SUPPORT'],
      [`version: 1\naccess: {}\n`, 'CUSTOMER_SUPPORT'],
      [`version: 1\n${VIP.replace('V }', 'W }')}${flag}`, 'GROWTH'],
      [now, 'DEVELOPER'],
      ['version: 1\nstores: {}\n', 'ADMIN'],
    ] as const) {
      const { status, body } = await asToken({ file }, role)
      expect([role, status === 403 ? body.error.code : body.data.applied]).toEqual([role, false])
    }
    expect(await s.ctx.db.select().from(s.ctx.tables.appliedFiles)).toEqual(kept)
    expect((await auditRows(s)).slice(before.length).map(({ action }) => action)).toEqual(['access.update'])
    expect(await differing()).toEqual([['access', 'vip']])
    expect((await asToken({ file: `version: 1\n${flag}` }, 'GROWTH')).status).toBe(200)
    expect(await differing()).toEqual([['access', 'vip']])
    expect((await asToken({ file: `version: 1\n${VIP.replace('V }', 'W }')}` }, 'DEVELOPER')).status).toBe(200)
    expect(await drift()).toMatchObject({ appliedBy: userOf('DEVELOPER')?.email, count: 0 })
  })

  test('with an audit row for each file that says something new, and no new version of the project', async () => {
    const version = async () => (await team.as('OWNER').get('/project-file')).body.data.configVersion
    expect((await asToken({ file: `version: 1\n${VIP}` })).status).toBe(200)
    const [first] = await audited()
    const by = { appliedBy: userOf('OWNER')?.email, sections: ['access'] }
    expect([await audited(), first]).toMatchObject([
      [{ action: 'projectFile.apply', target: { type: 'projectFile', id: 'project-file' } }],
      { actor: { kind: 'USER', id: userOf('OWNER')?.id }, before: null, after: by },
    ])
    await asToken({ file: `version: 1\n${VIP}` })
    await rename('W')
    await asToken({ file: `version: 1\n${VIP}` })
    expect(await audited()).toHaveLength(1)
    const before = await version()
    const sections = ['access', 'placements']
    await applied('placements: {}\n')
    await team.as('ADMIN').delete('/project-file/drift')
    expect((await audited()).slice(1)).toMatchObject([
      { action: 'projectFile.apply', actor: { kind: 'CLI' }, before: by, after: { appliedBy: null, sections } },
      { action: 'projectFile.forget', before: { appliedBy: null, sections }, after: null },
    ])
    expect(await version()).toBe(before)
  })

  test('until somebody says otherwise', async () => {
    await applied(VIP)
    await rename('W')
    expect((await team.as('GROWTH').delete('/project-file/drift')).status).toBe(403)
    expect((await team.as('ADMIN').delete('/project-file/drift')).status).toBe(200)
    expect(await drift()).toMatchObject({ appliedAt: null, count: 0 })
    expect((await team.as('ADMIN').delete('/project-file/drift')).status).toBe(404)
    await applied(VIP)
    expect((await drift()).appliedAt).not.toBeNull()
  })

  test('a file that was applied twice writes nothing more', async () => {
    const rows = () => s.ctx.db.select().from(s.ctx.tables.appliedFiles)
    await applied(VIP)
    const before = await rows()
    await applied(VIP)
    expect(await rows()).toEqual(before)
  })
})

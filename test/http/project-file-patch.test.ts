// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { loadCurrent } from '../../src/projects/project-file/load'
import { sectionsOf } from '../../src/projects/project-file/sections'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { type Answer, type Stage, stage } from '../support/cast'
import { wholeState } from '../support/intents'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
const FLAGS = `flags:
  paywall:
    type: STRING
    environments:
      STAGING: { default: old }
      PROD: { default: old, description: the paywall, rules: [{ audience: Turks, value: new, rollout: 0.5 }] }
  dark: { type: BOOLEAN, environments: { PROD: { default: false } } }
  big: { type: JSON, environments: { PROD: { default: { a: 1, b: [1, 2] } } } }
`
const FILE = `version: 1
audiences: { Turks: { rules: { country: TR } }, Greeks: { rules: { country: GR } } }
stores: { payment: { mode: test, secretKey: sk_test_saved, webhookSecret: whsec_saved } }
webhookEndpoints: { backend: { url: 'https://8.8.8.8/x', eventTypes: ['*'], authorization: Bearer abc } }
${FLAGS}`
beforeAll(async () => {
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  team = staff(s)
  const { status, body } = await team.as('OWNER').post('/project-file/apply', { file: FILE })
  if (status !== 200) throw new Error(JSON.stringify(body))
})
afterAll(() => s.close())

type Role = Parameters<Staff['as']>[0]
const patch = (given: unknown, role: Role = 'OWNER', more: object = {}) =>
  team.as(role).post('/project-file/patch', { patch: given, ...more })
const patched = async (given: unknown) => {
  const { status, body } = await patch(given)
  expect([status, body.error]).toEqual([200, undefined])
  return body.data
}
const exported = async (): Promise<string> =>
  writeYaml(await loadCurrent(s.ctx, s.project.id, sectionsOf(s.ctx.hooks)), { withIds: true })

/** Status, code, fields and message of a refusal that wrote nothing. */
async function refused(call: () => Promise<Answer>): Promise<unknown[]> {
  const before = await wholeState(s)
  const { status, body } = await call()
  expect(await wholeState(s)).toEqual(before)
  return [status, body.error.code, body.error.details?.fields, body.error.message]
}

/** The lines of the exported file that a call changes, as `- before` and `+ after`. */
async function changedLines(call: () => Promise<unknown>): Promise<string[]> {
  const before = (await exported()).split('\n')
  await call()
  const after = (await exported()).split('\n')
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line.trim()}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line.trim()}`),
  ]
}

describe('a patch', () => {
  test('of one member leaves every other object byte-equal', async () => {
    const { flags } = s.ctx.tables
    const before = await wholeState(s)
    const lines = await changedLines(() => patched({ flags: { dark: { environments: { PROD: { default: true } } } } }))
    expect(lines).toEqual(['- default: false', '+ default: true'])
    const rows = await s.ctx.db.select().from(flags)
    const own = rows.find(({ key }) => key === 'dark')?.id ?? 'none'
    const changed = (await wholeState(s)).filter((line) => !before.includes(line))
    const objects = changed.filter((line) => !/^(auditLog|objectRevisions|revisions|projects) /.test(line))
    expect(objects.map((line) => [line.split(' ')[0], line.includes(own)])).toEqual([['flags', true]])
  })

  test('shows the lines that applying the whole file shows', async () => {
    const { yaml } = (await team.as('OWNER').get('/project-file')).body.data
    const file = yaml.replace('description: the paywall', 'description: what is sold')
    const { problems, problemCount, ...whole } = (await team.as('OWNER').post('/project-file/plan', { file })).body.data
    const given = { flags: { paywall: { environments: { PROD: { description: 'what is sold' } } } } }
    const trial = (await patch(given, 'OWNER', { dryRun: true })).body.data
    // The whole file also has the secrets that stay.
    const own = ({ kind, op }: { kind: string; op: string }) => op !== 'keep-secret' && kind === 'flag'
    expect(trial.changes).toEqual(whole.changes.filter(own))
    expect(trial.lines).toEqual([
      '~ flag paywall (PROD)',
      '    description: the paywall -> what is sold',
      '0 to create, 1 to change, 0 to delete.',
    ])
    expect(trial).toMatchObject({ applied: false, configVersion: whole.configVersion })
    expect((await patched(given)).lines).toEqual(trial.lines)
  })

  test('can be YAML or JSON text', async () => {
    const flag = (value: boolean) => ({ flags: { dark: { environments: { PROD: { default: value } } } } })
    expect((await patched(JSON.stringify(flag(false)))).applied).toBe(true)
    expect((await patched('version: 1\nflags: { dark: { environments: { PROD: { default: true } } } }')).applied).toBe(
      true,
    )
    expect(await patched(flag(true))).toMatchObject({ applied: false, lines: ['no changes'] })
  })

  test('adds objects with references to those that it does not name', async () => {
    const rules = [{ audience: 'Greeks', value: true }]
    const given = { flags: { fresh: { type: 'BOOLEAN', environments: { PROD: { default: false, rules } } } } }
    expect((await patched(given)).lines[0]).toBe('+ flag fresh (PROD)')
    expect((await patched({ flags: { fresh: null } })).lines[0]).toMatch(/^- flag fresh \(PROD\) +\(--prune\)$/)
  })

  test('removes what is null, and nothing else', async () => {
    await patched({
      flags: { gone: { type: 'BOOLEAN', environments: { STAGING: { default: true }, PROD: { default: true } } } },
    })
    const one = await patched({ flags: { gone: { environments: { STAGING: null } } } })
    expect(one.counts).toMatchObject({ create: 0, update: 0, delete: 1 })
    const { lines, counts } = await patched({
      flags: { gone: null, paywall: { environments: { STAGING: { default: 'x' } } } },
    })
    const heads = lines.filter((line: string) => /^[-+~]/.test(line))
    expect(heads.map((line: string) => line.replace(/ +\(--prune\)$/, ''))).toEqual([
      '~ flag paywall (STAGING)',
      '- flag gone (PROD)',
    ])
    expect(counts).toMatchObject({ create: 0, update: 1, delete: 1 })
    expect(await exported()).not.toContain('gone')
  })

  test('gives a member its default with null', async () => {
    const lines = await changedLines(() =>
      patched({ flags: { paywall: { environments: { PROD: { description: null } } } } }),
    )
    expect(lines).toEqual(['- description: what is sold'])
  })

  test('renames, and the rest of the object stays', async () => {
    const { lines } = await patched({ audiences: { Hellenes: { was: 'Greeks', description: 'all of them' } } })
    expect(lines.slice(0, 3)).toEqual([
      '~ audience Hellenes',
      '    name: Greeks -> Hellenes',
      '    description: (none) -> all of them',
    ])
    expect(await exported()).toContain('country: GR')
  })

  test('of the project keeps its other settings', async () => {
    await patched({ project: { settings: { eventRetentionDays: 45 } } })
    const lines = await changedLines(() => patched({ project: { termsUrl: 'https://example.com/terms' } }))
    expect(lines).toEqual(['+ termsUrl: https://example.com/terms'])
  })

  test('makes new secrets only once, for those who call the route', async () => {
    const { secrets } = await patched({ webhookEndpoints: { other: { url: 'https://8.8.8.8/y', eventTypes: ['*'] } } })
    expect(secrets).toMatchObject([{ kind: 'webhookEndpoint', ref: 'other' }])
    const again = await patched({ webhookEndpoints: { other: { eventTypes: ['purchase.initial'] } } })
    expect(again.secrets).toEqual([])
  })
})

describe('secrets in a patch', () => {
  const sealed = async () => (await wholeState(s)).filter((line) => /^(storeSettings|webhookEndpoints) /.test(line))

  test('are refused as text', async () => {
    const store = { stores: { payment: { secretKey: 'sk_test_new' } } }
    const [status, code, fields, message] = await refused(() => patch(store))
    expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', ['stores.payment.secretKey']])
    expect(message).toContain('A patch takes no secret')
    const endpoint = 'webhookEndpoints:\n  backend:\n    authorization: Bearer xyz'
    expect((await refused(() => patch(endpoint)))[3]).toContain('line 3: webhookEndpoints.backend.authorization')
    expect(JSON.stringify(await refused(() => patch(store)))).not.toContain('sk_test_new')
  })

  test('stay where the patch changes another member, or names a variable', async () => {
    const before = await sealed()
    for (const member of [{}, { secretKey: '${env:SVC_MASTER_KEY}' }, { webhookSecret: '${file:/etc/hostname}' }]) {
      const { lines } = (await patch({ stores: { payment: { ...member } } }, 'OWNER', { dryRun: true })).body.data
      expect(lines.at(-1)).toBe('no changes')
      expect(lines[0]).toMatch(/^! stores\.payment\.secretKey .* saved value kept$/)
    }
    expect(await sealed()).toEqual(before)
    await patched({ webhookEndpoints: { backend: { eventTypes: ['purchase.initial'] } } })
    const { webhookEndpoints: w } = s.ctx.tables
    const endpoint = (await s.ctx.db.select().from(w)).find(({ name }) => name === 'backend')
    expect(before.join('\n')).toContain(endpoint?.sealedAuthorization ?? 'no secret')
  })

  test('are no way to read the variables and files of the server', async () => {
    for (const text of ['${env:SVC_MASTER_KEY}', '${env:PATH}']) {
      const [status, , fields, message] = await refused(() => patch({ access: { pro: { displayName: text } } }))
      expect([status, fields]).toEqual([400, ['access.pro.displayName']])
      expect(message).toContain('is not set')
    }
    const funnel = { funnels: { f: { name: 'F', defaultLocale: 'en', pagesFile: '/etc/hostname' } } }
    expect((await refused(() => patch(funnel)))[2]).toEqual(['funnels.f.pagesFile'])
  })
})

describe('a patch is refused', () => {
  test.each<[name: string, given: unknown, where: string]>([
    ['with an unknown section', { flag: {} }, 'line 2: flag: Unknown key "flag"; did you mean flags?'],
    ['with an unknown member', 'flags:\n  dark:\n    enabled: true', 'line 3: flags.dark.enabled: Unknown key'],
    ['with a wrong value', 'flags:\n  dark:\n    environments:\n      PROD: { default: 5 }', 'line 4: flags.dark'],
    [
      'with a reference to nothing',
      'offerings:\n  o:\n    packages: [{ identifier: a, product: nope }]',
      'line 3: offer',
    ],
    ['with a section that is null', 'access: { pro: {} }\nflags: null', 'line 2: flags: A patch removes single'],
    ['without a member that a new object needs', 'access:\n\n  vip: {}', 'line 3: access.vip: displayName is missing'],
    [
      'with a null that a value would have to hold',
      'flags:\n  big:\n    environments: { PROD: { default: { c: null } } }',
      'line 3: flags.big.environments.PROD.default.c: In a patch null removes, and there is nothing to remove here: where a value has to hold null, apply a file with the whole object',
    ],
    ['with another version', 'version: 2', 'line 1: version: This svc reads files of version: 1'],
    ['that is no mapping', '[]', 'A project file is a mapping'],
    ['that is no YAML', 'flags: [', 'line 1'],
    [
      'that removes what something uses',
      'audiences:\n  Turks: null',
      'line 1: audiences: audience Turks cannot be pruned',
    ],
  ])('%s, with the place', async (_name, given, where) => {
    const [status, code, , message] = await refused(() => patch(given))
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(message).toContain(where)
  })

  test.each<[name: string, body: object]>([
    ['without a patch', {}],
    ['with a list', { patch: [] }],
    ['with null', { patch: null }],
    ['with a file', { patch: {}, file: 'version: 1' }],
    ['with prune', { patch: {}, prune: true }],
    ['with variables', { patch: {}, env: { A: 'b' } }],
  ])('%s', async (_name, body) => {
    const [status, code] = await refused(() => team.as('OWNER').post('/project-file/patch', body))
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('by a person who may not change all of it', async () => {
    const flag = { flags: { dark: { environments: { PROD: { description: 'by growth' } } } } }
    const both = { ...flag, access: { pro: { displayName: 'P' } } }
    expect((await refused(() => patch(flag, 'CUSTOMER_SUPPORT')))[1]).toBe('CAPABILITY_REQUIRED')
    expect((await refused(() => patch(both, 'GROWTH')))[1]).toBe('CAPABILITY_REQUIRED')
    expect((await refused(() => patch({ stores: { refundShield: { enabled: true } } }, 'ADMIN')))[1]).toBe(
      'ROLE_REQUIRED',
    )
    expect((await refused(() => patch(flag, 'STRANGER')))[0]).toBe(404)
    expect((await patch(flag, 'GROWTH')).body.data.applied).toBe(true)
  })

  test('when the project has changed since the plan that was looked at', async () => {
    const flag = (description: string) => ({ flags: { dark: { environments: { PROD: { description } } } } })
    const { configVersion } = (await patch(flag('seen'), 'OWNER', { dryRun: true })).body.data
    await patched(flag('meanwhile'))
    expect((await refused(() => patch(flag('seen'), 'OWNER', { configVersion }))).slice(0, 2)).toEqual([
      409,
      'CONFLICT',
    ])
    const now = (await patch(flag('seen'), 'OWNER', { dryRun: true })).body.data.configVersion
    expect((await patch(flag('seen'), 'OWNER', { configVersion: now })).body.data.applied).toBe(true)
  })

  test('in another project', async () => {
    const options = { projectId: s.other.id }
    const call = () => team.as('OWNER').post('/project-file/patch', { patch: {} }, options)
    expect((await refused(call)).slice(0, 2)).toEqual([404, 'NOT_FOUND'])
  })
})

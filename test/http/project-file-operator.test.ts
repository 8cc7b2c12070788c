// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { hasOwnRight } from '../../src/core/roles/file-rights'
import { type MemberRole, ROLES } from '../../src/core/roles/roles'
import { OPERATOR_FACTS } from '../../src/core/rules/operators'
import { PROGRAM } from '../../src/program'
import { touchConfig } from '../../src/projects/project/service'
import { sectionsOf } from '../../src/projects/project-file/sections'
import { allRows } from '../support/actions'
import { type Answer, type Stage, stage } from '../support/cast'
import { schemaFaults } from '../support/file-schema'
import { type Staff, staff } from '../support/staff'
import { targetingRows } from '../support/targeting'

let s: Stage
let team: Staff
beforeEach(async () => {
  s = await stage()
  team = staff(s)
  // The stage's projects begin with a version that the counter of the database gives once more.
  for (let version = 0; version < 2; version = await s.ctx.write((tx) => touchConfig(tx, s.project.id)))
    s.ctx.clock.advance(1)
  s.ctx.state.projects.forget(s.project.id)
})
afterEach(() => s.close())

type Role = Parameters<Staff['as']>[0]
const plan = (body: object, role: Role = 'OWNER') => team.as(role).post('/project-file/plan', body)
const apply = (body: object, role: Role = 'OWNER') => team.as(role).post('/project-file/apply', body)
const rows = async () => {
  const { products, offerings, access, virtualCurrencies, funnels, placements, storeSettings } = s.ctx.tables
  const tables = [products, offerings, access, virtualCurrencies, funnels, placements, storeSettings]
  const found = await Promise.all(tables.map((table) => s.ctx.db.select().from(table)))
  return [...(await targetingRows(s)), ...(await allRows(s)), ...found.map((all) => JSON.stringify(all))]
}

/** Status, code and details of a refusal that wrote nothing. */
async function refused(call: () => Promise<Answer>): Promise<unknown[]> {
  const before = await rows()
  const { status, body } = await call()
  expect(await rows()).toEqual(before)
  return [status, body.error.code, body.error.details]
}

const VIP = 'version: 1\naccess: { vip: { displayName: V } }\n'

const FLAG = (member: string) =>
  `flags: { a: { type: BOOLEAN, environments: { PROD: { default: false, rules: [{ value: true, ${member} }] } } } }`

const yamlOf = async (): Promise<string> => (await team.as('OWNER').get('/project-file')).body.data.yaml

describe('the file of a project', () => {
  test('is read by every member, and applies to no changes', async () => {
    const { body } = await team.as('CUSTOMER_SUPPORT').get('/project-file')
    expect(body.data.yaml).toStartWith(
      '# yaml-language-server: $schema=http://localhost/svc.schema.json\nversion: 1\n\nproject:\n  slug: project-1\n',
    )
    expect(body.data.json).toBeNull()
    const { data } = (await plan({ file: body.data.yaml, prune: true })).body
    expect(data).toMatchObject({
      lines: ['no changes'],
      changes: [],
      problems: [],
      configVersion: body.data.configVersion,
    })
  })

  test('fits the schema that its first line names, which anybody may read', async () => {
    const [, address = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(await yamlOf()) ?? []
    const { status, body, headers } = await s.call('GET', new URL(address).pathname, { key: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/schema+json; charset=utf-8'])
    expect(body.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schemaFaults(await yamlOf())).toEqual([])
  })

  test.each([
    ['an unknown section', 'acess: {}', 'must NOT have additional properties'],
    ['an unknown member', 'access: { pro: { displayName: Pro, name: Pro } }', 'must NOT have additional properties'],
    ['a member that is missing', 'access: { pro: {} }', "must have required property 'displayName'"],
    ['a word that is none of the list', 'products: { a: { type: SUB, displayName: A } }', 'must be equal to one of'],
    ['a number beyond its range', 'project: { settings: { providerGraceDays: 400 } }', 'must be <='],
    ['an operator of rules that is none', 'audiences: { a: { rules: { country: { $is: TR } } } }', 'additional'],
    ['an operator where an attribute stands', 'audiences: { a: { rules: { $in: TR } } }', 'is false'],
    [
      'an operator of items that is none',
      'audiences: { a: { rules: { a: { $elemMatch: { $is: 1 } } } } }',
      'additional',
    ],
    ['a list where one value stands', 'audiences: { a: { rules: { a: { $eq: [1] } } } }', 'must be'],
    ['a value where a list stands', 'audiences: { a: { rules: { a: { $in: TR } } } }', 'must be array'],
    ['a version that is a number', 'audiences: { a: { rules: { a: { $vgte: 1.1 } } } }', 'must be string'],
    ['a time that is a list', 'audiences: { a: { rules: { a: { $dgt: [] } } } }', 'must be'],
    ['a size below 0', 'audiences: { a: { rules: { a: { $size: -1 } } } }', 'must be >= 0'],
    ['presence that is a word', 'audiences: { a: { rules: { a: { $exists: yes } } } }', 'must be boolean'],
    ['a payment account without keys', 'stores: { payment: { mode: test } }', 'must have required property'],
    ['a rollout that is a word', FLAG('rollout: half'), 'must be number'],
    ['a placeholder with text around it', FLAG('rollout: "about ${env:SHARE}"'), 'must match pattern'],
  ])('the schema refuses %s', (_name, text, fault) => {
    expect(schemaFaults(`version: 1\n${text}\n`).join()).toContain(fault)
  })

  test.each([
    FLAG('rollout: "${env:SHARE}"'),
    'access: { pro: { displayName: "${env:NAME}" } }',
    'products: { a: { type: "${env:TYPE}", displayName: A } }',
    'stores: { payment: { mode: test, accountId: acct_1 } }',
    'audiences: { a: { rules: { $or: [{ country: TR }, { plan: { $in: [a, b], $not: { $eq: c } } }] } } }',
  ])('the schema takes %s', (text) => expect(schemaFaults(`version: 1\n${text}\n`)).toEqual([]))

  test('the schema takes every operator of rules', () => {
    const rules = JSON.stringify({ $and: OPERATOR_FACTS.map(({ example: [condition] }) => ({ a: condition })) })
    expect(schemaFaults(`version: 1\naudiences: { a: { rules: ${rules} } }\n`)).toEqual([])
  })

  test('has its ids as comments, or is JSON', async () => {
    expect((await team.as('OWNER').get('/project-file?withIds=true')).body.data.yaml).toMatch(/# acc_1pro/)
    expect((await team.as('OWNER').get('/project-file?withIds=false')).body.data.yaml).not.toMatch(/# acc_/)
    const { yaml, json } = (await team.as('OWNER').get('/project-file?format=json')).body.data
    expect(yaml).toBeNull()
    expect(JSON.parse(json).project.slug).toBe('project-1')
    expect((await plan({ file: json, prune: true })).body.data.lines).toEqual(['no changes'])
  })

  test.each(['?withIds=yes', '?format=xml', '?ids=true'])('is not read with %s', async (query) => {
    expect((await team.as('OWNER').get(`/project-file${query}`)).status).toBe(400)
  })
})

describe('a plan', () => {
  test('shows the changes and writes nothing, for every member', async () => {
    const before = await rows()
    const { status, body } = await plan({ file: VIP }, 'CUSTOMER_SUPPORT')
    expect(status).toBe(200)
    expect(body.data).toEqual({
      lines: ['+ access vip', '1 to create, 0 to change, 0 to delete.'],
      changes: [
        {
          op: 'create',
          kind: 'access',
          ref: 'vip',
          path: null,
          before: null,
          after: { identifier: 'vip', displayName: 'V', description: null, metadata: {} },
        },
      ],
      counts: { create: 1, update: 0, delete: 0, keepSecret: 0 },
      configVersion: 2,
      problems: [],
      problemCount: 0,
    })
    expect(await rows()).toEqual(before)
  })

  test('has every problem, with its line', async () => {
    const file = 'version: 1\nproducts:\n  a: { type: X, displayName: A, access: [nope] }\n'
    const { problems, lines, changes } = (await plan({ file })).body.data
    expect([lines, changes]).toEqual([[], []])
    expect(problems).toMatchObject([
      { line: 3, column: 8, path: 'products.a.type', code: 'VALIDATION_ERROR' },
      { line: 3, column: 42, path: 'products.a.access[0]', code: 'UNKNOWN_REFERENCES' },
    ])
    expect((await plan({ file: 'version: [' })).body.data.problems).toHaveLength(1)
    expect((await plan({ file: '' })).body.data.problems).not.toEqual([])
  })

  test('knows nothing of the server: no variable and no file of it', async () => {
    const file =
      'version: 1\nstores: { payment: { mode: test, secretKey: "${env:SVC_MASTER_KEY}", webhookSecret: "${file:/etc/hostname}" } }\nfunnels: { f: { name: F, defaultLocale: en, pagesFile: /etc/hostname } }'
    const { lines, problems } = (await plan({ file })).body.data
    expect(problems.map(({ path }: { path: string }) => path)).toEqual(['funnels.f.pagesFile'])
    expect(lines).toEqual([])
    const stores = file.split('\n').slice(0, 2).join('\n')
    expect((await plan({ file: stores })).body.data.lines).toEqual([
      '+ store payment',
      '! stores.payment.secretKey        SVC_MASTER_KEY is not set, and no value is saved',
      '! stores.payment.webhookSecret    /etc/hostname cannot be read, and no value is saved',
      '1 to create, 0 to change, 0 to delete.',
    ])
    const odd =
      'version: 1\nstores: { payment: { mode: test, secretKey: "${env:__proto__}", webhookSecret: "${file:toString}" } }'
    expect((await plan({ file: odd })).body.data.counts.keepSecret).toBe(2)
  })

  test.each<[name: string, body: object]>([
    ['no file', {}],
    ['a file that is no text', { file: 5 }],
    ['a variable that is no text', { file: VIP, env: { A: 5 } }],
    ['a member that does not exist', { file: VIP, path: '/etc' }],
    ['a text in place of a switch', { file: VIP, prune: 'true' }],
  ])('with %s is refused', async (_name, body) => {
    expect((await refused(() => plan(body))).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR'])
    expect((await refused(() => apply(body))).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('applying', () => {
  test('writes all of it, with the person in the audit log, and then nothing', async () => {
    const { status, body } = await apply({ file: VIP, configVersion: 2 })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ applied: true, lines: ['+ access vip', expect.any(String)], configVersion: 2 })
    const audit = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
    expect(audit).toMatchObject([{ actor: { kind: 'USER', id: 'usr_owner' }, action: 'access.create' }])
    const again = await apply({ file: VIP })
    expect(again.body.data).toMatchObject({ applied: false, lines: ['no changes'], configVersion: 3 })
    expect(await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)).toHaveLength(1)
  })

  test('is refused when the project has changed since the plan', async () => {
    const { configVersion } = (await plan({ file: VIP })).body.data
    await apply({ file: 'version: 1\naccess: { other: { displayName: O } }' })
    expect((await refused(() => apply({ file: VIP, configVersion }))).slice(0, 2)).toEqual([409, 'CONFLICT'])
  })

  test('by two at once happens once', async () => {
    const answers = await Promise.all([apply({ file: VIP, configVersion: 2 }), apply({ file: VIP, configVersion: 2 })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('of a file with any problem writes nothing', async () => {
    const file = `${VIP}products: { a: { type: X, displayName: A } }\n`
    expect(await refused(() => apply({ file }))).toEqual([400, 'VALIDATION_ERROR', { fields: ['products.a.type'] }])
    expect((await refused(() => apply({ file: 'version: [' }))).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('of another project is 404', async () => {
    const options = { projectId: s.other.id }
    for (const call of [
      () => team.as('OWNER').get('/project-file', options),
      () => team.as('OWNER').post('/project-file/plan', { file: VIP }, options),
      () => team.as('OWNER').post('/project-file/apply', { file: VIP }, options),
    ])
      expect((await refused(call)).slice(0, 2)).toEqual([404, 'NOT_FOUND'])
  })
})

describe('the right to apply', () => {
  const page = '{ id: a, type: info, title: { en: Hi } }'
  const variants = '[{ id: a, name: A, weight: 0.5, value: 1 }, { id: b, name: B, weight: 0.5, value: 2 }]'
  const flag = 'flags: { late: { type: BOOLEAN, environments: { PROD: { default: true } } } }'
  const sections: [section: string, text: string, roles: string, needs: string][] = [
    ['project', 'project: { slug: project-1, name: Renamed }', 'AO', 'project:settings:write'],
    ['access', 'access: { vip: { displayName: V } }', 'DAO', 'products:write'],
    ['products', 'products: { a: { type: CONSUMABLE, displayName: A } }', 'DAO', 'products:write'],
    ['offerings', 'offerings: { more: { packages: [] } }', 'DAO', 'products:write'],
    ['virtualCurrencies', 'virtualCurrencies: { gold: { name: Gold } }', 'DAO', 'virtual-currency:manage'],
    ['audiences', 'audiences: { Turkey: { rules: { country: TR } } }', 'GDAO', 'audiences:write'],
    ['flags', flag, 'GDAO', 'flags:write'],
    [
      'experiments',
      `experiments: { e: { name: E, type: FLAG, audience: All users, variants: ${variants} } }`,
      'GDAO',
      'experiments:write',
    ],
    ['funnels', `funnels: { f: { name: F, defaultLocale: en, pages: [${page}] } }`, 'DAO', 'funnels:write'],
    ['placements', 'placements: { start: { name: S } }', 'DAO', 'placements:write'],
    [
      'appLinks',
      'appLinks: { android: { packageNames: [com.example.app], sha256Fingerprints: [AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB:AB], scheme: example } }',
      'DAO',
      'DEVELOPER',
    ],
    [
      'webhookEndpoints',
      "webhookEndpoints: { a: { url: 'https://8.8.8.8/x', eventTypes: ['*'] } }",
      'DAO',
      'webhooks:write',
    ],
    ['sdkDoor', 'sdkDoor: { enabled: true }', 'AO', 'ADMIN'],
    ['stores', 'stores: { refundShield: { enabled: true } }', 'O', 'OWNER'],
  ]

  test('every section has one', () => {
    for (const { key } of sectionsOf(PROGRAM.hooks)) expect([key.kind, hasOwnRight(key.kind)]).toEqual([key.kind, true])
    expect(sections.map(([name]) => name).sort()).toEqual(
      sectionsOf(PROGRAM.hooks)
        .map(({ key }) => key.name)
        .sort(),
    )
  })

  for (const [section, text, letters, needs] of sections)
    test(`${section}: ${letters}`, async () => {
      const file = `version: 1\n${text}`
      expect((await plan({ file })).body.data).toMatchObject({ problems: [] })
      const may = (role: MemberRole) => letters.includes(role.charAt(0))
      for (const role of ROLES.filter((one) => !may(one))) {
        const expected =
          needs === 'OWNER' || needs === 'DEVELOPER' || needs === 'ADMIN'
            ? [403, 'ROLE_REQUIRED', { role, requiredRole: needs }]
            : [403, 'CAPABILITY_REQUIRED', { role, capability: needs }]
        expect(await refused(() => apply({ file }, role))).toEqual(expected)
      }
      const lowest = ROLES.find(may) ?? 'OWNER'
      expect((await apply({ file }, lowest)).body.data).toMatchObject({ applied: true })
    })

  test('is needed for each section that changes, and for no other', async () => {
    const both = `version: 1\n${flag}\naccess: { vip: { displayName: V } }`
    const details = { role: 'GROWTH', capability: 'products:write' }
    expect(await refused(() => apply({ file: both }, 'GROWTH'))).toEqual([403, 'CAPABILITY_REQUIRED', details])
    const { yaml } = (await team.as('GROWTH').get('/project-file')).body.data
    const held = yaml.replace('flags: {}', flag)
    const { changes } = (await plan({ file: held })).body.data
    expect(new Set(changes.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['flag']))
    expect((await apply({ file: held }, 'GROWTH')).body.data.applied).toBe(true)
  })

  test('is within the scopes of a token, for each section that changes', async () => {
    const person = team.sessions.sessions.get('OWNER')
    if (!person) throw new Error('nobody owns the project')
    const by = async (scopes: string[], text: string) => {
      const token = { id: 'pat_1', user: person.user, scopes, expiresAt: null, revokedAt: null }
      team.sessions.tokens.set('svc_pat_scoped', token)
      const path = `/dashboard/projects/${s.project.id}/project-file/apply`
      return s.call('POST', path, { key: 'svc_pat_scoped', body: { file: `version: 1\n${text}` } })
    }
    const store = 'stores: { refundShield: { enabled: true } }'
    const lacking = (capability: string) => [403, 'CAPABILITY_REQUIRED', { role: 'OWNER', capability }]
    const access = 'access: { vip: { displayName: V } }'
    expect(await refused(() => by(['flags:write'], flag))).toEqual(lacking('project:read'))
    expect(await refused(() => by(['read', 'flags:write'], flag))).toEqual(lacking('project:read'))
    const scopes = ['project:read', 'flags:write']
    expect(await refused(() => by(scopes, `${flag}\n${access}`))).toEqual(lacking('products:write'))
    expect(await refused(() => by(scopes, store))).toEqual([403, 'FORBIDDEN', undefined])
    expect((await by(scopes, flag)).body.data).toMatchObject({ applied: true })
  })

  test('is needed to delete with prune', async () => {
    const file = 'version: 1\nofferings: {}\nproducts: {}\naccess: {}'
    expect((await refused(() => apply({ file, prune: true }, 'GROWTH')))[1]).toBe('CAPABILITY_REQUIRED')
  })

  test('no support grant has it', async () => {
    expect((await refused(() => apply({ file: VIP }, 'SUPPORT_READ' as Role)))[1]).toBe('SUPPORT_ACCESS_READ_ONLY')
    expect((await team.as('SUPPORT_READ' as Role).get('/project-file')).status).toBe(200)
  })
})

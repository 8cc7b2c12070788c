import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createProject } from '../../src/projects/project/service'
import { applyFile } from '../../src/projects/project-file/apply'
import { changesOf } from '../../src/projects/project-file/changes'
import { formatDiff } from '../../src/projects/project-file/diff'
import { loadCurrent } from '../../src/projects/project-file/load'
import { type ParsedFile, parseProjectFile } from '../../src/projects/project-file/parse'
import type { Plan } from '../../src/projects/project-file/plan'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { ALL_USERS } from '../../src/targeting/audiences/service'
import { type Stage, stage } from '../support/cast'
import { SECTIONS } from '../support/sections'

let on: Stage
let projectId: string

beforeAll(async () => {
  on = await stage()
})
afterAll(() => on.close())
beforeEach(async () => {
  projectId = (await createProject(on.ctx, { name: 'Sleep App' })).project.id
})

/** The texts of the files that placeholders name. */
const files: Record<string, string> = {}

function parse(text: string): ParsedFile {
  const sources = { env: () => null, file: (path: string) => files[path] ?? null }
  const parsed = parseProjectFile(SECTIONS, `version: 1\n${text}`, sources)
  if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
  return parsed
}

const apply = (text: string, prune = false): Promise<Plan> => applyFile(on.ctx, projectId, parse(text), { prune })
const diffOf = (plan: Plan): string[] => formatDiff(changesOf(plan), plan.keptSecrets)
const refused = (plan: Plan) => plan.problems.map(({ path, code, details }) => [path.join('.'), code, details])
const exported = async (): Promise<string> =>
  writeYaml(await loadCurrent(on.ctx, projectId, SECTIONS), { withIds: true }).replace('version: 1\n', '')

async function saved() {
  const { db, tables } = on.ctx
  const { projects, audiences, flags, experiments, auditLog } = tables
  return {
    project: await db.select().from(projects).where(eq(projects.id, projectId)),
    audiences: await db.select().from(audiences).where(eq(audiences.projectId, projectId)).orderBy(audiences.name),
    flags: await db.select().from(flags).where(eq(flags.projectId, projectId)).orderBy(flags.key, flags.env),
    experiments: await db
      .select()
      .from(experiments)
      .where(eq(experiments.projectId, projectId))
      .orderBy(experiments.key),
    audit: await db.select().from(auditLog).where(eq(auditLog.projectId, projectId)).orderBy(auditLog.position),
  }
}

/** Changes the status as the dashboard does. */
const move = (key: string, status: 'RUNNING' | 'PAUSED' | 'COMPLETED') =>
  on.ctx.write((tx) =>
    tx.db.update(tx.tables.experiments).set({ status, startedAt: 5 }).where(eq(tx.tables.experiments.key, key)),
  )

const OFFERINGS = 'offerings: { default: { isDefault: true }, discount: {} }'
const AUDIENCES = `audiences:
  Turkey: { rules: { country: TR } }
  Trial ends soon: { description: Two days, rules: { svc.trialDaysLeft: { $lte: 2 }, svc.isTrial: "true" } }`
const FLAGS = `flags:
  new_checkout:
    type: BOOLEAN
    environments:
      PROD:
        default: false
        rules:
          - { audience: Turkey, value: true, rollout: 0.1 }
          - { conditions: { plan: { $in: [gold, platinum] } }, value: true }
      DEVELOPMENT: { enabled: false, default: true }
  theme: { type: JSON, environments: { PROD: { default: { z: 1, y: {} }, rules: [{ value: { b: [1, {}], a: "" } }] } } }`
const variants = (a: string, b: string): string =>
  `[{ id: a, name: Control, weight: 0.5, value: ${a} }, { id: b, name: Other, weight: 0.5, value: ${b} }]`
const EXPERIMENTS = `experiments:
  price_test: { name: Yearly first, type: OFFERING, audience: Turkey, metrics: [purchase], variants: ${variants('default', 'discount')}, status: DRAFT }
  layout: { name: Layout, type: FLAG, audience: All users, mutualExclusionGroup: g, scheduledStopAt: 2027-01-01T03:00:00+03:00, variants: ${variants('{}', '{ x: 1 }')}, status: RUNNING }`
const FULL = [OFFERINGS, AUDIENCES, FLAGS, EXPERIMENTS].join('\n')

describe('applying a file', () => {
  test('writes one row and one audit row for each object', async () => {
    const before = await saved()
    const plan = await apply(FULL)
    expect(plan.problems).toEqual([])
    expect(diffOf(plan)).toEqual([
      '+ offering default',
      '+ offering discount',
      '+ audience Turkey',
      '+ audience Trial ends soon',
      '+ flag new_checkout (PROD)',
      '+ flag new_checkout (DEVELOPMENT)',
      '+ flag theme (PROD)',
      '+ experiment price_test',
      '+ experiment layout',
      '9 to create, 0 to change, 0 to delete.',
    ])
    const after = await saved()
    const turkey = after.audiences.find(({ name }) => name === 'Turkey')?.id as string
    expect(after.audiences.map(({ name, isDefault }) => [name, isDefault]).sort()).toEqual([
      [ALL_USERS, true],
      ['Trial ends soon', false],
      ['Turkey', false],
    ])
    expect(after.flags.find(({ key, env }) => key === 'new_checkout' && env === 'PROD')).toMatchObject({
      type: 'BOOLEAN',
      isEnabled: true,
      defaultValue: false,
      rules: [
        { audienceId: turkey, value: true, rolloutPercentage: 0.1 },
        { conditions: { plan: { $in: ['gold', 'platinum'] } }, value: true },
      ],
    })
    const byKey = Object.fromEntries(after.experiments.map((row) => [row.key, row]))
    expect(byKey.price_test).toMatchObject({
      status: 'DRAFT',
      startedAt: null,
      audienceId: turkey,
      metrics: ['purchase'],
    })
    expect(byKey.layout).toMatchObject({ status: 'RUNNING', startedAt: on.ctx.clock.now(), mutualExclusionGroup: 'g' })
    expect(byKey.layout?.scheduledStopAt).toBe(Date.parse('2027-01-01T00:00:00Z'))
    expect(after.audit.length - before.audit.length).toBe(9)
    expect(
      after.audit.find(({ action, after: row }) => action === 'flag.create' && (row as { env: string }).env === 'PROD'),
    ).toMatchObject({ target: { type: 'flag' }, before: null, after: { key: 'new_checkout', env: 'PROD' } })
    expect(after.project[0]?.configVersion).toBeGreaterThan(before.project[0]?.configVersion ?? 0)
  })

  test('a second time, or from its own export, changes nothing', async () => {
    await apply(FULL)
    const before = await saved()
    on.ctx.clock.advance(1000)
    const text = await exported()
    expect(text).not.toContain(`${ALL_USERS}:`)
    expect(text).toMatch(/default:\s+y: {}\s+z: 1\s+rules:\s+- value:\s+a: ""\s+b:/)
    for (const file of [FULL, text])
      for (const prune of [false, true]) expect(diffOf(await apply(file, prune))).toEqual(['no changes'])
    expect(await saved()).toEqual(before)
    expect(await exported()).toBe(text)
  })

  test('shows what differs, and moves only that', async () => {
    await apply(FULL)
    const before = await saved()
    on.ctx.clock.advance(1000)
    expect(diffOf(await apply(FULL.replace('rollout: 0.1', 'rollout: 0.25')))).toEqual([
      '~ flag new_checkout (PROD)',
      '    rules[0].rolloutPercentage: 0.1 -> 0.25',
      '0 to create, 1 to change, 0 to delete.',
    ])
    const after = await saved()
    expect([after.audiences, after.experiments]).toEqual([before.audiences, before.experiments])
    expect(after.flags.filter(({ updatedAt }) => updatedAt === on.ctx.clock.now())).toHaveLength(1)
    expect(after.audit.length - before.audit.length).toBe(1)
  })

  test('renames follow into what names them', async () => {
    await apply(FULL)
    const before = await saved()
    const plan = await apply(`offerings: { sale: { was: discount } }
audiences: { Türkiye: { was: Turkey, rules: { country: TR } } }
flags: { checkout: { was: new_checkout, type: BOOLEAN, environments: { DEVELOPMENT: { enabled: false, default: true } } } }`)
    expect(plan.problems).toEqual([])
    expect(diffOf(plan)).toEqual([
      '~ offering sale',
      '    identifier: discount -> sale',
      '~ audience Türkiye',
      '    name: Turkey -> "Türkiye"',
      '~ flag checkout (DEVELOPMENT)',
      '    key: new_checkout -> checkout',
      '~ flag checkout (PROD)',
      '    key: new_checkout -> checkout',
      '~ experiment price_test',
      '    variants[1].value: discount -> sale',
      '0 to create, 5 to change, 0 to delete.',
    ])
    const after = await saved()
    expect(after.flags.map(({ id }) => id).sort()).toEqual(before.flags.map(({ id }) => id).sort())
    expect(after.audiences.map(({ id }) => id).sort()).toEqual(before.audiences.map(({ id }) => id).sort())
    expect(await exported()).toContain('audience: Türkiye')
  })

  test('names go round within one file', async () => {
    await apply('audiences: { a: { rules: { n: 1 } }, b: { rules: { n: 2 } } }')
    const ids = (await saved()).audiences.map(({ id }) => id).sort()
    await apply('audiences: { b: { was: a, rules: { n: 1 } }, c: { was: b, rules: { n: 2 } } }')
    const { audiences } = await saved()
    expect(audiences.map(({ id }) => id).sort()).toEqual(ids)
    expect(audiences.map(({ name, rules }) => [name, rules]).sort()).toEqual([
      [ALL_USERS, {}],
      ['b', { n: 1 }],
      ['c', { n: 2 }],
    ])
  })
})

test('the file of the demo and the one of the guide apply', async () => {
  const demo = await Bun.file('src/cli/demo.yaml').text()
  const page = await Bun.file('src/docs/guide/pages/project.md').text()
  const guide = /```yaml\n(# svc.yaml[\s\S]*?)```/.exec(page)?.[1] ?? ''
  for (const text of [demo, guide]) {
    const own = text.replace('version: 1\n', '').replace(/^project: .*$/m, '')
    expect((await apply(own)).problems).toEqual([])
    expect(diffOf(await apply(own))).toEqual(['no changes'])
  }
  const { audiences, flags, experiments } = await saved()
  expect(new Set(flags.map(({ key }) => key)).size).toBe(3)
  expect([audiences.length, experiments.map(({ status }) => status)]).toEqual([2, ['RUNNING']])
})

test('an audience that is gone makes nobody of its rules everybody', async () => {
  await apply(FULL)
  const turkey = (await saved()).audiences.find(({ name }) => name === 'Turkey')?.id as string
  await on.ctx.write((tx) => tx.db.delete(tx.tables.audiences).where(eq(tx.tables.audiences.id, turkey)))
  const text = await exported()
  expect(text).toContain(`audience: ${turkey}`)
  expect(refused(await apply(text)).map(([path]) => path)).toEqual([
    'flags.new_checkout.environments.PROD.rules.0.audience',
    'experiments.price_test.audience',
  ])
})

test('a text that looks like another value stays a text', async () => {
  const texts = ['1.0', 'true', 'null', '{}', '"x"', '']
  const rules = texts.map((value) => `{ value: ${JSON.stringify(value)} }`).join(', ')
  for (const text of texts) {
    const file = `flags: { f: { type: STRING, environments: { PROD: { default: ${JSON.stringify(text)}, rules: [${rules}] } } } }`
    await apply(file)
    expect(diffOf(await apply(file))).toEqual(['no changes'])
    const [flag] = (await saved()).flags
    expect([flag?.defaultValue, flag?.rules.map(({ value }) => value)]).toEqual([text, texts])
  }
})

describe('the default audience', () => {
  test('is made by the migration for projects of before, once', async () => {
    const { storage, db, tables } = on.ctx
    const others = (await db.select().from(tables.audiences)).length
    await on.ctx.write((tx) => tx.db.delete(tx.tables.audiences).where(eq(tx.tables.audiences.projectId, projectId)))
    const folder = storage.driver === 'postgres' ? 'postgres' : 'sqlite'
    const script = await Bun.file(`migrations/${folder}/0009_default_audience.sql`).text()
    for (let time = 0; time < 2; time++) await storage.runScript([script])
    expect((await saved()).audiences).toMatchObject([
      { id: projectId.replace('prj', 'aud'), name: ALL_USERS, rules: {}, description: null, isDefault: true },
    ])
    expect((await db.select().from(tables.audiences)).length).toBe(others)
  })

  test('cannot be edited, renamed or pruned, but named', async () => {
    const before = await saved()
    expect(refused(await apply(`audiences: { ${ALL_USERS}: { rules: { a: 1 } } }`))).toEqual([
      ['audiences.All users', 'CONFLICT', null],
    ])
    expect(refused(await apply(`audiences: { ${ALL_USERS}: { description: x, rules: {} } }`))).toHaveLength(1)
    expect(refused(await apply(`audiences: { Everybody: { was: ${ALL_USERS}, rules: {} } }`))).toEqual([
      ['audiences.Everybody', 'CONFLICT', null],
    ])
    expect(diffOf(await apply(`audiences: { ${ALL_USERS}: { rules: {} } }`))).toEqual(['no changes'])
    expect(diffOf(await apply('audiences: {}', true))).toEqual(['no changes'])
    expect(await saved()).toEqual(before)
  })
})

describe('refusals write nothing', () => {
  const rule = (value: string) =>
    `flags: { f: { type: STRING, environments: { PROD: { default: a, rules: [${value}] } } } }`
  const cases: [fact: string, text: string, prune: boolean, problems: ReturnType<typeof refused>][] = [
    [
      'an unknown audience of a flag',
      rule('{ audience: Nowhere, value: b }'),
      false,
      [['flags.f.environments.PROD.rules.0.audience', 'VALIDATION_ERROR', null]],
    ],
    [
      'an unknown audience of an experiment',
      `experiments: { e: { name: E, type: FLAG, audience: Nowhere, variants: ${variants('1', '2')} } }`,
      false,
      [['experiments.e.audience', 'VALIDATION_ERROR', null]],
    ],
    [
      'unknown offerings',
      `experiments: { e: { name: E, type: OFFERING, variants: ${variants('default', 'nope')} } }`,
      false,
      [['experiments.e.variants.1.value', 'UNKNOWN_REFERENCES', { resource: 'offering', ids: ['nope'] }]],
    ],
    [
      'funnels, of which there are none',
      'experiments: { e: { name: E, type: FUNNEL, variants: [{ id: a, name: A, weight: 0.5, funnel: long }, { id: b, name: B, weight: 0.5, funnel: short }] } }',
      false,
      ['0', '1'].map((index) => [
        `experiments.e.variants.${index}.funnel`,
        'UNKNOWN_REFERENCES',
        { resource: 'funnel', ids: ['long', 'short'] },
      ]),
    ],
    [
      'an audience that a flag and an experiment use',
      'audiences: { Trial ends soon: { description: Two days, rules: {} } }',
      true,
      [
        [
          'audiences',
          'audience_in_use',
          {
            references: [
              { type: 'flag', id: expect.stringMatching(/^flg_/), name: 'new_checkout (PROD)' },
              { type: 'experiment', id: expect.stringMatching(/^exp_/), name: 'price_test' },
            ],
          },
        ],
      ],
    ],
    [
      'an audience pruned that the file still names',
      `audiences: {}\n${rule('{ audience: Trial ends soon, value: b }')}\nexperiments: {}`,
      true,
      [
        ['flags.f.environments.PROD.rules.0.audience', 'VALIDATION_ERROR', null],
        ['experiments', 'EXPERIMENT_STATE', { action: 'delete', status: 'RUNNING' }],
      ],
    ],
    [
      'an offering that an experiment shows',
      'offerings: { default: { isDefault: true } }',
      true,
      [['offerings', 'CONFLICT', null]],
    ],
    [
      'a name that is taken',
      'audiences: { Turkey: { was: Trial ends soon, rules: {} } }',
      false,
      [['audiences.Turkey.was', 'CONFLICT', null]],
    ],
    [
      'a key that is taken',
      'flags: { theme: { was: new_checkout, type: JSON, environments: { PROD: { default: 1 } } } }',
      false,
      [['flags.theme.was', 'CONFLICT', null]],
    ],
    [
      'a flag under the key of an experiment',
      'flags: { layout: { type: NUMBER, environments: { PROD: { default: 1 } } } }',
      false,
      [['flags.layout', 'CONFLICT', null]],
    ],
    [
      'more than an environment holds',
      `flags: { ${Array.from({ length: 71 }, (_, n) => `f${n}: { type: STRING, environments: { PROD: { default: ${'ü'.repeat(30_000)} } } }`).join(', ')} }`,
      false,
      [['flags', 'CONFLICT', null]],
    ],
    [
      'an experiment under the key of a flag',
      `experiments: { theme: { name: E, type: FLAG, variants: ${variants('1', '2')} } }`,
      false,
      [['experiments.theme', 'CONFLICT', null]],
    ],
    [
      'a flag renamed to the key of an experiment',
      'flags: { price_test: { was: theme, type: JSON, environments: { PROD: { default: 1 } } } }',
      false,
      [['flags.price_test', 'CONFLICT', null]],
    ],
    [
      'one key for both within the file',
      `flags: { both: { type: NUMBER, environments: { PROD: { default: 1 } } } }
experiments: { both: { name: E, type: FLAG, variants: ${variants('1', '2')} } }`,
      false,
      [['experiments.both', 'CONFLICT', null]],
    ],
    [
      'a second type under one key',
      'flags: { new_checkout: { type: STRING, environments: { PROD: { default: x } } } }',
      false,
      [['flags.new_checkout.type', 'VALIDATION_ERROR', null]],
    ],
    [
      'another key for an experiment that was started',
      `experiments: { later: { was: layout, name: Layout, type: FLAG, variants: ${variants('1', '2')} } }`,
      false,
      [['experiments.later.was', 'VALIDATION_ERROR', null]],
    ],
    [
      'another type for an experiment that was started',
      `experiments: { layout: { name: Layout, type: OFFERING, variants: ${variants('default', 'discount')} } }`,
      false,
      [['experiments.layout.type', 'VALIDATION_ERROR', null]],
    ],
    [
      'a start of what is to end before',
      `experiments: { e: { name: E, type: FLAG, status: RUNNING, scheduledStopAt: 2026-11-20T08:00:00Z, variants: ${variants('1', '2')} } }`,
      false,
      [['experiments.e.scheduledStopAt', 'VALIDATION_ERROR', null]],
    ],
    [
      'a file that would pause an experiment',
      `experiments: { layout: { name: Layout, type: FLAG, status: PAUSED, variants: ${variants('1', '2')} } }`,
      false,
      [['experiments.layout.status', 'EXPERIMENT_STATE', { action: 'pause', status: 'RUNNING' }]],
    ],
    [
      'a new experiment that is over already',
      `experiments: { e: { name: E, type: FLAG, status: COMPLETED, variants: ${variants('1', '2')} } }`,
      false,
      [['experiments.e.status', 'EXPERIMENT_STATE', { action: 'stop', status: 'DRAFT' }]],
    ],
  ]
  for (const [fact, text, prune, problems] of cases)
    test(fact, async () => {
      await apply(FULL)
      const before = await saved()
      expect(refused(await apply(text, prune))).toEqual(problems)
      expect(await saved()).toEqual(before)
    })

  test('one bad rule keeps the whole file from being written', async () => {
    const before = await saved()
    const plan = await apply(`${FULL}\naccess: { pro: { displayName: 5 } }`)
    expect(refused(plan)).toEqual([['access.pro.displayName', 'VALIDATION_ERROR', null]])
    expect(await saved()).toEqual(before)
  })

  test('what could not be read is told once, and not as a change of what is saved', async () => {
    await apply(FULL)
    await move('price_test', 'PAUSED')
    const plan = await apply(`flags: { new_checkout: { environments: { PROD: { default: 1 } } } }
experiments:
  layout: { name: 5, type: NONE, variants: [] }
  price_test: { name: Yearly first, type: OFFERING, audience: Nowhere, variants: 7 }`)
    expect(plan.problems.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
      'flags.new_checkout type is missing',
      'experiments.layout.type This must be one of FLAG, FUNNEL, OFFERING',
      'experiments.layout.name This must be text; put it in quotes',
      'experiments.price_test.variants This must be a list',
      'experiments.price_test.audience There is no audience called Nowhere',
    ])
  })

  test('a thousand flags in an environment, and fifty experiments that run', async () => {
    const flags = (count: number) =>
      `flags:\n${Array.from({ length: count }, (_, n) => `  f${n}: { type: NUMBER, environments: { PROD: { default: 1 } } }`).join('\n')}`
    const running = (count: number) =>
      `experiments:\n${Array.from({ length: count }, (_, n) => `  e${n}: { name: E, type: FLAG, status: RUNNING, variants: ${variants('1', '2')} }`).join('\n')}`
    expect(refused(await apply(flags(1001)))).toEqual([['flags', 'CONFLICT', null]])
    expect(refused(await apply(running(51)))).toEqual([['experiments', 'CONFLICT', null]])
    expect((await apply(`${flags(1000)}\n${running(50)}`)).problems).toEqual([])
  })
})

test('a flag can take the key of an experiment that is over, and one that another gave up', async () => {
  await apply(FULL)
  await move('layout', 'COMPLETED')
  const flag = (key: string) => `flags: { ${key}: { type: NUMBER, environments: { PROD: { default: 1 } } } }`
  expect((await apply(flag('layout'))).problems).toEqual([])
  expect(diffOf(await apply(await exported(), true))).toEqual(['no changes'])
  const renamed = `experiments: { other: { was: price_test, name: E, type: FLAG, variants: ${variants('1', '2')} } }`
  expect((await apply(`${flag('price_test')}\n${renamed}`)).problems).toEqual([])
})

describe('experiments', () => {
  test('a file starts a DRAFT, and a status never moves backwards', async () => {
    await apply(FULL)
    on.ctx.clock.advance(1000)
    const started = FULL.replace('status: DRAFT', 'status: RUNNING')
    expect(diffOf(await apply(started))).toContain('    status: DRAFT -> RUNNING')
    const startedAt = on.ctx.clock.now()
    on.ctx.clock.advance(1000)
    expect(diffOf(await apply(FULL))).toEqual(['no changes'])
    const row = (await saved()).experiments.find(({ key }) => key === 'price_test')
    expect(row).toMatchObject({ status: 'RUNNING', startedAt })
  })

  test('one that runs can be edited, and keeps its start', async () => {
    await apply(FULL)
    const startedAt = on.ctx.clock.now()
    on.ctx.clock.advance(1000)
    expect(diffOf(await apply(FULL.replace('name: Layout', 'name: Other')))).toContain('    name: Layout -> Other')
    const row = (await saved()).experiments.find(({ key }) => key === 'layout')
    expect(row).toMatchObject({ name: 'Other', status: 'RUNNING', startedAt, updatedAt: startedAt + 1000 })
  })

  test('one that is paused or completed cannot be changed, and its file still applies', async () => {
    for (const status of ['PAUSED', 'COMPLETED'] as const) {
      await apply(FULL)
      await move('layout', status)
      const before = await saved()
      expect(diffOf(await apply(FULL))).toEqual(['no changes'])
      expect(diffOf(await apply(await exported(), true))).toEqual(['no changes'])
      expect(refused(await apply(FULL.replace('name: Layout', 'name: Other')))).toEqual([
        ['experiments.layout', 'EXPERIMENT_STATE', { action: 'edit', status }],
      ])
      expect(refused(await apply('experiments: {}', true))).toEqual([
        ['experiments', 'EXPERIMENT_STATE', { action: 'delete', status }],
      ])
      expect(await saved()).toEqual(before)
    }
  })

  test('one that is paused follows an offering to its new name', async () => {
    await apply(FULL)
    await move('price_test', 'PAUSED')
    const renamed = FULL.replace('discount: {}', 'sale: { was: discount }').replace('value: discount', 'value: sale')
    expect((await apply(renamed)).problems).toEqual([])
    const row = (await saved()).experiments.find(({ key }) => key === 'price_test')
    expect([row?.status, row?.variants[1]?.value]).toEqual(['PAUSED', 'sale'])
  })
})

test('pruning takes flags and drafts that the file lacks, environment by environment', async () => {
  await apply(FULL.replace('status: RUNNING', ''))
  const lean = `flags: { new_checkout: { type: BOOLEAN, environments: { DEVELOPMENT: { enabled: false, default: true } } } }
experiments: {}
audiences: {}`
  expect(diffOf(await apply(lean))).toEqual(['no changes'])
  expect(diffOf(await apply(lean, true))).toEqual([
    '- audience Trial ends soon        (--prune)',
    '- audience Turkey                 (--prune)',
    '- flag new_checkout (PROD)        (--prune)',
    '- flag theme (PROD)               (--prune)',
    '- experiment layout               (--prune)',
    '- experiment price_test           (--prune)',
    '0 to create, 0 to change, 6 to delete.',
  ])
  const { audiences, flags, experiments } = await saved()
  expect([audiences.map(({ name }) => name), flags.map(({ env }) => env), experiments]).toEqual([
    [ALL_USERS],
    ['DEVELOPMENT'],
    [],
  ])
})

describe('the list of ids of an audience', () => {
  const LIST = `audiences:\n  Beta: { rules: {}, members: "\${file:./beta.txt}" }`
  const sizes = async () => {
    const { db, tables } = on.ctx
    const { audienceMembers: m } = tables
    return (await db.select().from(m).where(eq(m.projectId, projectId))).map(({ size }) => size)
  }

  test('is read from a file, kept where the file does not name it, and replaced', async () => {
    files['./beta.txt'] = 'ada\nbo\nada\n'
    expect((await apply(LIST)).problems).toEqual([])
    expect(await sizes()).toEqual([2])
    expect(diffOf(await apply(LIST))).toEqual(['no changes'])
    expect(diffOf(await apply('audiences: { Beta: { rules: {} } }'))).toEqual(['no changes'])
    expect(await sizes()).toEqual([2])
    files['./beta.txt'] = 'ada\ncy'
    expect(diffOf(await apply(LIST)).join('\n')).toContain('2 ids')
    files['./beta.txt'] = 'ada\ncy\ndelia@list'
    await apply(LIST)
    expect(await sizes()).toEqual([3])
    expect(await exported()).not.toContain('ada')
    expect(JSON.stringify((await saved()).audit)).not.toContain('delia')
    await apply('audiences: {}', true)
    expect(await sizes()).toEqual([])
  })

  test('is refused where its file is missing or wrong, and so is a rule that names no audience', async () => {
    files['./beta.txt'] = 'x'.repeat(256)
    expect(refused(await apply(LIST))).toEqual([['audiences.Beta.members', 'VALIDATION_ERROR', null]])
    delete files['./beta.txt']
    expect(refused(await apply(LIST))).toEqual([['audiences.Beta.members', 'VALIDATION_ERROR', null]])
    const inline = (ids: number) =>
      apply(`audiences:\n  Beta:\n    rules: {}\n    members: |\n${'      user_12345\n'.repeat(ids)}`)
    const [tooLong] = (await inline(6000)).problems
    expect([tooLong?.path, tooLong?.message]).toEqual([
      ['audiences', 'Beta', 'members'],
      expect.stringMatching(/64 KiB.*"\$\{file:\.\/ids\.txt\}"/),
    ])
    expect(await sizes()).toEqual([])
    expect((await inline(5000)).problems).toEqual([])
    expect(await sizes()).toEqual([1])
    await apply('audiences: {}', true)
    const named = 'audiences: { A: { rules: { a: { $inGroup: Nobody } } } }'
    expect(refused(await apply(named)).map(([, code]) => code)).toEqual(['VALIDATION_ERROR'])
    expect(await sizes()).toEqual([])
  })
})

test('flags that read each other in a circle are refused, and so is pruning one that is read', async () => {
  const reading = (key: string, other: string) =>
    `  ${key}:\n    type: BOOLEAN\n    environments: { PROD: { default: false, rules: [{ conditions: { svc.flag.${other}: true }, value: true }] } }`
  const circle = await apply(`flags:\n${reading('a', 'b')}\n${reading('b', 'a')}`)
  expect(circle.problems.map(({ message }) => message).join()).toContain('a → b → a')
  const base = 'flags:\n  a: { type: BOOLEAN, environments: { PROD: { default: true } } }\n'
  expect((await apply(base + reading('b', 'a'))).problems).toEqual([])
  expect(refused(await apply(`flags:\n${reading('b', 'a')}`, true)).map(([, code]) => code)).toEqual(['CONFLICT'])
})

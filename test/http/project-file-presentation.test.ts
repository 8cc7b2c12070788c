import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { createProject } from '../../src/projects/project/service'
import { applyFile } from '../../src/projects/project-file/apply'
import { changesOf } from '../../src/projects/project-file/changes'
import { formatDiff } from '../../src/projects/project-file/diff'
import { loadCurrent } from '../../src/projects/project-file/load'
import { locateProblems, type ParsedFile, parseProjectFile } from '../../src/projects/project-file/parse'
import type { Plan } from '../../src/projects/project-file/plan'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { type Stage, stage } from '../support/cast'
import { SECTIONS } from '../support/sections'

let on: Stage
let projectId: string
let key: string

beforeAll(async () => {
  on = await stage({ env: { SVC_SIMULATOR: 'off' } }) // The test store would take payments.
})
afterAll(() => on.close())
beforeEach(async () => {
  const made = await createProject(on.ctx, { name: 'Sleep App' })
  projectId = made.project.id
  key = made.publicKey ?? ''
})

function parse(text: string, files: Record<string, string> = {}): ParsedFile {
  const parsed = parseProjectFile(SECTIONS, `version: 1\n${text}`, {
    env: () => null,
    file: (path) => files[path] ?? null,
  })
  if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
  return parsed
}

const apply = (text: string, prune = false, files = {}): Promise<Plan> =>
  applyFile(on.ctx, projectId, parse(text, files), { prune })
const diff = (plan: Plan): string[] => formatDiff(changesOf(plan), plan.keptSecrets)
const exported = async (): Promise<string> =>
  writeYaml(await loadCurrent(on.ctx, projectId, SECTIONS), { withIds: true }).replace('version: 1\n', '')

/** The refusals of a file: the text at line and column, the place, and the code. Expects that nothing was written. */
async function refusals(text: string, prune = false, files = {}) {
  const before = await saved()
  const parsed = parse(text, files)
  const { problems } = await applyFile(on.ctx, projectId, parsed, { prune })
  expect(await saved()).toEqual(before)
  const lines = text.split('\n')
  const wordAt = (line: number, column: number) => /^(\{|[^\s:,]+)/.exec(lines[line - 2]?.slice(column - 1) ?? '')?.[0]
  return locateProblems(parsed, problems).map(
    ({ line, column, path, code }) => `${wordAt(line, column)} ${path} ${code}`,
  )
}

async function saved() {
  const { db, tables } = on.ctx
  const { projects, funnels, funnelVersions, placements, auditLog } = tables
  const of = (table: typeof funnels | typeof funnelVersions | typeof placements) =>
    db.select().from(table).where(eq(table.projectId, projectId)).orderBy(table.id)
  return {
    projects: await db.select().from(projects).where(eq(projects.id, projectId)),
    funnels: await db.select().from(funnels).where(eq(funnels.projectId, projectId)).orderBy(funnels.slug),
    versions: await db
      .select()
      .from(funnelVersions)
      .where(eq(funnelVersions.projectId, projectId))
      .orderBy(funnelVersions.id),
    placements: await db
      .select()
      .from(placements)
      .where(eq(placements.projectId, projectId))
      .orderBy(placements.identifier),
    audit: await db.$count(auditLog, eq(auditLog.projectId, projectId)),
    rows: (await of(placements)).length,
  }
}

const placementOf = async (query = '') => (await on.call('GET', `/v1/placements/onboarding${query}`, { key })).body.data

// The spelling of the specification.
const OFFERINGS = 'offerings: { default: { isDefault: true } }'
const AUDIENCES = 'audiences: { Turkey: { rules: { country: TR } } }'
const PAY = 'stores: { payment: { mode: test, accountId: acct_123 } }'
const EXPERIMENTS = `experiments:
  onboarding_test:
    name: Short onboarding
    type: FUNNEL
    audience: All users
    variants:
      - { id: long, name: Long, weight: 0.5, funnel: onboarding }
      - { id: short, name: Short, weight: 0.5, funnel: onboarding_short }
    status: RUNNING`
const FUNNELS = `funnels:
  onboarding:
    name: Onboarding
    defaultLocale: en
    locales: [en, tr]
    pagesFile: ./funnels/onboarding.json
    theme: { accent: "#d97757" }
    publish: true
  onboarding_short:
    name: Onboarding short
    defaultLocale: en
    publish: true
    settings: { offering: default }
    pages:
      - id: goal
        type: question
        title: { en: "What is your goal?" }
        fields:
          - { id: goal, kind: single, required: true, options: [{ id: sleep, label: { en: Sleep } }, { id: focus, label: { en: Focus } }] }
        next: { rules: [{ match: all, when: [{ field: goal, op: eq, value: sleep }], to: done }], default: done }
      - { id: done, type: success, title: { en: Ready }, next: { rules: [], default: null } }`
const PLACEMENTS = `placements:
  onboarding:
    name: Onboarding
    rows:
      - { audience: Turkey, target: { experiment: onboarding_test } }
      - { audience: null, target: { funnel: onboarding } }`
const FILES = {
  './funnels/onboarding.json': JSON.stringify([{ id: 'a', type: 'info', title: { en: 'Hi', tr: 'Selam' } }]),
}
const FULL = [OFFERINGS, AUDIENCES, EXPERIMENTS, FUNNELS, PLACEMENTS].join('\n')

const page = (title: string) => `[{ id: a, type: info, title: { en: ${title} } }]`
const funnel = (slug: string, rest: string) => `funnels: { ${slug}: { name: F, defaultLocale: en, ${rest} } }`
const placement = (rows: string) => `placements: { onboarding: { name: P, rows: ${rows} } }`

describe('applying a file', () => {
  test('makes a funnel and a placement that answer, from the file alone', async () => {
    const plan = await apply(FULL, false, FILES)
    expect(plan.problems).toEqual([])
    expect(diff(plan)).toEqual([
      '+ offering default',
      '+ audience Turkey',
      '+ funnel onboarding',
      '+ funnel onboarding_short',
      '+ experiment onboarding_test',
      '+ placement onboarding',
      '6 to create, 0 to change, 0 to delete.',
    ])
    const { placement: place, funnel: answer } = await placementOf('?locale=tr-TR')
    expect(place).toEqual({ identifier: 'onboarding', revision: 1 })
    expect(answer).toMatchObject({ slug: 'onboarding', versionNo: 1, locale: 'tr', theme: { accent: '#d97757' } })
    const { funnels, versions, placements } = await saved()
    expect(versions.map(({ versionNo, publishedBy }) => [versionNo, publishedBy])).toEqual([
      [1, null],
      [1, null],
    ])
    const short = funnels.find(({ slug }) => slug === 'onboarding_short')
    expect(short?.draft.settings.offeringId).toMatch(/^off_/)
    const experiment = (await on.ctx.db.select().from(on.ctx.tables.experiments)).find(
      ({ projectId: of }) => of === projectId,
    )
    expect(experiment?.variants[1]?.value).toEqual({ funnelId: short?.id })
    expect(placements[0]?.rows[0]?.target).toEqual({ type: 'experiment', experimentId: experiment?.id ?? '' })
  })

  test('a second time, or from its own export, changes nothing', async () => {
    await apply(FULL, false, FILES)
    const before = await saved()
    on.ctx.clock.advance(1000)
    const text = await exported()
    expect(text).toContain('funnel: onboarding_short')
    for (const file of [FULL, text])
      for (const prune of [false, true]) expect(diff(await apply(file, prune, FILES))).toEqual(['no changes'])
    expect(await saved()).toEqual(before)
    expect(await exported()).toBe(text)
  })

  test('publishes what differs, and says whether what is there stands', async () => {
    await apply(`${funnel('f', `pages: ${page('One')}`)}\n${placement('[{ target: { funnel: f } }]')}`)
    expect((await placementOf()).funnel).toBeNull()
    expect(diff(await apply(funnel('f', `publish: true, pages: ${page('One')}`)))).toContain(
      '    published: no -> current',
    )
    expect((await placementOf()).funnel).toMatchObject({ versionNo: 1, pages: [{ title: { en: 'One' } }] })
    expect(diff(await apply(funnel('f', `pages: ${page('Two')}`)))).toEqual([
      '~ funnel f',
      '    published: current -> older',
      '    pages[0].title.en: One -> Two',
      '0 to create, 1 to change, 0 to delete.',
    ])
    expect((await placementOf()).funnel).toMatchObject({ versionNo: 1, pages: [{ title: { en: 'One' } }] })
    expect(await exported()).not.toContain('publish:')
    expect(diff(await apply(await exported()))).toEqual(['no changes'])
    expect(diff(await apply(funnel('f', `publish: true, pages: ${page('Two')}`)))).toContain(
      '    published: older -> current',
    )
    expect((await placementOf()).funnel).toMatchObject({ versionNo: 2, pages: [{ title: { en: 'Two' } }] })
    expect(diff(await apply(funnel('f', `publish: true, pages: ${page('Three')}`)))).toHaveLength(3)
    const { versions } = await saved()
    expect(versions.map(({ versionNo, document }) => [versionNo, document.pages[0]?.title.en])).toEqual([
      [1, 'One'],
      [2, 'Two'],
      [3, 'Three'],
    ])
  })

  test('a new name alone makes no version, and a renamed funnel or offering stays the same everywhere', async () => {
    await apply(FULL, false, FILES)
    const renamed = FULL.replace('name: Onboarding short', 'name: Other')
      .replaceAll('onboarding_short', 'short')
      .replace('  short:\n', '  short:\n    was: onboarding_short\n')
      .replace('offerings: { default: {', 'offerings: { main: { was: default,')
      .replace('offering: default', 'offering: main')
    expect(diff(await apply(renamed, false, FILES))).toEqual([
      '~ offering main',
      '    identifier: default -> main',
      '~ funnel short',
      '    slug: onboarding_short -> short',
      '    name: Onboarding short -> Other',
      '0 to create, 2 to change, 0 to delete.',
    ])
    const { versions, placements } = await saved()
    expect(versions).toHaveLength(2)
    expect(placements[0]?.revision).toBe(1)
    const { funnels } = (await on.ctx.state.projects.get(projectId)).placements
    expect([...funnels.values()].find(({ slug }) => slug === 'short')).toMatchObject({ settings: { offering: 'main' } })
  })

  test('an edited placement is in the next revision, and absent members take their defaults', async () => {
    await apply(
      `${AUDIENCES}\nplacements: { onboarding: { name: P, isActive: false, rows: [{ audience: Turkey, target: none }] } }`,
    )
    expect((await placementOf()).placement).toBeNull()
    expect(diff(await apply('placements: { onboarding: { name: P } }'))).toEqual([
      '~ placement onboarding',
      '    isActive: false -> true',
      '    rows: [{audience: Turkey, target: {type: none}}] -> []',
      '0 to create, 1 to change, 0 to delete.',
    ])
    expect((await placementOf()).placement).toEqual({ identifier: 'onboarding', revision: 2 })
    await apply('placements: { start: { was: onboarding, name: P } }')
    const { body } = await on.call('GET', '/v1/placements/start', { key })
    expect(body.data.placement).toEqual({ identifier: 'start', revision: 3 })
  })

  test('prunes what the sections lack, versions with their funnels', async () => {
    await apply(FULL.replace('status: RUNNING', 'status: DRAFT'), false, FILES)
    const pruned = await apply('experiments: {}\nfunnels: {}\nplacements: {}', true)
    expect(diff(pruned).at(-1)).toBe('0 to create, 0 to change, 4 to delete.')
    expect(await saved()).toMatchObject({ funnels: [], versions: [], placements: [] })
  })
})

test('a text may have a parameter that the settings name', async () => {
  const settings = 'settings: { queryParameters: [x] }'
  const pages = 'pages: [{ id: a, type: info, title: { en: "{{query.x}}" } }]'
  expect((await apply(funnel('f', `publish: true, ${settings}, ${pages}`))).problems).toEqual([])
})

describe('refused, with the place', () => {
  const cases: [what: string, text: string, problems: string[]][] = [
    ['a funnel without a locale', 'funnels: { f: { name: F } }', ['f funnels.f VALIDATION_ERROR']],
    [
      'a locale that is none',
      'funnels: { f: { name: F, defaultLocale: en_US } }',
      ['defaultLocale funnels.f.defaultLocale VALIDATION_ERROR'],
    ],
    ['an unknown member', funnel('f', 'publsh: true'), ['publsh funnels.f.publsh VALIDATION_ERROR']],
    [
      'an unknown setting',
      funnel('f', 'settings: { offring: x }'),
      ['offring funnels.f.settings.offring VALIDATION_ERROR'],
    ],
    [
      'an offering that there is not',
      funnel('f', 'settings: { offering: x }'),
      ['offering funnels.f.settings.offering UNKNOWN_REFERENCES'],
    ],
    [
      'a page type that there is not',
      funnel('f', 'pages: [{ id: a, type: vidio }]'),
      ['type funnels.f.pages[0].type VALIDATION_ERROR'],
    ],
    [
      'a file that cannot be read',
      funnel('f', 'pagesFile: ./none.json'),
      ['pagesFile funnels.f.pagesFile VALIDATION_ERROR'],
    ],
    ['pages twice', funnel('f', 'pagesFile: ./a.json, pages: []'), ['f funnels.f VALIDATION_ERROR']],
    [
      'a slug with another meaning in the address',
      funnel('manage', 'pages: []'),
      ['manage funnels.manage VALIDATION_ERROR'],
    ],
    [
      'publishing a picture that there is not',
      funnel('f', 'publish: true, theme: { logo: { asset: ast_1 } }, pages: [{ id: a, type: info }]'),
      ['logo funnels.f.theme.logo asset_missing'],
    ],
    [
      'publishing a text with a parameter that the settings do not name',
      funnel('f', 'publish: true, pages: [{ id: a, type: info, title: { en: "{{query.x}}" } }]'),
      ['en funnels.f.pages[0].title.en VALIDATION_ERROR'],
    ],
    ['publishing nothing', funnel('f', 'publish: true'), ['f funnels.f.pages VALIDATION_ERROR']],
    [
      'publishing a page that leads nowhere',
      funnel('f', 'publish: true, pages: [{ id: a, type: info, next: { default: b } }]'),
      ['default funnels.f.pages[0].next.default VALIDATION_ERROR'],
    ],
    [
      'publishing payment without an account',
      funnel('f', 'publish: true, pages: [{ id: a, type: payment }]'),
      ['type funnels.f.pages[0].type PAYMENT_NOT_CONNECTED'],
    ],
    [
      'a row for what there is not',
      placement('[{ audience: A, target: { funnel: f } }, { target: { experiment: e } }]'),
      [
        'audience placements.onboarding.rows[0].audience INVALID_ROW_REF',
        'funnel placements.onboarding.rows[0].target.funnel INVALID_ROW_REF',
        'experiment placements.onboarding.rows[1].target.experiment INVALID_ROW_REF',
      ],
    ],
    [
      'a row for everybody above another',
      placement('[{ target: none }, { audience: All users, target: none }]'),
      ['{ placements.onboarding.rows[0] VALIDATION_ERROR'],
    ],
    [
      'a target that is none of the three',
      placement('[{ target: { paywall: x } }, { target: {} }]'),
      [
        'paywall placements.onboarding.rows[0].target.paywall VALIDATION_ERROR',
        'target placements.onboarding.rows[1].target VALIDATION_ERROR',
      ],
    ],
    [
      'a row without a target',
      placement('[{ audience: All users }]'),
      ['{ placements.onboarding.rows[0] VALIDATION_ERROR'],
    ],
    [
      'a target in quotes',
      placement('[{ target: "funnel" }]'),
      ['target placements.onboarding.rows[0].target VALIDATION_ERROR'],
    ],
    [
      'more than 50 rows',
      placement(`[${Array(51).fill('{ audience: All users, target: none }').join()}]`),
      ['rows placements.onboarding.rows VALIDATION_ERROR'],
    ],
    ['an identifier with a space', 'placements: { a b: { name: P } }', ['a placements.a b VALIDATION_ERROR']],
  ]
  test.each(cases)('%s', async (_what, text, problems) => {
    expect(await refusals(text, false, { './a.json': '[]' })).toEqual(problems)
  })

  test('a pages file, with the line in it', async () => {
    const files = {
      'a.json': '[\n  { "id": "a", "type": "info" },\n  { "id": "a", "type": "loader", "titel": {} }\n]',
      'b.json': '[{]',
    }
    const { problems } = await apply('funnels: { f: { name: F, defaultLocale: en, pagesFile: a.json } }', false, files)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^a\.json:3:34 pages\[1\]\.titel is not known/),
      expect.stringMatching(/^a\.json:3:5 pages\[1\]\.id stands twice/),
    ])
    const broken = await apply('funnels: { f: { name: F, defaultLocale: en, pagesFile: b.json } }', false, files)
    expect(broken.problems[0]?.message).toMatch(/^b\.json:1:\d/)
  })

  test('every name of a kind stands in the details, and an experiment over something else is told as such', async () => {
    const { problems } = await apply(
      placement('[{ audience: All users, target: { funnel: b } }, { target: { funnel: a } }]'),
    )
    expect(problems.map(({ details }) => details)).toEqual(Array(2).fill({ kind: 'funnel', ids: ['a', 'b'] }))
    const flags =
      'experiments: { e: { name: E, type: FLAG, variants: [{ id: a, name: A, weight: 0.5, value: 1 }, { id: b, name: B, weight: 0.5, value: 2 }] } }'
    const other = await apply(`${flags}\n${placement('[{ target: { experiment: e } }]')}`)
    expect(other.problems).toMatchObject([{ code: 'INVALID_ROW_REF', details: { kind: 'experimentType', ids: ['e'] } }])
  })

  test('pruning what is still named', async () => {
    const variants = '[{ id: a, name: A, weight: 0.5, funnel: f }, { id: b, name: B, weight: 0.5, funnel: g }]'
    const two = `funnels: { f: { name: F, defaultLocale: en, settings: { offering: default } }, g: { name: G, defaultLocale: en } }`
    await apply(
      `${OFFERINGS}\n${AUDIENCES}\n${two}\nexperiments: { e: { name: E, type: FUNNEL, variants: ${variants} } }\n${placement('[{ audience: Turkey, target: { experiment: e } }]')}`,
    )
    expect(await refusals('audiences: {}', true)).toEqual(['audiences audiences audience_in_use'])
    expect(await refusals('funnels: {}', true)).toEqual(['funnels funnels CONFLICT', 'funnels funnels CONFLICT'])
    expect(await refusals('experiments: {}', true)).toEqual(['experiments experiments CONFLICT'])
    expect(await refusals('offerings: {}', true)).toEqual(['offerings offerings CONFLICT'])
    const named = await apply(
      `funnels: {}\nplacements: { onboarding: { name: P, rows: [{ target: { funnel: f } }] } }`,
      true,
    )
    expect(named.problems.map(({ code }) => code)).toContain('INVALID_ROW_REF')
  })

  test('publishing what was archived', async () => {
    const text = funnel('f', `publish: true, pages: ${page('One')}`)
    await apply(text)
    const { funnels } = on.ctx.tables
    const own = and(eq(funnels.projectId, projectId), eq(funnels.slug, 'f'))
    await on.ctx.write((tx) => tx.db.update(funnels).set({ status: 'ARCHIVED' }).where(own))
    expect(await refusals(text)).toEqual(['publish funnels.f.publish CONFLICT'])
    expect(diff(await apply(await exported()))).toEqual(['no changes'])
  })

  test('a rename onto a name that is there', async () => {
    await apply('placements: { a: { name: A }, b: { name: B } }')
    const { problems } = await apply('placements: { b: { was: a, name: B } }')
    expect(problems).toMatchObject([{ code: 'IDENTIFIER_TAKEN', details: { resource: 'placement', identifier: 'b' } }])
  })

  test('the 201st placement', async () => {
    const many = (count: number) =>
      `placements: { ${Array.from({ length: count }, (_, at) => `p${at}: { name: P }`).join(', ')} }`
    expect(await refusals(many(201))).toEqual(['placements placements CONFLICT'])
  })
})

test('a payment page is published once an account is connected, by the same file too', async () => {
  const text = funnel('f', 'publish: true, pages: [{ id: a, type: payment }]')
  expect((await apply(`${text}\n${PAY}`)).problems).toEqual([])
  expect(diff(await apply(text))).toEqual(['no changes'])
})

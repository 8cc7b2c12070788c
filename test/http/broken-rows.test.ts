import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { touchConfig } from '../../src/projects/project/service'
import { applyFile } from '../../src/projects/project-file/apply'
import { loadCurrent } from '../../src/projects/project-file/load'
import { parseProjectFile } from '../../src/projects/project-file/parse'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { type Stage, stage } from '../support/cast'
import { expose } from '../support/experiments'
import { clearPlacements, place } from '../support/placements'
import { isPostgresRun } from '../support/postgres'
import { clearRemote, configOf, configure } from '../support/remote'
import { SECTIONS } from '../support/sections'
import { staff } from '../support/staff'

// Rows that were written without svc. No response may be a 500 because of them, and applying a file repairs them.

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

const BROKEN = ['none', [], [null], [{ id: 'a' }], [{ id: 'a', name: 'A', weight: 1, value: 1 }], { a: 1 }]

const resultsOf = (key: string) => s.get(`/v1/experiments/${key}/results`, undefined, { key: s.project.secretKey })

test('an experiment whose variants are broken takes no exposure and has no results', async () => {
  for (const [index, variants] of BROKEN.entries()) {
    const key = `broken_${index}`
    await configure(s, { experiments: [{ key, variants: variants as never }] })
    const results = await resultsOf(key)
    expect([results.status, results.body.error.message]).toEqual([404, expect.stringContaining('svc doctor')])
    const { status, body } = await expose(s, 'svc_x', 'b', {}, key)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  }
})

test.skipIf(isPostgresRun())('one that is no JSON has nothing to be in', async () => {
  await configure(s, { experiments: [{ id: 'exp_text', key: 'text' }, { key: 'sound' }] })
  await s.ctx.write(async (tx) => {
    await tx.db.run(sql`update experiments set variants = '[{' where id = 'exp_text'`)
    await touchConfig(tx, s.project.id)
  })
  expect([(await resultsOf('text')).status, (await resultsOf('sound')).status]).toEqual([404, 200])
  expect((await expose(s, 'svc_x', 'a', {}, 'text')).status).toBe(400)
  expect((await configOf(s, 'svc_x')).status).toBe(200)
})

test('the dashboard lists flags and experiments with what is broken in them', async () => {
  const member = staff(s).as('DEVELOPER')
  for (const [index, broken] of BROKEN.entries()) {
    const key = `broken_${index}`
    await configure(s, {
      flags: [{ key, rules: broken as never }],
      experiments: [{ key, variants: broken as never, metrics: broken as never }],
    })
    const flags = await member.get('/feature-flags')
    expect([flags.status, flags.body.data?.items[0]]).toMatchObject([200, { key, rules: broken }])
    const experiments = await member.get('/experiments')
    expect([experiments.status, experiments.body.data?.items[0]]).toMatchObject([
      200,
      { key, variants: broken, metrics: broken },
    ])
    await clearRemote(s)
  }
})

describe('a project file', () => {
  const apply = async (text: string) => {
    const parsed = parseProjectFile(SECTIONS, `version: 1\n${text}`, { env: () => null, file: () => null })
    if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
    const { problems } = await applyFile(s.ctx, s.project.id, parsed, { prune: false })
    return problems.map(({ message }) => message)
  }
  const FILE = `
audiences: { Everyone: { rules: {} } }
flags: { pay: { type: BOOLEAN, environments: { PROD: { default: false, rules: [{ value: true }] } } } }
experiments:
  price:
    { name: P, type: FLAG, audience: Everyone, metrics: [buy], status: RUNNING,
      variants: [{ id: a, name: A, weight: 0.5, value: 1 }, { id: b, name: B, weight: 0.5, value: 2 }] }
placements: { spot: { name: Spot, rows: [{ audience: null, target: none }] } }`

  test('writes rows again that were broken, and can be written while they are', async () => {
    const { flags, experiments, placements } = s.ctx.tables
    for (const broken of ['none', [null], { a: 1 }, [{}]] as never[]) {
      await clearRemote(s)
      await clearPlacements(s)
      await place(s, { placements: [{ identifier: 'spot', rows: broken }] })
      await configure(s, {
        flags: [{ key: 'pay', rules: broken }],
        experiments: [{ key: 'price', variants: broken, metrics: broken }],
      })
      expect(writeYaml(await loadCurrent(s.ctx, s.project.id, SECTIONS), { withIds: false })).toContain('price:')
      expect(await apply(FILE)).toEqual([])
      const [flag] = await s.ctx.db.select().from(flags)
      const [experiment] = await s.ctx.db.select().from(experiments)
      const [placement] = await s.ctx.db.select().from(placements).where(eq(placements.identifier, 'spot'))
      expect([flag?.rules, placement?.rows]).toEqual([
        [{ value: true }],
        [{ audienceId: null, target: { type: 'none' } }],
      ])
      expect([experiment?.variants.length, experiment?.metrics]).toEqual([2, ['buy']])
    }
  })

  test.skipIf(isPostgresRun())('says what to do where a row is no JSON', async () => {
    await configure(s, { flags: [{ id: 'flg_text', key: 'pay' }] })
    await s.ctx.write((tx) => tx.db.run(sql`update flags set rules = '[{' where id = 'flg_text'`))
    await expect(apply(FILE)).rejects.toThrow(/is no JSON.*`svc doctor` names it/)
  })
})

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: project files have placeholders of this form.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { MAX_TOKENS, TOKENS_PER_MINUTE } from '../../src/moving/project-file/reading-budget'
import { type Stage, stage } from '../support/cast'
import { isReplay } from '../support/probe'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeEach(async () => {
  s = await stage()
  team = staff(s)
})
afterEach(() => s.close())

type Role = Parameters<Staff['as']>[0]
const plan = (body: object, role: Role = 'OWNER') => team.as(role).post('/project-file/plan', body)
const apply = (body: object, headers = {}) => team.as('OWNER').post('/project-file/apply', body, { headers })

/** A file of 7 tokens for each of its lines. Every key but the first is unknown. */
const linesOf = (count: number) => `version: 1\n${Array.from({ length: count }, (_, n) => `k${n}: 1\n`).join('')}`
const accesses = (count: number) =>
  `version: 1\naccess:\n${Array.from({ length: count }, (_, n) => `  a${n}: { displayName: ${'x'.repeat(200)} }\n`).join('')}`

describe('the problems of a file', () => {
  test('are told up to the hundredth, with their number', async () => {
    const { status, body } = await plan({ file: linesOf(2000) })
    expect([status, body.data.problemCount, body.data.problems.length]).toEqual([200, 2000, 100])
    expect(body.data.problems.at(-1)).toMatchObject({ line: 101, path: 'k99' })
  })

  test('of its YAML are told in the same way', async () => {
    const { body } = await plan({ file: '\t- [\n'.repeat(3000) })
    expect(body.data.problems).toHaveLength(100)
    expect(body.data.problemCount).toBeGreaterThan(100)
  })
})

describe('a file with more than 100,000 tokens', () => {
  const long = {
    wide: linesOf(40_000),
    nested: '{a: '.repeat(MAX_TOKENS / 4),
    'made of faults': '\t- [\n'.repeat(MAX_TOKENS / 4),
  }
  for (const [name, file] of Object.entries(long))
    test(`${name}: is refused by plan and apply before it is read`, async () => {
      for (const answer of [await plan({ file }), await apply({ file })]) {
        expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
        expect(answer.body.error.message).toContain('in parts')
        expect(JSON.stringify(answer.body).length).toBeLessThan(1000)
      }
    })

  test('counts the text of a placeholder each time that it is named', async () => {
    const pages = `[${'{},'.repeat(8000)}{}]`
    const funnels = (count: number) =>
      Array.from({ length: count }, (_, n) => `  f${n}: { name: F, pagesFile: p.json }\n`).join('')
    const file = (count: number) => `version: 1\nfunnels:\n${funnels(count)}`
    const files = { 'p.json': pages }
    expect((await plan({ file: file(1), files })).status).toBe(200)
    expect((await plan({ file: file(10), files })).status).toBe(400)
  })

  test('counts the length of a variable each time that it is named', async () => {
    const accesses = (count: number) =>
      Array.from({ length: count }, (_, n) => `  a${n}: { displayName: "\${env:NAME}" }\n`).join('')
    const file = (count: number) => `version: 1\naccess:\n${accesses(count)}`
    const env = { NAME: '1'.repeat(500_000) }
    expect((await plan({ file: file(10), env })).status).toBe(200)
    const refused = await plan({ file: file(30), env })
    expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining('in parts')])
  })

  test('is not one that is long because of its texts', async () => {
    const file = `version: 1\naccess: { vip: { displayName: "${'x'.repeat(900_000)}" } }\n`
    expect((await plan({ file })).body.data.problems).toMatchObject([{ path: 'access.vip.displayName' }])
  })
})

test('a person has a million tokens in a minute; others, and the next minute, are not concerned', async () => {
  const big = { file: `version: 1\n${'#\n'.repeat(49_000)}` }
  const statuses: number[] = []
  for (let tokens = 0; tokens <= TOKENS_PER_MINUTE; tokens += 98_000) statuses.push((await plan(big)).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429])
  const refused = await plan({ file: 'version: 1\n' })
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await apply({ file: 'version: 1\n' })).status).toBe(429)
  expect((await plan(big, 'ADMIN')).status).toBe(200)
  s.ctx.clock.advance(MINUTE)
  expect((await plan(big)).status).toBe(200)
})

test('files of a project are read one after the other, up to eight wait, and one whose sender leaves is not read', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  void s.ctx.state.longTurns.run(() => promise, { group: s.project.id })
  const leaving = new AbortController()
  const { signal } = leaving
  const post = () => team.as('ADMIN').post('/project-file/plan', { file: 'version: 1\n' }, { signal })
  const all = Array.from({ length: 10 }, post)
  const refused = await Promise.race(all)
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    '5',
  ])
  leaving.abort()
  const statuses = (await Promise.all(all)).map(({ status }) => status).toSorted()
  expect(statuses).toEqual([...Array(9).fill(408), 429])
  resolve()
  expect((await plan({ file: 'version: 1\n' }, 'ADMIN')).status).toBe(200)
})

describe('the kept answers of a person', () => {
  const kept = async () => {
    const rows = await s.ctx.db.select().from(s.ctx.tables.idempotencyKeys)
    return rows.map(({ body }) => Buffer.byteLength(body ?? ''))
  }

  test('a plan is never kept: a repetition plans again', async () => {
    const headers = { 'idempotency-key': 'plan' }
    const post = () => team.as('OWNER').post('/project-file/plan', { file: accesses(3) }, { headers })
    expect([(await post()).status, (await post()).status, await kept()]).toEqual([200, 200, [0]])
  })

  test('an answer above 64 KiB is not kept, and its repetition is refused and does nothing', async () => {
    const headers = { 'idempotency-key': 'large' }
    const first = await apply({ file: accesses(190) }, headers)
    expect([first.status, JSON.stringify(first.body).length > 64 * 1024, await kept()]).toEqual([200, true, [0]])
    const again = await apply({ file: accesses(190) }, headers)
    expect([again.status, again.body.error.code, isReplay(again)]).toEqual([409, 'CONFLICT', false])
    expect(again.body.error.message).toContain('Do not repeat it')
  })

  test('are kept up to 256 KiB in a minute; one beyond that is carried out, and its repetition is refused', async () => {
    const post = (name: string, n: number) =>
      team.as('OWNER').post('/audiences', audienceOf(name, n), { headers: { 'idempotency-key': name } })
    const answers = []
    for (let n = 0; n < 12; n++) answers.push(await post(`a${n}`, n))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201))
    const repeated = []
    for (let n = 0; n < 12; n++) repeated.push((await post(`a${n}`, n)).status)
    expect(new Set(repeated)).toEqual(new Set([201, 409]))
    expect((await kept()).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(256 * 1024)
    s.ctx.clock.advance(MINUTE)
    expect([(await post('later', 20)).status, (await post('later', 20)).status]).toEqual([201, 201])
  })

  /** An audience whose answer has about 30 KB. */
  const audienceOf = (name: string, n: number) => ({
    name,
    rules: { $or: Array.from({ length: 60 }, (_, i) => ({ [`attributes.a${i}`]: `${n}${'x'.repeat(480)}` })) },
  })
})

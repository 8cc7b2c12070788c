import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createApp } from '../../src/app'
import { registryOf, startBackground } from '../../src/background'
import type { Program } from '../../src/base/cli/command'
import type { Check } from '../../src/base/cli/doctor'
import { migrate } from '../../src/base/db/migrate'
import { Worker } from '../../src/base/jobs/worker'
import { MINUTE } from '../../src/base/lib/clock'
import { findCommand } from '../../src/cli/commands'
import { PROGRAM, programOf } from '../../src/program'
import { at, contentOf, envOf, svc } from '../support/backup'
import { type Stage, stage } from '../support/cast'
import { TEST_KEY, testContext } from '../support/context'
import { compileExtraSlice, type ExtraParts, type Greeter, makeExtraSlice } from '../support/extra-slice'
import { tempFolder } from '../support/process'
import { isRelease } from '../support/release'

// One more slice, in a folder outside of src, given to the program beside its own: nothing else is written for it.

let folder: ReturnType<typeof tempFolder>
let parts: ExtraParts
let program: Program
let s: Stage
beforeAll(async () => {
  folder = tempFolder()
  parts = await makeExtraSlice(folder.path)
  program = programOf(parts.slices, parts.migrations)
  s = await stage(parts)
  expect((await greet('hello')).status).toBe(200)
}, 600_000)
afterAll(async () => {
  await s.close()
  folder.remove()
})

const greet = (text: unknown, options = {}) => s.post('/v1/greetings', { text }, options)

const run = (args: string[], env = envOf(s.ctx), of = program) =>
  svc(args, { SVC_MASTER_KEY: TEST_KEY, ...env }, undefined, of)

/** The state of the extra slice, whose type is known only beside it. */
const greeterOf = ({ state }: Stage['ctx']): Greeter => Reflect.get(state, 'greeter') as Greeter

// The compiler reads the whole product again, which takes 20 s.
if (isRelease) test('its files hold to their types', () => expect(compileExtraSlice(folder.path)).toBe(''), 600_000)

test('its route is served behind the same checks as the others', async () => {
  expect((await greet('good morning')).body.data.text).toBe('good morning')
  const refused = [await greet('hello', { key: null }), await greet('')]
  expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
    [401, 'BEARER_REQUIRED'],
    [400, 'VALIDATION_ERROR'],
  ])
})

test('browsers reach it below their own prefix', async () => {
  const options = { headers: { origin: 'https://app.example.com' } }
  const answer = await s.post(`/v1/web/${s.project.publicKey}/greetings`, { text: 'from a page' }, options)
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example.com'])
})

test('it adds a part to the configuration of a project', async () => {
  s.ctx.state.projects.forget(s.project.id)
  const { body } = await greet('again')
  expect(body.data.greetedBefore).toBeGreaterThan(0)
})

test('it is documented with its group', async () => {
  const { body } = await s.get('/openapi.json')
  expect(body.tags).toContainEqual({ name: 'Greetings', description: 'What is said to everybody.' })
  expect(body.paths['/v1/greetings'].post).toMatchObject({ tags: ['Greetings'], operationId: 'postGreeting' })
  const { out } = await run(['openapi', '--json'], {})
  expect(JSON.parse(out)).toEqual(body)
})

test('its job runs when its cron line is due', async () => {
  const { greetings } = s.ctx.tables as unknown as { greetings: typeof s.ctx.tables.jobs }
  const worker = new Worker(s.ctx, registryOf(parts.slices))
  await worker.runDue()
  const before = await s.ctx.db.select().from(greetings)
  s.ctx.clock.advance(MINUTE)
  await worker.runDue()
  const repeats = (rows: object[]) => rows.map((row) => Reflect.get(row, 'repeats') as number)
  expect(repeats(await s.ctx.db.select().from(greetings))).toEqual(repeats(before).map((count) => count + 1))
})

test('its metric is counted with the others', async () => {
  const read = async () => Number(/^svc_greetings_total (\d+)$/m.exec(await s.ctx.metrics.text())?.[1])
  const before = await read()
  await greet('counted')
  expect(await read()).toBe(before + 1)
})

test('its command is in the help, after those of the product, and runs', async () => {
  const { out } = await run(['--help'])
  expect(out.split('\n').findLast((line) => line.startsWith('  '))).toMatch(/^ {2}greetings +list greetings$/)
  const listed = await run(['greetings', s.project.id])
  expect([listed.code, listed.err]).toEqual([0, ''])
  expect(listed.out).toContain('hello ')
  expect((await run(['greetings'], undefined, PROGRAM)).code).toBe(2)
})

test('of a program whose slices have two commands of one name, none is found', () => {
  const again = parts.slices.filter(({ name }) => name === 'greetings')
  const program = programOf([...parts.slices, ...again])
  expect(() => program.commands).toThrow('two commands are named greetings')
  expect(() => findCommand(program, 'greetings')).toThrow('two commands are named greetings')
})

test('the doctor asks it about the machine, the database and each project', async () => {
  const { out } = await run(['doctor', '--json'])
  const { checks } = JSON.parse(out) as { checks: Check[] }
  const messages = checks.map(({ name, message }) => `${name}: ${message}`)
  expect(messages).toContain('greeting host: It can greet.')
  expect(messages).toContainEqual(expect.stringMatching(/^greetings: \d+ are stored\.$/))
  expect(messages.filter((text) => text.endsWith('Nobody was greeted.'))).toEqual([
    'project project-2: Nobody was greeted.',
  ])
})

test('its table is migrated, and the product without it leaves that database alone', async () => {
  const { out } = await run(['migrate', 'status'])
  expect(out.split('\n').at(-1)).toMatch(/^applied {2}\d{4}_greetings$/)
  expect(await migrate(s.ctx.storage)).toEqual([])
  const refused = await run(['migrate'], undefined, PROGRAM)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is newer than this executable')])
})

test('its rows are in a backup, and come back from it', async () => {
  const [first, second] = ['first.gz', 'second.gz'].map((name) => join(folder.path, name)) as [string, string]
  expect((await run(['backup', first])).err).toBe('')
  const { header, rows } = contentOf(first)
  const ours = rows.filter((line) => line.startsWith('{"t":"greetings"'))
  expect(ours.length).toBeGreaterThan(0)
  expect(header.counts.greetings).toBe(ours.length)
  const target = at(join(folder.path, 'restored'))
  expect((await run(['restore', first], target)).err).toBe('')
  expect((await run(['backup', second], target)).err).toBe('')
  const restored = contentOf(second).rows.filter((line) => line.startsWith('{"t":"greetings"'))
  expect(restored.sort()).toEqual(ours.sort())
})

test('its loop runs with the server and ends with it, and its state is closed with the context', async () => {
  const ctx = await testContext(parts)
  const greeter = greeterOf(ctx)
  const background = startBackground(ctx, parts.slices)
  await greeter.looped
  expect([greeter.hasEnded, greeter.isClosed]).toEqual([false, false])
  await background.stop()
  expect([greeter.hasEnded, greeter.isClosed]).toEqual([true, false])
  await ctx.close()
  expect(greeter.isClosed).toBe(true)
})

test('the product without it knows neither its route nor its group', async () => {
  const ctx = await testContext()
  const app = createApp(ctx)
  expect(app.routes.filter(({ path }) => path.includes('greetings'))).toEqual([])
  expect(Object.keys(ctx.state)).not.toContain('greeter')
  expect(await ctx.metrics.text()).not.toContain('svc_greetings_total')
  await ctx.close()
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { eventually } from '../support/context'
import { childEnv, isRunning, svcCommand, tempFolder } from '../support/process'

const { path, remove } = tempFolder()
const run = (...args: string[]) => Bun.spawn([...svcCommand(), ...args, '--data', path], OPTIONS)
const OPTIONS = { env: childEnv(), stdout: 'pipe', stderr: 'pipe' } as const

async function ended(child: ReturnType<typeof run>) {
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

beforeAll(async () => {
  expect((await ended(run('migrate'))).code).toBe(0)
  expect((await ended(run('project', 'create', '--name', 'Sleep App'))).code).toBe(0)
})
afterAll(remove)

/** Runs for hours, without a row of any table. */
const ENDLESS = `with n as (select 1 as x ${'union all select 1 '.repeat(40)}) select count(*) from ${Array.from({ length: 12 }, (_, at) => `n as n${at}`).join(', ')}`

test('the program is the process of its queries too', async () => {
  const { code, out, err } = await ended(
    run('query', 'select count(*) as people, 9223372036854775807 as most from subscribers', '--json'),
  )
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('"rows":[[0,9223372036854775807]]')
})

test('a refusal names the place', async () => {
  const { code, out, err } = await ended(run('query', 'select * from sqlite_master'))
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('line 1, column 15')
})

/** The processes that a process has started; Linux says it. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const)
  test.skipIf(process.platform !== 'linux')(`${signal} ends the command and the process of its query`, async () => {
    const command = run('query', ENDLESS)
    let query = 0
    await eventually(async () => {
      query = childrenOf(command.pid)[0] ?? 0
      return query > 0
    })
    expect(query).toBeGreaterThan(0)
    command.kill(signal)
    const { out, err } = await ended(command)
    expect([out, err.trim()]).toEqual(['', signal === 'SIGKILL' ? '' : 'The query was ended'])
    await eventually(async () => !isRunning(query))
    expect(isRunning(query)).toBe(false)
  })

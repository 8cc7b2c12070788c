import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Part } from './plan'
import { runSuites } from './run'

const part = (output: string, more: Partial<Part> & { code?: number } = {}): Part => ({
  group: 'tests',
  command: ['bash', '-c', `printf '${output}'; exit ${more.code ?? 0}`],
  env: {},
  isCheck: false,
  seconds: 1,
  ...more,
})
const check = (code: number): Part => part('', { group: 'check: types', isCheck: true, code })

async function run(parts: readonly Part[], stop = new AbortController().signal) {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const failed = await runSuites(parts, { write, atOnce: 2, stop })
  return { failed, lines: text.trimEnd().split('\n'), last: text.trimEnd().split('\n').at(-1) }
}

const totals: [name: string, parts: Part[], last: string][] = [
  ['checks and tests add up', [check(0), part(' 12 pass\\n 0 fail\\n'), part(' 2 pass\\n')], '15 passed, 0 failed'],
  [
    'skipped and open tests count as skipped',
    [part(' 2 pass\\n 3 skip\\n 1 todo\\n 0 fail\\n')],
    '2 passed, 0 failed, 4 skipped',
  ],
  ['a failed test', [check(0), part(' 9 pass\\n 2 fail\\n', { code: 1 })], '10 passed, 2 failed'],
  ['a failed check', [check(1), part(' 9 pass\\n 0 fail\\n')], '9 passed, 1 failed'],
  ['an error outside the tests', [part(' 9 pass\\n 0 fail\\n 1 error\\n', { code: 1 })], '9 passed, 1 failed'],
  ['a crash of the runner', [part('Segmentation fault\\n', { code: 139 })], '0 passed, 1 failed'],
  ['no test at all', [part('')], '0 passed, 1 failed'],
  [
    'what tests print is not counted',
    [part(`${' 7 skip\\n'.repeat(20)}${'x\\n'.repeat(20)} 1 pass\\n 0 fail\\n`)],
    '1 passed, 0 failed',
  ],
]
for (const [name, parts, last] of totals)
  test(`totals: ${name}`, async () => {
    const ran = await run(parts)
    expect([ran.last, ran.failed > 0]).toEqual([last, !last.includes(', 0 failed')])
  })

/** The lines before the names of what failed. */
const before = (lines: readonly string[]) =>
  lines.slice(
    0,
    lines.findIndex((line) => /^Failed:$/.test(line)),
  )

/** The names of what failed, which are right before the table. */
const named = (lines: readonly string[]) =>
  lines.slice(
    lines.lastIndexOf('Failed:') + 1,
    lines.findIndex((line) => /^ +passed/.test(line)),
  )

test('what failed is told once more at the end', async () => {
  const output = ['(pass) a', 'error: 1 is not 2', '(fail) b', '(pass) c', '# Unhandled error', 'boom', '(pass) d']
  const summary = ['', '1 tests failed:', '(fail) b', '', ' 3 pass', ' 1 fail', '']
  const { lines, last } = await run([part([...output, ...summary].join('\\n'), { code: 1 })])
  expect(before(lines).slice(-5)).toEqual(['error: 1 is not 2', '(fail) b', '# Unhandled error', 'boom', ''])
  expect(last).toBe('3 passed, 1 failed')
})

test('of a runner that crashed the end is told once more', async () => {
  const { lines } = await run([part('(pass) a\\nSegmentation fault\\n', { code: 139 })])
  expect(before(lines).slice(-2)).toEqual(['Segmentation fault', ''])
})

test('a failure beside the longest part is a failure, and told at the end', async () => {
  const { lines, failed } = await run([part(' 1 pass\\n'), part('(fail) beside\\n 1 fail\\n 0 pass\\n', { code: 1 })])
  expect([failed, before(lines).slice(-2)]).toEqual([1, ['(fail) beside', '']])
})

test('the table names each group once, with the sums of its parts', async () => {
  const { lines } = await run([part(' 2 pass\\n'), part(' 3 pass\\n'), check(0)])
  expect(lines.filter((line) => line.startsWith('tests '))).toEqual([expect.stringMatching(/^tests +5 +0 +\d+$/)])
})

const recording = (group: string, statements: string[]): Part =>
  part('', {
    group,
    command: [
      'bash',
      '-c',
      `echo '${JSON.stringify({ 'test/http/a.test.ts': statements })}' > "$SVC_TEST_STATEMENTS"; echo ' 1 pass'`,
    ],
  })

test('a statement that only local files have seen is a failure, which names it and its file', async () => {
  const parts = [recording('http', ['select 1', 'select 2']), recording('PostgreSQL', ['select 1'])]
  const { lines, last } = await run(parts)
  expect(before(lines).slice(-2)).toEqual(['test/http/a.test.ts runs this on local files only: select 2', ''])
  expect(last).toBe('2 passed, 1 failed')
  expect((await run([recording('http', ['select 1']), recording('PostgreSQL', ['select 1'])])).last).toBe(
    '3 passed, 0 failed',
  )
})

test('without PostgreSQL no statement is missed there', async () => {
  expect((await run([recording('http', ['select 1'])])).last).toBe('1 passed, 0 failed')
})

test('a run that is stopped ends what it started, and is a failure', async () => {
  const stopper = new AbortController()
  const long = part('', { command: ['bash', '-c', 'exec sleep 600'] })
  const ending = run([long, long, long], stopper.signal)
  stopper.abort()
  const { last, failed } = await ending
  expect([last, failed > 0]).toEqual([expect.stringMatching(/^0 passed, [123] failed$/), true])
})

test('what a part has started ends with it, also what runs apart and hears no signal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-run-'))
  const path = join(folder, 'pids')
  const script = `
    setsid bash -c 'echo $$ >> ${path}; trap "" TERM; while :; do sleep 0.1; done' &
    bash -c 'echo $$ >> ${path}; exec sleep 600' &
    echo $$ >> ${path}; wait; sleep 600`
  const stopper = new AbortController()
  const ending = run([part('', { command: ['bash', '-c', script] })], stopper.signal)
  const pids = () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [])
  while (pids().length < 3) await Bun.sleep(20)
  stopper.abort()
  await ending
  expect(pids().filter(isRunning)).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

const isRunning = (pid: string): boolean => {
  const stat = `/proc/${pid}/stat`
  return existsSync(stat) && !/^\d+ \(.*\) Z/s.test(readFileSync(stat, 'utf8'))
}

test('the names of the failed tests are right before the table, with their files', async () => {
  const output = ['test/http/a.test.ts:', '(pass) x', '(fail) a group > b [1.50ms]', 'test/http/c.test.ts:', '(fail) d']
  const end = ['2 tests failed:', '(fail) a group > b [1.50ms]', '(fail) d', ' 1 pass', ' 2 fail', '']
  const { lines, last } = await run([check(1), part([...output, ...end].join('\n'), { code: 1 })])
  expect(named(lines).sort()).toEqual([
    '',
    '  check: types',
    '  test/http/a.test.ts: a group > b',
    '  test/http/c.test.ts: d',
  ])
  expect(last).toBe('1 passed, 3 failed')
})

test('what failed without a failed test is named by its file or its group', async () => {
  const outside = 'test/http/a.test.ts:\n(pass) x\n# Unhandled error between tests\nboom\n 1 pass\n 0 fail\n'
  expect(named((await run([part(outside, { code: 1 })])).lines)).toEqual([
    '  test/http/a.test.ts: an error outside of the tests',
    '',
  ])
  expect(named((await run([part('Segmentation fault\n', { code: 139 })])).lines)).toEqual([
    '  tests: failed without a failed test',
    '',
  ])
})

test('of many failures the first are named, and nothing is named where nothing failed', async () => {
  const failed = Array.from({ length: 40 }, (_, index) => `(fail) t${index}`).join('\n')
  const { lines } = await run([part(`${failed}\n 0 pass\n 40 fail\n`, { code: 1 })])
  expect(named(lines)).toHaveLength(32)
  expect(named(lines).slice(-3)).toEqual(['  tests: t29', '  and 10 more', ''])
  expect((await run([part(' 1 pass\n')])).lines).not.toContain('Failed:')
})

test('of many statements that only local files have seen, the first 20 are told', async () => {
  const many = Array.from({ length: 25 }, (_, index) => `select ${index}`)
  const { lines } = await run([recording('http', many), recording('PostgreSQL', ['select 0'])])
  expect(before(lines).slice(-3)).toEqual([
    'test/http/a.test.ts runs this on local files only: select 20',
    'and 4 more',
    '',
  ])
  expect(named(lines)).toEqual(['  check: statements', ''])
})

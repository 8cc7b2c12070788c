import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicMs } from '../../../src/base/lib/clock'
import { memoryFolder } from '../memory-folder'
import { onlyOnFiles, type Recording } from './cover'
import { type Part, ROOT } from './plan'
import { endTree } from './process-tree'
import { failuresOf, firstOf, type Totals, totalsOf, troubleOf } from './totals'

/** A part that has ended, or a check that needs all parts. */
interface Ended extends Totals {
  group: string
  /** What a reader needs of its failures; empty when it has none. */
  trouble: string
  /** One line for each failed test or check. */
  failures: readonly string[]
  /** Processor time of the process and its children. */
  cpuSeconds: number
  statements: Recording
}

interface Running {
  write: (text: string) => void
  /** How many parts run at the same time. */
  atOnce: number
  /** Ends what runs, which is a failure. */
  stop: AbortSignal
}

/**
 * Runs all parts, a few at the same time, in their order. It prints what each part has printed, when it ends; then what
 * failed once more, the names of what failed, a table by group, and on the last line the totals. Some logs keep only the
 * last lines, so the names are among them. Returns how many failed.
 */
export async function runSuites(parts: readonly Part[], running: Running): Promise<number> {
  const folder = mkdtempSync(join(memoryFolder(), 'svc-suites-'))
  const began = monotonicMs()
  const queue = [...parts.entries()]
  const ended: Ended[] = []
  const work = async () => {
    for (let next = queue.shift(); next && !running.stop.aborted; next = queue.shift())
      ended.push(await runPart(next[1], join(folder, String(next[0])), running))
  }
  await Promise.all(Array.from({ length: running.atOnce }, work))
  rmSync(folder, { recursive: true, force: true })
  if (running.stop.aborted) ended.push(failure('the run', 'The run was stopped before all parts had ended.'))
  else if (ended.some(isOnPostgres)) ended.push(coverOf(ended))
  running.write(report(ended, (monotonicMs() - began) / 60_000))
  return sum(ended, 'failed')
}

async function runPart(part: Part, path: string, { write, stop }: Running): Promise<Ended> {
  const [log, statements] = [`${path}.log`, `${path}.json`]
  const output = openSync(log, 'w')
  const child = Bun.spawn([...part.command], {
    cwd: ROOT,
    env: { ...process.env, FORCE_COLOR: undefined, SVC_TEST_STATEMENTS: statements, ...part.env },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const code = await exitOf(child, stop)
  const text = readFileSync(log, 'utf8')
  const totals = part.isCheck ? totalsOfCheck(code) : totalsOf(text, code)
  write(`${text.trimEnd()}\n${part.isCheck ? `${part.group}: ${code === 0 ? 'ok' : 'failed'}\n` : ''}`)
  return {
    ...totals,
    group: part.group,
    ...failuresIn(part, totals, text),
    cpuSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
    statements: existsSync(statements) ? (JSON.parse(readFileSync(statements, 'utf8')) as Recording) : {},
  }
}

/** The exit code of a part. At the stop it is ended, with all processes that it has started. */
async function exitOf(child: Bun.Subprocess, stop: AbortSignal): Promise<number> {
  const ending: Promise<void>[] = []
  const end = () => void ending.push(endTree(child.pid))
  stop.addEventListener('abort', end)
  if (stop.aborted) end()
  const code = await child.exited
  stop.removeEventListener('abort', end)
  await Promise.all(ending)
  return code
}

function failuresIn({ group, isCheck }: Part, { failed }: Totals, text: string): Pick<Ended, 'trouble' | 'failures'> {
  if (failed === 0) return { trouble: '', failures: [] }
  return { trouble: troubleOf(text), failures: isCheck ? [group] : failuresOf(text, group) }
}

const totalsOfCheck = (code: number): Totals => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 })

const failure = (group: string, trouble: string): Ended => ({
  ...totalsOfCheck(1),
  ...{ group, trouble, failures: [group], cpuSeconds: 0, statements: {} },
})

const SHOWN_STATEMENTS = 20
const SHOWN_FAILURES = 30

const isOnPostgres = ({ group }: Ended): boolean => group === 'PostgreSQL'

/** Whether every statement that ran on local files has run on PostgreSQL too. */
function coverOf(ended: readonly Ended[]): Ended {
  const isHttp = ({ group }: Ended) => group === 'http' || group === 'stories and others'
  const missing = onlyOnFiles(
    ended.filter(isHttp).map(({ statements }) => statements),
    ended.filter(isOnPostgres).map(({ statements }) => statements),
  )
  const group = 'check: statements'
  if (missing.length > 0) return failure(group, firstOf(missing, SHOWN_STATEMENTS).join('\n'))
  return { ...failure(group, ''), failures: [], ...totalsOfCheck(0) }
}

function report(ended: readonly Ended[], minutes: number): string {
  const skipped = sum(ended, 'skipped')
  return [
    ...ended.flatMap(({ trouble }) => (trouble ? [trouble, ''] : [])),
    ...failedNames(ended),
    ...table(ended),
    `${minutes.toFixed(1)} minutes`,
    '',
    `${sum(ended, 'passed')} passed, ${sum(ended, 'failed')} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
    '',
  ].join('\n')
}

function failedNames(ended: readonly Ended[]): string[] {
  const failures = ended.flatMap((one) => one.failures)
  return failures.length === 0 ? [] : ['Failed:', ...firstOf(failures, SHOWN_FAILURES).map((line) => `  ${line}`), '']
}

function table(ended: readonly Ended[]): string[] {
  const row = (group: string, ...cells: string[]) => group.padEnd(24) + cells.map((cell) => cell.padStart(9)).join('')
  const rows = [...Map.groupBy(ended, ({ group }) => group)].map(([group, parts]) =>
    row(group, `${sum(parts, 'passed')}`, `${sum(parts, 'failed')}`, sum(parts, 'cpuSeconds').toFixed(0)),
  )
  return [row('', 'passed', 'failed', 'CPU s'), ...rows.sort()]
}

const sum = (rows: readonly Ended[], name: 'passed' | 'failed' | 'skipped' | 'cpuSeconds'): number =>
  rows.reduce((total, row) => total + row[name], 0)

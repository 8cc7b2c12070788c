import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/base/lib/clock'
import { envOf } from '../support/backup'
import { type Stage, stage } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { historyFile } from '../support/import-file'
import { digestOf } from '../support/imports'
import { childEnv, startServerProcess, svcCommand, tempFolder } from '../support/process'

const KILLS = Number(process.env.SVC_TEST_KILLS ?? 4)
const ROWS = Number(process.env.SVC_TEST_KILL_ROWS ?? (process.env.SVC_TEST_KILLS ? 200_000 : 1500))
/**
 * Some of the processes are servers, which find the interrupted import by themselves. A server that follows another one
 * that was killed within the last minute waits for the end of its lease, so few of many kills are of servers.
 */
const SERVER_EVERY = KILLS > 40 ? 40 : 4
const MAX_DELAY_MS = 60

const now = systemClock.now() // The processes have the clock of the machine.
const folder = tempFolder()
const file = join(folder.path, 'history.csv')
writeFileSync(file, historyFile(ROWS, now))

const open: Stage[] = []
afterAll(async () => {
  for (const s of open) await s.close()
  folder.remove()
})

async function fresh(): Promise<Stage> {
  const s = await stage({ now })
  open.push(s)
  return s
}

const envFor = (s: Stage): Record<string, string> => ({ ...envOf(s.ctx), SVC_MASTER_KEY: TEST_KEY })

/** Starts `svc import …` as a process of its own. */
function start(s: Stage, ...args: string[]) {
  return Bun.spawn([...svcCommand(), 'import', ...args, '--project', s.project.id, '--json'], {
    env: { ...childEnv(), ...envFor(s) },
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

async function run(s: Stage, ...args: string[]) {
  const child = start(s, ...args)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

async function jobOf(s: Stage) {
  await new Promise(setImmediate)
  return (await s.ctx.db.select().from(s.ctx.tables.importJobs))[0]
}

interface Killable {
  pid: number
  exited: Promise<unknown>
}

/** Waits until a process has written this many rows of the import; false when it ended before. */
async function untilWritten(s: Stage, { pid, exited }: Killable, rows: number): Promise<boolean> {
  let isOver = false
  void exited.then(() => {
    isOver = true
  })
  while (!isOver) {
    const job = await jobOf(s)
    const isItsOwn = job?.owner?.split(' ')[1] === String(pid)
    if (isItsOwn && job.status !== 'DRY_RUN_RUNNING' && job.counters.rows >= rows) return true
    await Bun.sleep(1)
  }
  return false
}

/** Goes on with the import in a server or by the command, and kills the process at a point of the work. */
async function disturb(s: Stage, kill: number, rows: number): Promise<boolean> {
  if (kill % SERVER_EVERY === SERVER_EVERY - 1) return disturbServer(s, rows)
  const job = await jobOf(s)
  const child = job ? start(s, 'resume', job.id) : start(s, file, '--commit')
  const isHit = await untilWritten(s, child, rows)
  await Bun.sleep(Math.random() * MAX_DELAY_MS)
  child.kill('SIGKILL')
  await child.exited
  return isHit && child.signalCode === 'SIGKILL'
}

async function disturbServer(s: Stage, rows: number): Promise<boolean> {
  const { SVC_DATA_DIR = '', ...env } = envFor(s)
  const server = await startServerProcess(SVC_DATA_DIR, env)
  const isHit = await untilWritten(s, server, rows)
  await Bun.sleep(Math.random() * MAX_DELAY_MS)
  await server.kill('SIGKILL')
  return isHit
}

/** The names of the parts that differ, with their first lines that do: a whole difference would be megabytes. */
function differences(one: object, other: object): [string, unknown, unknown][] {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return [...left].flatMap(([name, rows]) => {
    const others: unknown[] = right.get(name) ?? []
    const at = [...Array(Math.max(rows.length, others.length)).keys()].find(
      (index) => JSON.stringify(rows[index]) !== JSON.stringify(others[index]),
    )
    return at === undefined ? [] : [[name, rows[at], others[at]] as [string, unknown, unknown]]
  })
}

const contentOf = async (s: Stage) => (await digestOf(s)) as Record<string, unknown[]>

test(
  `an import of ${ROWS} rows that is killed with -9 at ${KILLS} points ends as an undisturbed one`,
  async () => {
    const undisturbed = await fresh()
    const whole = await run(undisturbed, file, '--commit')
    expect([whole.code, whole.err]).toEqual([3, '']) // 3: some rows cannot be read.
    const expected = await jobOf(undisturbed)
    expect(expected).toMatchObject({ status: 'COMPLETED', counters: { rows: ROWS } })
    expect(expected?.counters.purchasesNew).toBeGreaterThan(ROWS / 10)
    const wanted = await contentOf(undisturbed)

    const disturbed = await fresh()
    let [hits, halfway] = [0, 0]
    for (let kill = 0; kill < KILLS; kill++) {
      if (await disturb(disturbed, kill, Math.floor((kill * ROWS) / (KILLS + 1)))) hits++
      if ((await jobOf(disturbed))?.status === 'RUNNING') halfway++
    }
    expect(hits).toBe(KILLS)
    expect(halfway).toBeGreaterThan(KILLS / 2) // Most kills came while rows were written.
    const id = (await jobOf(disturbed))?.id ?? ''
    const rest = await run(disturbed, 'resume', id)
    expect([rest.code, rest.err]).toEqual([3, ''])
    const done = await jobOf(disturbed)
    expect([done?.status, done?.counters]).toEqual(['COMPLETED', expected?.counters])
    expect(done?.findings.errors).toEqual(expected?.findings.errors ?? [])
    expect(done?.findings.unknownProducts).toEqual([])
    const content = await contentOf(disturbed)
    expect(differences(content, wanted)).toEqual([])

    const again = await run(disturbed, file, '--commit')
    expect([again.code, again.err]).toEqual([3, ''])
    expect(JSON.parse(again.out).imports).toMatchObject([
      { counters: { subscribersNew: 0, purchasesNew: 0, purchasesUpdated: 0, invalid: expected?.counters.invalid } },
    ])
    expect(differences(await contentOf(disturbed), content)).toEqual([])
  },
  6 * 3_600_000,
) // A hundred kills take hours on a machine that does other work too.

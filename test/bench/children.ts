import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { TEST_KEY } from '../support/context'

export const ROOT = join(import.meta.dir, '..', '..')
export const EXECUTABLE = join(ROOT, 'dist', 'svc')

/** A server in its own process. */
export interface Child {
  url: string
  pid: number
  /** Time from before the spawn to the first 200 of `/health`; for the canned server to its ready line. */
  startMs: number
  stop(): Promise<void>
}

type Process = Bun.Subprocess<'ignore', 'pipe', 'inherit'>

const running = new Set<Process>()
const STOP_MS = 12_000

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Whether `dist/svc` exists and is newer than all its sources. */
export function isExecutableFresh(): boolean {
  if (!existsSync(EXECUTABLE)) return false
  const built = statSync(EXECUTABLE).mtimeMs
  const parts = ['src', 'migrations'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(ROOT, folder, name)),
  )
  return parts.every((part) => statSync(part).mtimeMs <= built)
}

/** How the system under test is started: the executable when it is fresh, or else from its sources. */
export const serveCommand = (): string[] =>
  isExecutableFresh() ? [EXECUTABLE, 'serve'] : [process.execPath, join(ROOT, 'src', 'main.ts'), 'serve']

/** Starts the system under test with a data folder and without its rate limits. */
export function startServer(
  command: readonly string[],
  folder: string,
  more: Record<string, string> = {},
): Promise<Child> {
  const env = {
    SVC_MASTER_KEY: TEST_KEY,
    SVC_RATE_KEY: '0',
    SVC_RATE_IP: '0',
    SVC_RATE_NEW: '0',
    SVC_STREAMS_PER_IP: '0',
    SVC_INTERNAL_PORT: '0',
    SVC_LOG_LEVEL: 'warn',
    SVC_FX_URL: 'off',
    ...more,
  }
  return start([...command, '--port', '0', '--data', folder], env, '/health')
}

/** Starts the system under test from its sources; it makes the commits that are requested from `stream-server.ts`. */
export function startCommitting(folder: string, projectId: string): Promise<Child> {
  const script = join(import.meta.dir, 'stream-server.ts')
  return start([process.execPath, script, folder, projectId], {}, '/health')
}

export function startYardstick(kind: 'elysia' | 'canned' | 'refusing'): Promise<Child> {
  const command = [process.execPath, join(import.meta.dir, 'yardstick-server.ts'), kind]
  return start(command, {}, kind === 'canned' ? null : '/health')
}

async function start(command: string[], env: Record<string, string>, probe: string | null): Promise<Child> {
  const startedAt = performance.now()
  const child = Bun.spawn(command, {
    cwd: ROOT,
    env: { ...foreignEnv(), NODE_ENV: 'production', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  running.add(child)
  const url = await readUrl(child)
  if (probe !== null) await expectOk(`${url}${probe}`)
  return { url, pid: child.pid, startMs: performance.now() - startedAt, stop: () => stop(child) }
}

/** The environment without the variables of svc: they may be set for another svc on this machine. */
const foreignEnv = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')))

async function readUrl(child: Process): Promise<string> {
  let text = ''
  for await (const part of child.stdout) {
    text += Buffer.from(part).toString()
    const [, url] = /^listening on (http:\/\/\S+)\n/m.exec(text) ?? []
    if (url) return url
  }
  throw new Error(`The server ended before it listened: ${text}`)
}

async function expectOk(url: string): Promise<void> {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  if (status !== 200) throw new Error(`${url} answered ${status}`)
}

async function stop(child: Process): Promise<void> {
  child.kill('SIGTERM')
  await Promise.race([child.exited, Bun.sleep(STOP_MS)])
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await child.exited
  running.delete(child)
}

/** Memory of a process in megabytes; `anon` is its own memory without the mapped executable. Null without /proc. */
export function readMemory(pid: number): { rss: number; anon: number } | null {
  const path = `/proc/${pid}/smaps_rollup`
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
  const megabytes = (name: string): number =>
    (Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)?.[1]) * 1024) / 1e6
  return { rss: megabytes('Rss'), anon: megabytes('Anonymous') }
}

const TICKS_PER_SECOND = 100

/** Processor seconds that a process has used so far, in all threads; null without /proc. */
export function readCpuSeconds(pid: number): number | null {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** How long the main thread of a process has run, and waited for a processor; null without /proc. */
export function readMainThread(pid: number): { ranMs: number; waitedMs: number } | null {
  const path = `/proc/${pid}/task/${pid}/schedstat`
  if (!existsSync(path)) return null
  const [ranNs = 0, waitedNs = 0] = readFileSync(path, 'utf8').split(' ').map(Number)
  return { ranMs: ranNs / 1e6, waitedMs: waitedNs / 1e6 }
}

const QUIET_SHARE = 0.1
const QUIET_WITHIN_MS = 120_000

/** Waits until a server does hardly anything: a first start on rows that were seeded counts them in the background. */
export async function untilQuiet({ pid }: Child): Promise<void> {
  const startedAt = performance.now()
  for (let before = readCpuSeconds(pid) ?? 0; performance.now() - startedAt < QUIET_WITHIN_MS; ) {
    await Bun.sleep(5000)
    const used = (readCpuSeconds(pid) ?? before) - before
    if (used < 5 * QUIET_SHARE) return
    before += used
  }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

/** How tests start the product: the executable that SVC_TEST_EXECUTABLE names, or else the sources. */
export const svcCommand = (): string[] => {
  const executable = process.env.SVC_TEST_EXECUTABLE
  return executable ? [executable] : [process.execPath, join(ROOT, 'src/main.ts')]
}

const CLOCK_NAMES = ['TZ', 'LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT']

/** The variables that give a process the clock of the tests, which `bun run test:clocks` shifts; otherwise empty. */
export const clockEnv = (): Record<string, string> =>
  Object.fromEntries(CLOCK_NAMES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

/**
 * The environment of a server that is not svc. The library that shifts the clock makes Redis hang at its start and the
 * engine of ClickHouse twenty times slower; neither tells svc the time.
 */
export const realClockEnv = (): Record<string, string | undefined> => ({ ...process.env, LD_PRELOAD: undefined })

/**
 * The environment of every process that tests start. It names a data folder, so that no test ever works on an svc that
 * is installed on this machine, and no exchange rates are fetched from the internet.
 */
export const childEnv = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  SVC_DATA_DIR: 'data',
  SVC_FX_URL: 'off',
  ...clockEnv(),
})

export interface ServerProcess {
  url: string
  pid: number
  exited: Promise<number>
  /** Everything the process has written to stderr so far; complete after `kill`. */
  stderr(): string
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number>
}

const QUIET = { SVC_RATE_KEY: '0', SVC_RATE_IP: '0', SVC_RATE_NEW: '0', SVC_INTERNAL_PORT: '0', SVC_LOG_LEVEL: 'warn' }

/** Starts `svc serve` on a free port, or on SVC_PORT, over a data folder and waits for its ready line. */
export async function startServerProcess(
  dataDir: string,
  env: Record<string, string> = {},
  command = svcCommand(),
): Promise<ServerProcess> {
  const child = Bun.spawn([...command, 'serve', '--port', env.SVC_PORT ?? '0', '--data', dataDir], {
    env: { ...childEnv(), ...QUIET, ...env },
    cwd: dataDir,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const written: string[] = []
  const gathered = gather(child.stderr, written)
  const url = await readyUrl(child.stdout, written)
  return {
    url,
    pid: child.pid,
    exited: child.exited,
    stderr: () => written.join(''),
    async kill(signal) {
      child.kill(signal)
      await gathered
      return child.exited
    },
  }
}

async function gather(stream: ReadableStream<Uint8Array>, written: string[]): Promise<void> {
  for await (const chunk of stream) written.push(Buffer.from(chunk).toString())
}

async function readyUrl(stdout: ReadableStream<Uint8Array>, written: readonly string[]): Promise<string> {
  let text = ''
  for await (const chunk of stdout) {
    text += Buffer.from(chunk).toString()
    const url = /listening on (https?:\S+)\n/.exec(text)?.[1]
    if (url) return url
  }
  throw new Error(`the server ended before it was ready: ${text}${written.join('')}`)
}

/** A new temporary folder, with the function that deletes it. */
export function tempFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-process-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Whether a process runs. One that has ended and that its parent has not asked about yet does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

import { join } from 'node:path'
import type { Io } from '../../src/base/cli/command'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import type { Stage } from './cast'
import type { Ran } from './command'
import { TEST_KEY } from './context'
import { type OldVendor, VENDOR_KEY } from './old-vendor'
import { childEnv } from './process'

export const KEY_ENV = 'OLD_VENDOR_KEY'

export const compareEnv = ({ ctx }: Stage): Record<string, string> => {
  const { database, dataDir } = ctx.config
  return {
    ...{ SVC_MASTER_KEY: TEST_KEY, SVC_DATA_DIR: dataDir, SVC_FX_URL: 'off', [KEY_ENV]: VENDOR_KEY },
    ...(database.kind === 'postgres' ? { SVC_DATABASE_URL: database.url } : {}),
  }
}

interface Options {
  env?: Record<string, string>
  stopped?: Promise<void>
  isTerminal?: boolean
}

/** Runs `svc compare` over the stage's database, as another process would. */
export async function runCompare(s: Stage, args: readonly string[], options: Options = {}): Promise<Ran> {
  const ran = { out: [] as string[], err: [] as string[], progress: [] as string[] }
  const io: Io = {
    out: (line) => void ran.out.push(line),
    err: (line) => void ran.err.push(line),
    isTerminal: options.isTerminal ?? false,
    env: { ...compareEnv(s), ...options.env },
    clock: s.ctx.clock,
    confirm: async () => false,
    progress: (line) => void (line !== null && ran.progress.push(line)),
    program: PROGRAM,
    stopped: options.stopped ?? new Promise(() => {}),
  }
  const code = await runCommandLine(['compare', ...args], io)
  return { code, out: ran.out.join('\n'), err: ran.err.join('\n'), progress: ran.progress }
}

/** The options of a comparison of the stage's first project with the stand-in. */
export const orderArgs = (s: Stage, { url }: Pick<OldVendor, 'url'>, ...more: string[]): string[] => [
  ...['--vendor', 'revenuecat', '--key-env', KEY_ENV, '--url', url, '--project', s.project.id],
  ...(more.includes('--rate') ? [] : ['--rate', '0']),
  ...more,
]

/** The options with which an interrupted one continues. */
export const resumeArgs = (s: Stage, ...more: string[]): string[] => [
  ...['--resume', '--key-env', KEY_ENV, '--project', s.project.id, '--rate', '0', ...more],
]

/** `svc compare` as a process of its own, which can be killed. */
export const spawnCompare = (s: Stage, args: readonly string[]) =>
  Bun.spawn([process.execPath, join(import.meta.dir, '../../src/main.ts'), 'compare', ...args], {
    env: { ...childEnv(), ...compareEnv(s) },
    ...{ stdout: 'pipe', stderr: 'pipe' },
  })

import { join } from 'node:path'
import { SECOND } from '../../src/base/lib/clock'
import { runCommandLine } from '../../src/cli/main'
import { PROGRAM } from '../../src/program'
import type { ProjectState } from '../../src/projects/project/state'
import { type Stage, stage } from './cast'
import { TEST_KEY, type TestContext } from './context'

/** The result of one run of the command line; `json` is its only line of output, parsed. */
export interface Ran {
  code: number
  out: string[]
  err: string[]
  // biome-ignore lint/suspicious/noExplicitAny: the commands print many shapes.
  json: any
}

/** Runs `svc` in this process with the stage's database and clock. */
export async function svc(ctx: TestContext, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const { database, dataDir } = ctx.config
  const url = database.kind === 'postgres' ? database.url : `file:${join(dataDir, 'svc.db')}`
  const ran = { code: -1, out: [] as string[], err: [] as string[], json: null }
  ran.code = await runCommandLine(args, {
    out: (line) => void ran.out.push(line),
    err: (line) => void ran.err.push(line),
    isTerminal: false,
    env: { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: url, SVC_MASTER_KEY: TEST_KEY, ...env },
    clock: ctx.clock,
    confirm: async () => false,
    progress: () => {},
    program: PROGRAM,
    stopped: new Promise(() => {}),
  })
  if (args.includes('--json') && ran.code === 0) ran.json = JSON.parse(ran.out.join('\n'))
  return ran
}

/** A stage with the command line beside its server; each command takes one second. */
export interface CliStage extends Stage {
  /** Runs `svc simulate …` for the stage's project. The command must succeed; returns what it printed. */
  // biome-ignore lint/suspicious/noExplicitAny: the commands print many shapes.
  simulate(...args: string[]): Promise<any>
  /** Runs a command that must fail; returns its exit code and its one sentence. */
  refused(...args: string[]): Promise<[code: number, sentence: string]>
}

export async function cliStage(env: Record<string, string> = {}): Promise<CliStage> {
  const s = await stage({ env })
  const run = async (args: string[]) => {
    const ran = await svc(s.ctx, ['simulate', ...args, '--project', s.project.id, '--json'])
    s.ctx.clock.advance(SECOND)
    return ran
  }
  return Object.assign(s, {
    async simulate(...args: string[]) {
      const { code, err, json } = await run(args)
      if (code !== 0) throw new Error(`svc simulate ${args.join(' ')} ended with ${code}: ${err.join(' ')}`)
      return json
    },
    async refused(...args: string[]): Promise<[number, string]> {
      const { code, err } = await run(args)
      return [code, err.join(' ')]
    },
  })
}

/** The stage's project as services get it. */
export const projectOf = (s: Stage): Promise<ProjectState> => s.ctx.state.projects.get(s.project.id)

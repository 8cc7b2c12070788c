import { readConfig } from '../../src/config'
import { createContext } from '../../src/context'
import { migrate } from '../../src/db/migrate'
import { createLog } from '../../src/lib/log'
import { type CastProject, makeProject } from './cast'
import type { TestContext } from './context'
import { svcCommand } from './process'

/** A migrated database with the cast's project in it, made by this process and closed again. */
export async function makeDeployment(env: Record<string, string>): Promise<CastProject> {
  const ctx = await createContext(readConfig(env), { log: createLog({ level: 'off', now: () => 0 }) })
  await migrate(ctx.storage)
  const project = await makeProject(ctx as TestContext, 1, {})
  await ctx.close()
  return project
}

export interface Finished {
  code: number
  out: string
  err: string
}

/** Runs one command to its end, in an environment of its own. */
export async function runSvc(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const own = { PATH: process.env.PATH ?? '', SVC_INTERNAL_PORT: '0', ...env }
  const child = Bun.spawn([...svcCommand(), ...args], { env: own, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** A process that holds the write lock of a database file until it is told to let go. */
export async function holdWriteLock(path: string): Promise<{ release(): Promise<void> }> {
  const script = `
    import { Database } from 'bun:sqlite'
    const database = new Database(${JSON.stringify(path)})
    database.run('PRAGMA busy_timeout = 5000')
    database.run('BEGIN IMMEDIATE')
    process.stdin.once('data', () => {
      database.run('COMMIT')
      process.exit(0)
    })
    console.log('held')`
  const child = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  await reader.read()
  return {
    async release() {
      child.stdin.write('go\n')
      child.stdin.end()
      await child.exited
    },
  }
}

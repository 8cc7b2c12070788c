import { expect } from 'bun:test'
import { join } from 'node:path'
import { readConfig } from '../../src/base/config'
import { migrate } from '../../src/base/db/migrate'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { type CastProject, makeProject } from './cast'
import type { TestContext } from './context'
import { childEnv, type ServerProcess, startServerProcess, svcCommand, tempFolder } from './process'

/** A migrated database with the test project, created by this process and closed again. */
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

/** Runs one command to its end, with its own environment. */
export async function runSvc(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const own = { ...childEnv(), SVC_INTERNAL_PORT: '0', ...env }
  const child = Bun.spawn([...svcCommand(), ...args], { env: own, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** A process that holds the write lock of a database file until `release` is called. */
export async function holdWriteLock(path: string): Promise<{ release(): Promise<void> }> {
  const script = `
    import { Database } from 'bun:sqlite'
    const database = new Database(${JSON.stringify(path)})
    database.run('PRAGMA busy_timeout = 60000')
    database.run('BEGIN IMMEDIATE')
    process.stdin.once('data', () => {
      database.run('COMMIT')
      process.exit(0)
    })
    console.log('held')`
  const child = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  if ((await child.stdout.getReader().read()).done) throw new Error(`nobody holds the lock of ${path}`)
  return {
    async release() {
      child.stdin.write('go\n')
      child.stdin.end()
      await child.exited
    },
  }
}

/** A running server with its own folder and the test project. */
export interface Deployment {
  path: string
  /** Path of the database, where it is a file. */
  file: string
  project: CastProject
  server: ServerProcess
}

/** Creates deployments, and removes them at the end. */
export class Deployments {
  private readonly undo: (() => unknown)[] = []

  defer(action: () => unknown): void {
    this.undo.push(action)
  }

  folder(): string {
    const { path, remove } = tempFolder()
    this.defer(remove)
    return path
  }

  /** A file system of 8 MB in memory; null where this process may not mount one. */
  smallDisk(): string | null {
    const path = this.folder()
    const mount = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path], { stderr: 'ignore' })
    if (mount.exitCode !== 0) return null
    this.defer(() => Bun.spawnSync(['umount', '-l', path]))
    return path
  }

  async start(env: Record<string, string> = {}, path = this.folder()): Promise<Deployment> {
    const project = await makeDeployment({ SVC_DATA_DIR: path, ...env })
    return { path, file: join(path, 'svc.db'), project, server: await this.serve(path, env) }
  }

  /** Starts a server with an existing folder. */
  async serve(path: string, env: Record<string, string> = {}): Promise<ServerProcess> {
    const server = await startServerProcess(path, env)
    this.defer(() => server.kill('SIGKILL'))
    return server
  }

  async end(): Promise<void> {
    for (const action of this.undo.splice(0).reverse()) await action()
  }
}

/** The result of one call over the network. */
export interface Seen {
  status: number
  code: string | undefined
  retryAfter: string | null
}

export async function see(url: string, init: RequestInit = {}): Promise<Seen> {
  const response = await fetch(url, { keepalive: false, ...init })
  const body = (await response.json()) as { error?: { code: string } }
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, code: body.error?.code, retryAfter }
}

/** Reads as a device. A new device is also written. */
export const read = ({ server, project }: Deployment, device: string): Promise<Seen> =>
  see(`${server.url}/v1/me`, {
    headers: { authorization: `Bearer ${project.publicKey}`, 'x-svc-app-user-id': device },
  })

let count = 0

/** Sets an attribute of a device. Each call has a new value, so that each call writes. */
export const write = (
  { server, project }: Deployment,
  device: string,
  headers: Record<string, string> = {},
): Promise<Seen> =>
  see(`${server.url}/v1/me/attributes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${project.publicKey}`,
      'x-svc-app-user-id': device,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ attributes: { plan: `value ${++count}` } }),
  })

/** Status of the readiness check. */
export const readyStatus = async ({ server }: Pick<Deployment, 'server'>): Promise<number> =>
  (await see(`${server.url}/health/ready`)).status

/** How long a write waits for a lock, and a query for a connection, before the answer is 503. */
export const PATIENCE_MS = 5000

/**
 * Runs an attempt that must end before a limit of the server. When the machine was too slow, prepares and attempts
 * again; the timeout of the test ends the repetition.
 */
export async function within<Prepared, Result>(
  limitMs: number,
  prepare: () => Promise<Prepared>,
  attempt: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const prepared = await prepare()
    const startedAt = performance.now()
    try {
      return await attempt(prepared)
    } catch (error) {
      if (performance.now() - startedAt < limitMs) throw error
    }
  }
}

/**
 * Waits until the server has read what was sent before. This works because the server takes connections in the order in
 * which they arrive.
 */
export async function untilRead({ server }: Pick<Deployment, 'server'>): Promise<void> {
  for (const _ of [1, 2]) expect((await see(`${server.url}/health`)).status).toBe(200)
}

/** Starts calls that must wait, and expects that the server answers all other calls meanwhile. */
export async function whileOthersAreServed(on: Deployment, start: () => Promise<Seen>[]): Promise<Promise<Seen>[]> {
  const nothing = async () => {}
  return within(PATIENCE_MS, nothing, async () => {
    let ended = 0
    const calls = start()
    for (const call of calls) void call.then(() => ended++)
    for (let times = 0; times < 10; times++) await untilRead(on)
    expect(ended).toBe(0)
    return calls
  })
}

import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { memoryFolder } from './memory-folder'

export interface PostgresServer {
  /** The address for a superuser, with the database `postgres`. */
  url: string
  /** The file of its log. */
  log: string
  stop(): Promise<void>
}

/** Why no server can be started here; null when one can. A skipped test prints it. */
export function postgresMissing(): string | null {
  if (process.env.SVC_TEST_SKIP?.split(',').includes('postgres')) return 'SVC_TEST_SKIP names postgres'
  if (findBin() === null) return 'no PostgreSQL found; install it or set SVC_TEST_POSTGRES_BIN to its bin folder'
  return isRoot() && findUser() === null ? 'PostgreSQL does not run as root, and there is no other user' : null
}

/**
 * A PostgreSQL server of its own on a free port of 127.0.0.1, its data in a temporary folder below `parent`; `more` are
 * settings.
 */
export async function startPostgres(more: readonly string[] = [], parent = memoryFolder()): Promise<PostgresServer> {
  const missing = postgresMissing()
  if (missing !== null) throw new Error(missing)
  const folder = mkdtempSync(join(parent, 'svc-postgres-'))
  const user = isRoot() ? findUser() : null
  if (user) chownSync(folder, user.uid, user.gid)
  try {
    await initialise(user, join(folder, 'data'))
    for (;;) {
      const port = await freePort()
      const server = spawnServer(user, folder, [...more, `port=${port}`])
      const log = join(folder, 'log')
      if (await isReady(server, folder, port)) return { url: urlOf(port), log, stop: stopper(server, folder) }
      if (!logOf(folder).includes('Address already in use')) throw new Error(`exit code ${server.exitCode}`)
    }
  } catch (error) {
    const said = logOf(folder)
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${error instanceof Error ? error.message : error}\n${said}`)
  }
}

function logOf(folder: string): string {
  const log = join(folder, 'log')
  return existsSync(log) ? readFileSync(log, 'utf8') : ''
}

// The data of these servers is thrown away, so speed is more important than safety. The shared memory is in the folder
// of the server, so that it is deleted with the folder.
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=200',
  'dynamic_shared_memory_type=mmap',
  // Its statistics would change the plans, and so the order of rows, while a test runs.
  'autovacuum=off',
]

async function initialise(user: User | null, data: string): Promise<void> {
  const options = ['-D', data, '-U', 'svc', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync']
  // The process must not block here, because other tests run meanwhile.
  const child = Bun.spawn(as(user, program('initdb'), ...options), {
    cwd: tmpdir(),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`initdb failed: ${said}`)
}

function spawnServer(user: User | null, folder: string, more: readonly string[]): Bun.Subprocess {
  const settings = [...SETTINGS, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, ...more]
  const options = ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])]
  const log = join(folder, 'log')
  rmSync(log, { force: true })
  return Bun.spawn(as(user, program('postgres'), ...options), {
    cwd: tmpdir(),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: Bun.file(log),
  })
}

/** PostgreSQL refuses to run as root. The command ends with this process, however this process ends. */
function as(user: User | null, ...command: string[]): string[] {
  const identity = user === null ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  return ['setpriv', ...identity, '--pdeathsig=INT', '--', ...command]
}

const PAUSE_MS = 50

/** False when the server has ended instead. */
async function isReady(server: Bun.Subprocess, folder: string, port: number): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    if ((await dataFolderAt(port)) === join(folder, 'data')) return true
    await Bun.sleep(PAUSE_MS)
  }
  return false
}

/** The data folder of the server that answers at the port. It may be another server, which took the port first. */
async function dataFolderAt(port: number): Promise<string | null> {
  const client = postgres(urlOf(port), { max: 1, connect_timeout: 30, onnotice: () => {} })
  try {
    const [row] = await client`select current_setting('data_directory') as folder`
    return row?.folder ?? null
  } catch {
    return null
  } finally {
    await client.end()
  }
}

const urlOf = (port: number): string => `postgres://svc@127.0.0.1:${port}/postgres`

/** Stops at once: the data that a checkpoint would save is thrown away. */
function stopper(server: Bun.Subprocess, folder: string): () => Promise<void> {
  const end = () => {
    server.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', end)
  return async () => {
    process.off('exit', end)
    server.kill('SIGQUIT')
    await server.exited
    rmSync(folder, { recursive: true, force: true })
  }
}

interface User {
  uid: number
  gid: number
}

const isRoot = (): boolean => process.getuid?.() === 0

function findUser(): User | null {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = [idOf('-u', name), idOf('-g', name)]
    if (uid !== null && gid !== null) return { uid, gid }
  }
  return null
}

function idOf(kind: '-u' | '-g', name: string): number | null {
  const ran = Bun.spawnSync({ cmd: ['id', kind, name], stderr: 'ignore' })
  return ran.exitCode === 0 ? Number(ran.stdout.toString()) : null
}

const program = (name: string): string => join(findBin() ?? '', name)

const INSTALLED = '/usr/lib/postgresql'

/** The folder of the programs: SVC_TEST_POSTGRES_BIN, or the newest one on the system. */
function findBin(): string | null {
  if (process.env.SVC_TEST_POSTGRES_BIN) return process.env.SVC_TEST_POSTGRES_BIN
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).filter((name) => /^\d/.test(name)) : []
  const [newest] = versions.sort((a, b) => Number(b) - Number(a))
  return newest === undefined ? null : join(INSTALLED, newest, 'bin')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

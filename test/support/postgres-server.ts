import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface PostgresServer {
  /** Of a superuser, to the database `postgres`. */
  url: string
  stop(): Promise<void>
}

/** Why no server can be started here, or null: a test says it when it is skipped. */
export function postgresMissing(): string | null {
  if (process.env.SVC_TEST_SKIP?.split(',').includes('postgres')) return 'SVC_TEST_SKIP names postgres'
  if (findBin() === null) return 'there is no PostgreSQL (install it, or set SVC_TEST_POSTGRES_BIN to its bin folder)'
  return isRoot() && findUser() === null ? 'PostgreSQL does not run as root, and there is no other user' : null
}

/** A PostgreSQL server of its own on a free port of 127.0.0.1, with its data in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const missing = postgresMissing()
  if (missing !== null) throw new Error(missing)
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  const user = isRoot() ? findUser() : null
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    run(user, 'initdb', ['-D', data, '-U', 'svc', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync'])
    run(user, 'pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-o', options(port, folder), '-w', 'start'])
  } catch (error) {
    remove()
    throw error
  }
  return { url: `postgres://svc@127.0.0.1:${port}/postgres`, stop: stopOnce(user, data, remove) }
}

/** Speed stands above safety: what these servers hold is thrown away. */
const options = (port: number, folder: string): string =>
  [
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`,
    '-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=200',
  ].join(' ')

/** Stops the server at the end of the process too, so that a failed test leaves none behind. */
function stopOnce(user: User | null, data: string, remove: () => void): () => Promise<void> {
  const stop = () => {
    process.off('exit', stop)
    run(user, 'pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
    remove()
  }
  process.on('exit', stop)
  return async () => stop()
}

interface User {
  name: string
  uid: number
  gid: number
}

const isRoot = (): boolean => process.getuid?.() === 0

function findUser(): User | null {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(output(['id', flag, name]) ?? Number.NaN))
    if (Number.isInteger(uid) && Number.isInteger(gid)) return { name, uid: Number(uid), gid: Number(gid) }
  }
  return null
}

function output(cmd: string[]): string | null {
  const ran = Bun.spawnSync({ cmd, stderr: 'ignore' })
  return ran.exitCode === 0 ? ran.stdout.toString().trim() : null
}

const INSTALLED = '/usr/lib/postgresql'

/** The folder of the programs: SVC_TEST_POSTGRES_BIN, or the newest that Debian installed. */
function findBin(): string | null {
  if (process.env.SVC_TEST_POSTGRES_BIN) return process.env.SVC_TEST_POSTGRES_BIN
  const versions = folders(INSTALLED).sort((a, b) => Number(b) - Number(a))
  return versions[0] === undefined ? null : join(INSTALLED, versions[0], 'bin')
}

function folders(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => /^\d/.test(name))
  } catch {
    return [] // Not installed.
  }
}

function run(user: User | null, program: string, args: string[]): void {
  const become = user === null ? [] : ['runuser', '-u', user.name, '--']
  const cmd = [...become, join(findBin() ?? '', program), ...args]
  const ran = Bun.spawnSync({ cmd, cwd: tmpdir(), stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  if (ran.exitCode !== 0) throw new Error(`${program} failed: ${ran.stderr.toString()}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

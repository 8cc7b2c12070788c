import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClockEnv } from './process'
import { startProxy } from './proxy'

export interface RedisServer {
  url: string
  port: number
  stop(): Promise<void>
}

const program = (): string | null =>
  process.env.SVC_TEST_REDIS_BIN ?? Bun.which('redis-server') ?? Bun.which('valkey-server')

/** Why no Redis or Valkey can be started here; null when one can. A skipped test prints it. */
export function redisMissing(): string | null {
  if (process.env.SVC_TEST_SKIP?.split(',').includes('redis')) return 'SVC_TEST_SKIP names redis'
  return program() === null ? 'no redis-server or valkey-server found' : null
}

/** A Redis server of its own on a free port of 127.0.0.1, which stores nothing on the disk. */
export async function startRedis(): Promise<RedisServer> {
  const binary = program()
  if (binary === null) throw new Error(String(redisMissing()))
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  for (;;) {
    const port = 20_000 + (Math.floor(performance.now() * 1000 + process.pid * 7) % 40_000)
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    const server = Bun.spawn([binary, ...options], { stdout: 'ignore', stderr: 'ignore', env: realClockEnv() })
    const stop = async () => {
      server.kill('SIGKILL')
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    }
    if (await answers(server, port)) return { url: `redis://127.0.0.1:${port}`, port, stop }
    server.kill('SIGKILL') // The port is in use.
  }
}

async function answers(server: Bun.Subprocess, port: number): Promise<boolean> {
  while (server.exitCode === null) {
    const client = new Bun.RedisClient(`redis://127.0.0.1:${port}`, { autoReconnect: false, connectionTimeout: 1000 })
    try {
      const told = String(await client.send('INFO', ['server']))
      return told.includes(`process_id:${server.pid}`)
    } catch {
      await Bun.sleep(10)
    } finally {
      client.close()
    }
  }
  return false
}

/** A Redis server behind a proxy that can refuse connections or hang. */
export async function startRedisBehindProxy() {
  const redis = await startRedis()
  const proxy = await startProxy(redis.port)
  return { proxy, url: `redis://127.0.0.1:${proxy.port}`, stop: () => proxy.leave().then(() => redis.stop()) }
}

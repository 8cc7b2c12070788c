import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { systemClock } from '../../src/base/lib/clock'
import { runIssuer } from '../../src/operators/tls/issuer'
import { findTlsName } from '../../src/operators/tls/queries'
import { refreshTls } from '../../src/operators/tls/refresh'
import { startServer } from '../../src/server'
import { atEnd } from './cleanup'
import { type TestContext, testContext } from './context'

/** A server with public ports of its own, in this process. */
export interface SecureServer {
  ctx: TestContext
  httpsPort: () => number
  httpPort: number
  stop(): Promise<void>
}

/** Everything that the issuer has to do now, done, and what came of it served. */
export async function issueNow({ ctx }: SecureServer): Promise<void> {
  await runIssuer(ctx)
  await ctx.state.tls.issuer.ended()
  await refreshTls(ctx)
}

/** The row of a name. */
export const nameOf = ({ ctx }: SecureServer, name: string) => findTlsName(ctx, name)

const PORTS = { SVC_PORT: '0', SVC_HTTPS_PORT: '0', SVC_HTTP_PORT: '0', SVC_INTERNAL_PORT: '0', SVC_HOST: '127.0.0.1' }

/** Starts a server on free ports of loopback. Authorities do not know the clock of a test, so it begins with the true time. */
export async function startSecureServer(env: Record<string, string>): Promise<SecureServer> {
  const ctx = await testContext({ now: systemClock.now(), env: { ...PORTS, ...env } })
  const server = await startServer(ctx).catch(async (error) => {
    await ctx.close()
    throw error
  })
  const { listeners } = ctx.state.tls
  return {
    ctx,
    httpsPort: () => listeners?.httpsPort ?? 0,
    httpPort: listeners?.httpPort ?? 0,
    stop: () => server.stop(),
  }
}

/** The SHA-256 of the certificate that a port shows for a name, in lower-case hex. */
export async function shownCertificate(port: number, servername: string, host = '127.0.0.1'): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect({ port, host, servername, rejectUnauthorized: false }, () => {
    resolve(socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase() ?? '')
    socket.destroy()
  })
  socket.on('error', reject)
  return promise
}

/** A GET by https with a Host header, whatever the certificate. */
export const getSecurely = (port: number, host: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`https://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { host, ...init.headers },
    redirect: 'manual',
    tls: { rejectUnauthorized: false },
  })

let made = 0

/** A path for a file that is deleted at the end. */
export function scratchFile(name: string): string {
  const path = join(tmpdir(), `svc-tls-${process.pid}-${made++}-${name}`)
  atEnd(() => rmSync(path, { force: true }))
  return path
}

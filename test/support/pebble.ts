import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Subprocess } from 'bun'
import { realClockEnv } from './process'
import { scratchFile } from './secure-server'
import { selfSigned } from './self-signed'

const program = (): string | null => Bun.which(process.env.SVC_TEST_PEBBLE_BIN ?? 'pebble')

/** Why there is no `pebble`, Debian's certificate authority for tests; null where there is one. */
export function pebbleMissing(): string | null {
  if (process.env.SVC_TEST_SKIP?.split(',').includes('pebble')) return 'SVC_TEST_SKIP names pebble'
  return program() === null || Bun.which('pebble-challtestsrv') === null ? 'no pebble found' : null
}

/** A running authority, and a resolver that gives every name the address 127.0.0.1. */
export interface Pebble {
  /** The variables of a server that gets its certificates from it. */
  env: Record<string, string>
  directory: string
  /** Fixed ports on which it looks for a name. */
  httpPort: number
  tlsPort: number
  /** The path of the root that is trusted for the authority itself. */
  ca: string
  /** What a name leads to in place of 127.0.0.1. */
  setAddress(name: string, address: string): Promise<void>
  /** The resolver fails for a name from now on. */
  refuse(name: string): Promise<void>
  stop(): Promise<void>
}

interface Options {
  /** Percent of the nonces that are refused. */
  badNonces?: number
  /** The bindings of accounts that it asks for: key id and key. */
  bindings?: Record<string, string>
}

/** Starts both programs on free ports of loopback. */
export async function startPebble({ badNonces = 20, bindings }: Options = {}): Promise<Pebble> {
  const [acme, management, httpPort, tlsPort, dns, challenges] = await freePorts(6)
  const { cert, key } = await selfSigned('localhost')
  const [ca, keyFile, configFile] = [scratchFile('ca.pem'), scratchFile('ca.key'), scratchFile('pebble.json')]
  writeFileSync(ca, cert)
  writeFileSync(keyFile, key)
  const pebble = {
    ...{ listenAddress: `127.0.0.1:${acme}`, managementListenAddress: `127.0.0.1:${management}` },
    ...{ certificate: ca, privateKey: keyFile, httpPort, tlsPort },
    externalAccountBindingRequired: bindings !== undefined,
    ...(bindings && { externalAccountMACKeys: bindings }),
  }
  writeFileSync(configFile, JSON.stringify({ pebble }))
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '']
  const addresses = ['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '']
  const processes = [
    spawn([
      'pebble-challtestsrv',
      ...none,
      ...addresses,
      '-dns01',
      `127.0.0.1:${dns}`,
      '-management',
      `127.0.0.1:${challenges}`,
    ]),
    spawn([program() ?? '', '-config', configFile, '-dnsserver', `127.0.0.1:${dns}`], {
      ...{ PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: String(badNonces), PEBBLE_AUTHZREUSE: '0' },
    }),
  ]
  const directory = `https://localhost:${acme}/dir`
  await untilAnswers(directory)
  await untilAnswers(`http://127.0.0.1:${challenges}/`)
  return {
    ...{ directory, httpPort, tlsPort, ca },
    env: {
      ...{ SVC_TLS: 'auto', SVC_ACME_URL: directory, SVC_ACME_CA: ca, SVC_DNS: `127.0.0.1:${dns}` },
      ...{ SVC_HTTP_PORT: String(httpPort), SVC_HTTPS_PORT: String(tlsPort), SVC_ACCEPT_CA_TERMS: '1' },
    },
    async setAddress(name, address) {
      const body = JSON.stringify({ host: `${name}.`, addresses: [address] })
      await fetch(`http://127.0.0.1:${challenges}/add-a`, { method: 'POST', body })
    },
    async refuse(name) {
      const body = JSON.stringify({ host: `${name}.` })
      await fetch(`http://127.0.0.1:${challenges}/set-servfail`, { method: 'POST', body })
    },
    async stop() {
      for (const one of processes) one.kill()
      await Promise.all(processes.map(({ exited }) => exited))
    },
  }
}

const spawn = (command: string[], env: Record<string, string> = {}): Subprocess =>
  Bun.spawn(command, { env: { ...realClockEnv(), ...env }, stdout: 'ignore', stderr: 'ignore' })

async function untilAnswers(url: string): Promise<void> {
  for (const until = performance.now() + 20_000; performance.now() < until; await Bun.sleep(20)) {
    const answer = await fetch(url, { tls: { rejectUnauthorized: false } }).catch(() => null)
    if (answer) return
  }
  throw new Error(`nothing answers at ${url}`)
}

/**
 * Ports of loopback that nothing listens on at present. They are below those that the system gives to outgoing connections,
 * because they are opened again and again.
 */
export async function freePorts(count: 2): Promise<[number, number]>
export async function freePorts(count: 6): Promise<[number, number, number, number, number, number]>
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(12_000, 32_000)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
  server.once('error', () => resolve(false))
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  return promise
}

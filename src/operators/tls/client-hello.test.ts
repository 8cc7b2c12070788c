import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { offeredProtocols } from './client-hello'

/** What a real client sends first. */
async function helloOf(protocols: string[] | undefined): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>()
  const server = createServer((socket) => socket.once('data', (bytes) => resolve(Buffer.from(bytes))))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const options = { port, host: '127.0.0.1', servername: 'svc.example.com', rejectUnauthorized: false }
  const client = connect({ ...options, ...(protocols && { ALPNProtocols: protocols }) })
  client.on('error', () => {})
  const bytes = await promise
  client.destroy()
  server.close()
  return new Uint8Array(bytes)
}

test.each([[['acme-tls/1']], [['h2', 'http/1.1']], [['http/1.1', 'acme-tls/1']]])('finds %j', async (protocols) =>
  expect(offeredProtocols(await helloOf(protocols))).toEqual(protocols),
)

test('a part of the message is waited for, whatever its length', async () => {
  const hello = await helloOf(['acme-tls/1'])
  for (let length = 0; length < hello.length; length++) expect(offeredProtocols(hello.subarray(0, length))).toBeNull()
})

test.each([
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  '\x16\x03\x01\xff\xff\x01aaaaaaaaaaa',
  '\x16\x03\x01\x00\x05\x02aaaaaaa',
])('%p offers nothing', (text) => expect(offeredProtocols(Buffer.from(text, 'latin1'))).toEqual([]))

test('random bytes after a valid beginning never fail and never offer the protocol', async () => {
  const hello = await helloOf(['h2'])
  for (let at = 5; at < hello.length; at++) {
    const broken = Uint8Array.from(hello)
    broken[at] = (broken[at] ?? 0) ^ 0xff
    expect(offeredProtocols(broken) ?? []).not.toContain('acme-tls/1')
  }
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { httpFault, requireAddresses } from '../../src/operators/tls/reach'
import { type TestContext, testContext } from '../support/context'
import { scratchFile } from '../support/secure-server'
import { selfSigned } from '../support/self-signed'

// What a stranger who has a name can do while this server looks whether the name leads here.

const LONGEST_MB = 64
const MEGABYTE = new Uint8Array(1024 * 1024).fill(97)

let sent = 0
let body: 'endless' | 'proof' | 'longer' = 'endless'
let proof = ''

const endless = () =>
  new ReadableStream({
    pull(controller) {
      if (sent++ === LONGEST_MB) controller.close()
      else controller.enqueue(MEGABYTE)
    },
  })

const plain = Bun.serve({
  ...{ hostname: '127.0.0.1', port: 0 },
  fetch({ url }) {
    proof = `${url.split('/').at(-1)}.thumbprint`
    return new Response(body === 'endless' ? endless() : body === 'proof' ? proof : `${proof}\n`)
  },
})

let ctx: TestContext

beforeAll(async () => {
  const root = scratchFile('root.pem')
  await Bun.write(root, (await selfSigned('ca.example.com')).cert)
  ctx = await testContext({
    env: {
      ...{ SVC_TLS: 'auto', SVC_DOMAINS: 'svc.example.com', SVC_ACME_CA: root },
      SVC_HTTP_PORT: String(plain.port),
    },
  })
  ctx.state.tls.thumbprint = 'thumbprint'
})
afterAll(async () => {
  await plain.stop(true)
  await ctx.close()
})

const ask = () => httpFault(ctx, 'quiz.example.com', ['127.0.0.1'])

test('an answer without end is not read, and is none of this server', async () => {
  body = 'endless'
  expect(await ask()).toBe(`127.0.0.1 answers on port ${plain.port} and is not this server`)
  // What lies in the buffers of the connection was sent before anybody could end it.
  expect(sent).toBeLessThan(LONGEST_MB / 2)
})

test('only the very proof is that of this server', async () => {
  body = 'longer'
  expect(await ask()).toBe(`127.0.0.1 answers on port ${plain.port} and is not this server`)
  body = 'proof'
  expect(await ask()).toBeNull()
})

test('a custom domain leads to no private network, also where tests may call this machine', async () => {
  const allowing = { ...ctx, config: { ...ctx.config, isLoopbackAllowed: true } }
  for (const address of ['10.0.0.1', '169.254.169.254', 'fd00::1', '0.0.0.0'])
    for (const on of [ctx, allowing])
      expect(await requireAddresses(on, address, true).catch(String)).toContain('which is no public address')
  expect(await requireAddresses(ctx, '127.0.0.1', true).catch(String)).toContain('which is no public address')
  expect(await requireAddresses(allowing, '127.0.0.1', true)).toEqual(['127.0.0.1'])
  expect(await requireAddresses(ctx, '10.0.0.1', false)).toEqual(['10.0.0.1'])
})

import { afterEach, expect, test } from 'bun:test'
import { readPair, type ServedCertificate } from '../../src/operators/tls/certificate'
import { PublicListeners } from '../../src/operators/tls/listeners'
import { testContext } from '../support/context'
import { freePorts } from '../support/pebble'
import { shownCertificate } from '../support/secure-server'
import { selfSigned } from '../support/self-signed'

const NAME = 'svc.example.com'
const opened: PublicListeners[] = []
afterEach(async () => {
  for (const listeners of opened.splice(0)) await listeners.stop()
})

async function certificate(): Promise<ServedCertificate> {
  const { cert, key } = await selfSigned(NAME)
  return readPair(cert, key) as ServedCertificate
}

async function open() {
  const [httpsPort, httpPort] = await freePorts(2)
  const ctx = await testContext({
    env: { SVC_HOST: '127.0.0.1', SVC_HTTPS_PORT: `${httpsPort}`, SVC_HTTP_PORT: `${httpPort}` },
  })
  const answer = () => new Response('here')
  const listeners = new PublicListeners({ config: ctx.config, log: ctx.log, answer, answerPlain: answer })
  opened.push(listeners)
  listeners.open()
  await ctx.close()
  return { listeners, httpsPort }
}

/** A challenge that listens nowhere. */
const challenge = async () => async () => {}

test('a certificate that comes during a challenge is served after it, also when the next challenge follows at once', async () => {
  const { listeners, httpsPort } = await open()
  const [old, renewed] = [await certificate(), await certificate()]
  expect(listeners.serve([old])).toBe(true)
  const giveBack = await listeners.lend(challenge)
  expect(listeners.serve([renewed])).toBe(false)
  await giveBack()
  expect(await shownCertificate(httpsPort, NAME)).toBe(renewed.fingerprint)
  let inner = 0
  const giveBackAgain = await listeners.lend(async (_port, otherwise) => {
    inner = otherwise ?? 0
    return async () => {}
  })
  expect(await shownCertificate(inner, NAME)).toBe(renewed.fingerprint)
  await giveBackAgain()
  expect(await shownCertificate(httpsPort, NAME)).toBe(renewed.fingerprint)
})

test('the first certificate is served after the challenge that it came in', async () => {
  const { listeners, httpsPort } = await open()
  const first = await certificate()
  const giveBack = await listeners.lend(challenge)
  expect([listeners.serve([first]), listeners.httpsPort]).toEqual([false, null])
  await giveBack()
  expect(listeners.httpsPort).toBe(httpsPort)
  expect(await shownCertificate(httpsPort, NAME)).toBe(first.fingerprint)
})

test('nothing is served after a challenge without any certificate', async () => {
  const { listeners } = await open()
  await (await listeners.lend(challenge))()
  expect(listeners.httpsPort).toBeNull()
})

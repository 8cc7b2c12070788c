import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { selfSigned } from '../../../test/support/self-signed'
import { systemClock } from '../../base/lib/clock'
import { certificateState, seenCertificate } from './handshake'

const NOW = Date.UTC(2026, 10, 20)
const NAME = 'quiz.example.com'
const issued = { valid_to: 'Feb 12 12:00:00 2027 GMT', issuer: { O: 'Example CA', CN: 'R13' } } as never

describe('a certificate that was shown', () => {
  test('is issued while browsers accept it', () => {
    expect(certificateState({ certificate: issued, fault: null }, NOW)).toEqual({
      ...{ status: 'ISSUED', notAfter: '2027-02-12T12:00:00.000Z', issuer: 'Example CA R13' },
      ...{ nextAttemptAt: null, error: null },
    })
  })

  test('fails at the instant at which it ends, and when browsers refuse it', () => {
    const ends = Date.UTC(2027, 1, 12, 12)
    expect(certificateState({ certificate: issued, fault: null }, ends - 1).status).toBe('ISSUED')
    expect(certificateState({ certificate: issued, fault: null }, ends)).toMatchObject({
      ...{ status: 'FAILED', error: { code: 'other', detail: 'The certificate has expired' } },
    })
    expect(certificateState({ certificate: issued, fault: 'Refused' }, NOW)).toMatchObject({
      ...{ status: 'FAILED', error: { code: 'other', detail: 'Refused' } },
    })
  })
})

describe('a handshake', () => {
  let made: Awaited<ReturnType<typeof selfSigned>>
  let server: ReturnType<typeof Bun.serve>
  const look = (change: Partial<Parameters<typeof seenCertificate>[0]> = {}) =>
    seenCertificate({
      ...{
        hostname: NAME,
        ips: ['127.0.0.1'],
        isLoopbackAllowed: true,
        now: systemClock.now(),
        port: server.port ?? 0,
      },
      ...{ ca: made.cert, ...change },
    })

  beforeAll(async () => {
    made = await selfSigned(NAME)
    server = Bun.serve({ hostname: '127.0.0.1', port: 0, tls: made, fetch: () => new Response('') })
  })
  afterAll(() => server.stop(true))

  test('shows the certificate of the name', async () => {
    expect(await look()).toMatchObject({ status: 'ISSUED', error: null })
  })

  test('of another name, or by nobody known, is no certificate', async () => {
    expect(await look({ hostname: 'other.example.com' })).toMatchObject({ status: 'FAILED', error: { code: 'other' } })
    const { ca: _ca, ...unknown } = { ca: '', hostname: NAME, ips: ['127.0.0.1'], isLoopbackAllowed: true, now: NOW }
    expect(await seenCertificate({ ...unknown, port: server.port ?? 0 })).toMatchObject({ status: 'FAILED' })
  })

  test('is not tried with an address that is not public, nor without one', async () => {
    for (const ips of [[], ['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['169.254.169.254']])
      expect(await look({ ips })).toMatchObject({ status: 'FAILED', error: { code: 'dns' } })
    expect(await look({ isLoopbackAllowed: false })).toMatchObject({ status: 'FAILED', error: { code: 'dns' } })
  })

  test('with a port where nobody listens says so', async () => {
    const gone = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('') })
    const { port = 0 } = gone
    await gone.stop(true)
    expect(await look({ port })).toMatchObject({ status: 'FAILED', error: { code: 'port443' } })
  })
})

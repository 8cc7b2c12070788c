import { describe, expect, test } from 'bun:test'
import { answerPlain, type PlainHttp } from './plain-http'

const PARTS: PlainHttp = {
  proofOf: (token) => `${token}.thumbprint`,
  isServed: (host) => host === 'svc.example.com' || host === 'xn--bcher-kva.example',
  httpsPort: 443,
}

const ask = (url: string, method = 'GET', parts = PARTS) => answerPlain(new Request(url, { method }), parts)

describe('the challenge path', () => {
  const TOKEN = 'abcdefghijklmnop_-0123456789'
  test.each(['svc.example.com', 'other.example', '203.0.113.7'])('is answered for the host %s', async (host) => {
    const answer = ask(`http://${host}/.well-known/acme-challenge/${TOKEN}`)
    expect([answer.status, await answer.text()]).toEqual([200, `${TOKEN}.thumbprint`])
    expect(answer.headers.get('content-type')).toBe('text/plain')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each([
    '',
    'short',
    `${TOKEN}/x`,
    '<script>alert(1)</script>',
    'a'.repeat(129),
    `${TOKEN}%2e`,
    '../../etc/passwd',
  ])('gives no proof for the token %p', async (token) => {
    const answer = ask(`http://svc.example.com/.well-known/acme-challenge/${token}`)
    expect(answer.status).not.toBe(200)
    expect(await answer.text()).not.toContain('thumbprint')
  })

  test('is 404 without an account', () => {
    const url = `http://svc.example.com/.well-known/acme-challenge/${TOKEN}`
    expect(ask(url, 'GET', { ...PARTS, proofOf: () => null }).status).toBe(404)
  })

  test('takes no POST', () => {
    expect(ask(`http://svc.example.com/.well-known/acme-challenge/${TOKEN}`, 'POST').status).toBe(403)
  })
})

describe('pages', () => {
  test.each([
    ['http://svc.example.com/', 'https://svc.example.com/'],
    ['http://svc.example.com:80/app?x=1&y=%20', 'https://svc.example.com/app?x=1&y=%20'],
    ['http://SVC.example.com./docs', 'https://svc.example.com./docs'],
    ['http://bücher.example/f', 'https://xn--bcher-kva.example/f'],
    ['http://svc.example.com/v1x', 'https://svc.example.com/v1x'],
    ['http://svc.example.com//evil.example/', 'https://svc.example.com//evil.example/'],
  ])('%s is sent to %s', (url, location) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = ask(url, method)
      expect([answer.status, answer.headers.get('location')]).toEqual([308, location])
    }
  })

  test('keep the port for https where it is another one', () => {
    const answer = ask('http://svc.example.com:8080/x', 'GET', { ...PARTS, httpsPort: 8443 })
    expect(answer.headers.get('location')).toBe('https://svc.example.com:8443/x')
  })

  test.each(['evil.example', '203.0.113.7', 'localhost'])(
    'are not redirected for the unknown host %s',
    async (host) => {
      const answer = ask(`http://${host}/`)
      expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
      expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
    },
  )
})

describe('calls with keys', () => {
  test.each([
    '/v1',
    '/v1/config',
    '/webhooks/x',
    '/dashboard/projects',
    '/public/f',
    '/api/auth/sign-in',
    '/admin/users',
  ])('to %s are refused, never redirected', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) {
      const answer = ask(`http://svc.example.com${path}`, method)
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
      if (method === 'POST') expect(await answer.json()).toEqual({ error: { code: 'FORBIDDEN', message: 'Use https' } })
    }
  })

  test('a POST to a page is refused too', () => {
    expect(ask('http://svc.example.com/', 'POST').status).toBe(403)
  })
})

import { describe, expect, test } from 'bun:test'
import { checkReturnUrl, type ReturnUrlResult } from './return-url'

const OPEN = { isRestricted: false, allowedOrigins: [], customDomains: [] }
const RESTRICTED = {
  isRestricted: true,
  allowedOrigins: ['https://app.example.com', 'https://app.example.com:8443', 'http://localhost:5173'],
  customDomains: ['pay.example.org'],
}

describe('without a restriction', () => {
  const good = [
    'https://anywhere.example/thanks',
    'https://anywhere.example',
    'https://anywhere.example/thanks?session={CHECKOUT_SESSION_ID}#top',
    'HTTPS://Anywhere.Example/',
    'http://localhost/thanks',
    'http://localhost:5173/thanks',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
  ]
  for (const url of good) test(`${url} is good`, () => expect(checkReturnUrl(url, OPEN)).toEqual({ ok: true }))

  const schemes: [url: string, origin: string][] = [
    ['http://anywhere.example/thanks', 'http://anywhere.example'],
    ['http://localhost.evil.example/', 'http://localhost.evil.example'],
    ['http://127.0.0.2/', 'http://127.0.0.2'],
    ['ftp://anywhere.example/', 'ftp://anywhere.example'],
    ['myapp://thanks', 'myapp://thanks'],
  ]
  for (const [url, origin] of schemes)
    test(`${url} has the wrong scheme`, () => {
      expect(checkReturnUrl(url, OPEN)).toEqual({ ok: false, reason: 'scheme', origin })
    })

  const malformed = [
    '',
    'thanks',
    '/thanks',
    '//anywhere.example/thanks',
    'javascript:alert(1)',
    'data:text/html,hello',
    'https:anywhere.example',
    'https://',
    'https://user@anywhere.example/',
    'https://user:word@anywhere.example/',
    'https://anywhere.example/a b',
    'https://anywhere.example/\n',
    ' https://anywhere.example/',
    'https://anywhere.example\\@evil.example/',
    'https://any\twhere.example/',
    'https://anywhere.example/ü',
    `https://anywhere.example/${'x'.repeat(2048)}`,
  ]
  for (const url of malformed)
    test(`${JSON.stringify(url).slice(0, 50)} is no address`, () => {
      expect(checkReturnUrl(url, OPEN)).toEqual({ ok: false, reason: 'malformed' })
    })
})

describe('with a restriction', () => {
  const other = (origin: string): ReturnUrlResult => ({ ok: false, reason: 'origin', origin })
  const cases: [url: string, result: ReturnUrlResult][] = [
    ['https://app.example.com/thanks', { ok: true }],
    ['https://APP.example.com:443/thanks', { ok: true }],
    ['https://app.example.com:8443/thanks', { ok: true }],
    ['http://localhost:5173/thanks', { ok: true }],
    ['https://pay.example.org/thanks', { ok: true }],
    ['https://app.example.com:9443/thanks', other('https://app.example.com:9443')],
    ['https://app.example.com.evil.example/', other('https://app.example.com.evil.example')],
    ['https://evil.example/https://app.example.com', other('https://evil.example')],
    ['https://sub.pay.example.org/', other('https://sub.pay.example.org')],
    ['https://pay.example.org:8443/', other('https://pay.example.org:8443')],
    ['https://example.org/', other('https://example.org')],
    ['http://localhost:3000/', other('http://localhost:3000')],
    ['http://localhost/', other('http://localhost')],
    ['http://pay.example.org/', { ok: false, reason: 'scheme', origin: 'http://pay.example.org' }],
    ['https://user@app.example.com/', { ok: false, reason: 'malformed' }],
  ]
  for (const [url, result] of cases) test(url, () => expect(checkReturnUrl(url, RESTRICTED)).toEqual(result))

  test('nothing allowed allows nothing', () => {
    const rule = { ...RESTRICTED, allowedOrigins: [], customDomains: [] }
    expect(checkReturnUrl('https://app.example.com/', rule)).toEqual(other('https://app.example.com'))
  })
})

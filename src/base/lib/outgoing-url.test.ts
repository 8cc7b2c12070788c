import { describe, expect, test } from 'bun:test'
import { resolvedFault, type UrlFault, urlFault } from './outgoing-url'

const STRICT = { isLoopbackAllowed: false }
const LOOSE = { isLoopbackAllowed: true }

const cases: [url: string, fault: UrlFault | null][] = [
  ['https://keys.example.com/jwks.json', null],
  ['https://keys.example.com:8443/jwks.json?v=2', null],
  ['https://keys.example.com./jwks.json', null],
  ['https://8.8.8.8/', null],
  ['', 'malformed'],
  ['keys.example.com/jwks.json', 'malformed'],
  ['https://', 'malformed'],
  ['https://exa mple.com/', 'malformed'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:text/html,x', 'scheme'],
  ['ftp://keys.example.com/', 'scheme'],
  ['https://user@keys.example.com/', 'userinfo'],
  ['https://user:pass@127.0.0.1/', 'userinfo'],
  ['http://keys.example.com/', 'insecure'],
  ['http://127.0.0.1/', 'insecure'],
  ['https://keys.example.com/?token=abc', 'credentials_shape'],
  ['https://keys.example.com/?api_key=abc', 'credentials_shape'],
  ['https://keys.example.com/?k=sk_live_123', 'credentials_shape'],
  ['https://localhost/', 'host_not_allowed'],
  ['https://localhost./', 'host_not_allowed'],
  ['https://db/', 'host_not_allowed'],
  ['https://printer.local/', 'host_not_allowed'],
  ['https://metadata.google.internal/', 'host_not_allowed'],
  ['https://127.0.0.1/', 'private_address'],
  ['https://2130706433/', 'private_address'],
  ['https://0x7f.1/', 'private_address'],
  ['https://0177.0.0.1/', 'private_address'],
  ['https://[::1]/', 'private_address'],
  ['https://[::ffff:10.0.0.1]/', 'private_address'],
  ['https://169.254.169.254/latest', 'private_address'],
  ['https://0.0.0.0/', 'not_routable'],
  ['https://[ff02::1]/', 'not_routable'],
]

describe('an address that a user gave', () => {
  for (const [url, fault] of cases)
    test(`${url || '(none)'}: ${fault ?? 'may be called'}`, () => expect(urlFault(url, STRICT)).toBe(fault))

  test('may be this machine, over http too, only where private targets are allowed', () => {
    for (const url of ['http://127.0.0.1:9/', 'https://127.0.0.1/', 'http://localhost:9/', 'http://[::1]:9/'])
      expect([url, urlFault(url, LOOSE)]).toEqual([url, null])
    for (const url of ['http://10.0.0.1/', 'http://keys.example.com/'])
      expect([url, urlFault(url, LOOSE)]).toEqual([url, 'insecure'])
    expect(urlFault('https://10.0.0.1/', LOOSE)).toBe('private_address')
  })
})

test('one private address among several of a name refuses it', () => {
  expect(resolvedFault(['8.8.8.8', '1.1.1.1'], STRICT)).toBeNull()
  expect(resolvedFault(['8.8.8.8', '10.0.0.1'], STRICT)).toBe('private_address')
  expect(resolvedFault(['8.8.8.8', '::1'], STRICT)).toBe('private_address')
  expect(resolvedFault([], STRICT)).toBe('unresolvable')
  expect(resolvedFault(['127.0.0.1'], LOOSE)).toBeNull()
  expect(resolvedFault(['127.0.0.1', '10.0.0.1'], LOOSE)).toBe('private_address')
})

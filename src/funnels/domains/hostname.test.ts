import { describe, expect, test } from 'bun:test'
import { readHostname, toUnicode } from './hostname'

const RULES = { ownHost: 'svc.example.com', reserved: ['svc-pages.example'] }

describe('stored is', () => {
  const cases: [given: string, hostname: string][] = [
    ['quiz.example.com', 'quiz.example.com'],
    ['Quiz.Example.COM', 'quiz.example.com'],
    ['quiz.example.com.', 'quiz.example.com'],
    ['müsli.example', 'xn--msli-0ra.example'],
    ['XN--MSLI-0RA.example', 'xn--msli-0ra.example'],
    ['a-b.1.example', 'a-b.1.example'],
    ['other.svc.example.com', 'other.svc.example.com'],
    ['notsvc-pages.example', 'notsvc-pages.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ]
  for (const [given, hostname] of cases)
    test(given, () => expect(readHostname(given, RULES)).toEqual({ ok: true, hostname }))
})

describe('refused is', () => {
  const cases: [given: string, reason: 'hostname_invalid' | 'hostname_reserved', words: RegExp][] = [
    ['', 'hostname_invalid', /Give a hostname/],
    ['quiz example.com', 'hostname_invalid', /spaces/],
    ['https://quiz.example.com', 'hostname_invalid', /without https/],
    ['quiz.example.com/start', 'hostname_invalid', /without a path/],
    ['quiz.example.com?x', 'hostname_invalid', /without a path/],
    ['me@quiz.example.com', 'hostname_invalid', /without a user name/],
    ['203.0.113.9', 'hostname_invalid', /IP address/],
    ['2001:db8::1', 'hostname_invalid', /IP address/],
    ['[2001:db8::1]', 'hostname_invalid', /IP address/],
    ['quiz.example.com:8443', 'hostname_invalid', /without a port/],
    ['*.example.com', 'hostname_invalid', /wildcard/],
    ['quiz..example.com', 'hostname_invalid', /empty/],
    ['.example.com', 'hostname_invalid', /empty/],
    ['quiz', 'hostname_invalid', /whole name/],
    ['a_b.example.com', 'hostname_invalid', /Underscores/],
    ['-a.example.com', 'hostname_invalid', /hyphen/],
    ['a-.example.com', 'hostname_invalid', /hyphen/],
    ['a$b.example.com', 'hostname_invalid', /characters that a hostname cannot have/],
    ['example.123', 'hostname_invalid', /must not be a number/],
    ['xn--0.example', 'hostname_invalid', /DNS name|Punycode/],
    [`${'a'.repeat(64)}.example`, 'hostname_invalid', /at most 63/],
    [`${'a.'.repeat(124)}example`, 'hostname_invalid', /at most 248/],
    ['svc.example.com', 'hostname_reserved', /address of this server/],
    ['SVC.example.com.', 'hostname_reserved', /address of this server/],
    ['svc-pages.example', 'hostname_reserved', /reserved/],
    ['a.b.svc-pages.example', 'hostname_reserved', /reserved/],
    ['app.localhost', 'hostname_reserved', /public internet/],
    ['printer.local', 'hostname_reserved', /public internet/],
    ['4.3.2.1.in-addr.arpa', 'hostname_reserved', /public internet/],
  ]
  for (const [given, reason, words] of cases)
    test(given.slice(0, 30) || 'nothing', () => {
      const result = readHostname(given, RULES)
      expect(result).toMatchObject({ ok: false, reason })
      expect(result).toHaveProperty('message', expect.stringMatching(words))
    })

  test('each of these faults with a sentence of its own', () => {
    const givens = [
      '',
      'a b.c',
      'https://a.b',
      'a.b/c',
      'a@b.c',
      '203.0.113.9',
      'a.b:1',
      '*.b',
      'a..b',
      'a',
      'a_b.c',
      '-a.c',
    ]
    const messages = givens.map((given) => JSON.stringify(readHostname(given, RULES)))
    expect(new Set(messages).size).toBe(givens.length)
  })
})

test('a name is shown as people read it', () => {
  expect(toUnicode('xn--msli-0ra.example')).toBe('müsli.example')
  expect(toUnicode('quiz.example.com')).toBe('quiz.example.com')
})

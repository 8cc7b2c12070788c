import { expect, test } from 'bun:test'
import { hostnameOf } from './hostname'

test.each([
  ['svc.example.com', 'svc.example.com'],
  ['SVC.Example.COM.', 'svc.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['203.0.113.7', '203.0.113.7'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
])('%s is %s', (text, hostname) => expect(hostnameOf(text)).toBe(hostname))

test.each([
  ...['', 'localhost', 'example.com:443', 'https://example.com', '*.example.com', 'a..example', 'user@example.com'],
  ...['-a.example', 'a-.example', 'exa mple.com', 'example.com/x', `${'a'.repeat(64)}.example`, '1.2.3', '300.1.2.3'],
  ...['a.example?x', 'a_b.example', `${'abcdefg.'.repeat(40)}example`, '%61.example', 'a.example\n'],
])('%p is no host name', (text) => expect(hostnameOf(text)).toBeNull())

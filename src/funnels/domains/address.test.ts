import { describe, expect, test } from 'bun:test'
import { judgeAddress, type SeenAddress, type ServerAddress, wantedRecord } from './address'

const SERVER: ServerAddress = { name: 'svc.example.com', ips: ['198.51.100.7', '2001:db8::7'] }
const NOTHING: SeenAddress = { cname: [], ips: [], isApex: false }

describe('people must set', () => {
  const cases: [name: string, isApex: boolean, server: ServerAddress, type: string, value: string | null][] = [
    ['an alias of this server', false, SERVER, 'CNAME', 'svc.example.com'],
    ['the IPv4 address at an apex', true, SERVER, 'A', '198.51.100.7'],
    ['the IPv6 address of a server without another', true, { ...SERVER, ips: ['2001:db8::7'] }, 'AAAA', '2001:db8::7'],
    ['the address of a server without a name', false, { ...SERVER, name: null }, 'A', '198.51.100.7'],
    ['what is not known yet', true, { ...SERVER, ips: [] }, 'A', null],
  ]
  for (const [name, isApex, server, type, value] of cases)
    test(name, () => expect(wantedRecord(isApex, server)).toEqual({ type, value } as never))
})

describe('the address is', () => {
  const cases: [name: string, seen: Partial<SeenAddress>, ok: boolean][] = [
    ['wrong when there is none', {}, false],
    ['right for an alias', { cname: ['SVC.example.com.'], ips: ['198.51.100.7'] }, true],
    ['right for an alias, whatever a network in front has', { cname: ['svc.example.com'], ips: ['203.0.113.1'] }, true],
    ['wrong for an alias of another server', { cname: ['other.example'], ips: ['203.0.113.1'] }, false],
    ['right for our own address', { ips: ['198.51.100.7'] }, true],
    ['right for another spelling', { ips: ['2001:0DB8:0:0::7'] }, true],
    ['wrong when one of two is of another server', { ips: ['198.51.100.7', '203.0.113.1'] }, false],
    ['wrong when only IPv6 leads elsewhere', { ips: ['198.51.100.7', '2001:db8::9'] }, false],
    ['right for an alias that was flattened', { cname: ['lb.example'], ips: ['198.51.100.7'] }, true],
  ]
  for (const [name, seen, ok] of cases)
    test(name, () => expect(judgeAddress(SERVER, { ...NOTHING, ...seen }).ok).toBe(ok))
})

test('what was seen is told with its type, and no more than 20 records', () => {
  const seen = { cname: ['lb.example.'], ips: ['203.0.113.1', '2001:db8::9'], isApex: false }
  expect(judgeAddress(SERVER, seen).seen).toEqual(['CNAME lb.example', 'A 203.0.113.1', 'AAAA 2001:db8::9'])
  const many = Array.from({ length: 50 }, (_, number) => `203.0.113.${number}`)
  expect(judgeAddress(SERVER, { ...NOTHING, ips: many }).seen).toHaveLength(20)
})

test('without a known address of this server nothing is right', () => {
  expect(judgeAddress({ name: null, ips: [] }, { ...NOTHING, ips: ['203.0.113.1'] }).ok).toBe(false)
})

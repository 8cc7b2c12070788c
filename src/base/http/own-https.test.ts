import { expect, test } from 'bun:test'
import { Forwarded, StrictHosts } from './own-https'

const REQUEST = new Request('http://svc.example.com/')
const from = (address: string, port?: number) => ({
  requestIP: () => ({ address, ...(port !== undefined && { port }) }),
})

test('the client of a connection that is passed on is seen until the connection ends', () => {
  const forwarded = new Forwarded()
  const address = (port?: number) => forwarded.seenThrough(from('127.0.0.1', port))?.requestIP(REQUEST)?.address
  expect(address(5000)).toBe('127.0.0.1')
  const forget = forwarded.add(5000, '203.0.113.7')
  expect([address(5000), address(5001), address()]).toEqual(['203.0.113.7', '127.0.0.1', '127.0.0.1'])
  forget()
  expect(address(5000)).toBe('127.0.0.1')
  expect(forwarded.seenThrough(null)).toBeNull()
})

test('a client of another machine keeps its address, whatever port it has chosen', () => {
  const forwarded = new Forwarded()
  forwarded.add(5000, '203.0.113.7')
  const seen = ['198.51.100.9', '2001:db8::9', '::ffff:198.51.100.9', '127.0.0.1', '::1', '::ffff:127.0.0.1'].map(
    (address) => forwarded.seenThrough(from(address, 5000))?.requestIP(REQUEST)?.address,
  )
  const passedOn = '203.0.113.7'
  expect(seen).toEqual(['198.51.100.9', '2001:db8::9', '::ffff:198.51.100.9', passedOn, passedOn, passedOn])
})

test('hosts are strict until they are replaced', () => {
  const hosts = new StrictHosts()
  hosts.replace(['svc.example.com'])
  expect([hosts.has('svc.example.com'), hosts.has('other.example')]).toEqual([true, false])
  hosts.replace([])
  expect(hosts.has('svc.example.com')).toBe(false)
})

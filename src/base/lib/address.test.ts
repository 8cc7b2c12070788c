import { describe, expect, test } from 'bun:test'
import { addressFault, isLoopback } from './address'

const cases: [address: string, fault: ReturnType<typeof addressFault>][] = [
  ['8.8.8.8', null],
  ['172.15.255.255', null],
  ['172.32.0.0', null],
  ['100.128.0.1', null],
  ['2606:4700::1111', null],
  ['::ffff:8.8.8.8', null],
  ['64:ff9b::808:808', null],
  ['2002:808:808::1', null],
  ['10.0.0.1', 'private_address'],
  ['100.64.0.1', 'private_address'],
  ['127.0.0.1', 'private_address'],
  ['127.255.255.254', 'private_address'],
  ['169.254.169.254', 'private_address'],
  ['172.16.0.1', 'private_address'],
  ['172.31.255.255', 'private_address'],
  ['192.168.1.1', 'private_address'],
  ['::1', 'private_address'],
  ['0:0:0:0:0:0:0:1', 'private_address'],
  ['fc00::1', 'private_address'],
  ['fd12:3456::1', 'private_address'],
  ['fe80::1', 'private_address'],
  ['fe80::1%eth0', 'private_address'],
  ['::ffff:127.0.0.1', 'private_address'],
  ['::ffff:7f00:1', 'private_address'],
  ['64:ff9b::a00:1', 'private_address'],
  ['64:ff9b:1::1', 'private_address'],
  ['2002:a00:1::1', 'private_address'],
  ['0.0.0.0', 'not_routable'],
  ['192.0.2.1', 'not_routable'],
  ['198.18.0.1', 'not_routable'],
  ['203.0.113.9', 'not_routable'],
  ['224.0.0.1', 'not_routable'],
  ['255.255.255.255', 'not_routable'],
  ['::', 'not_routable'],
  ['::127.0.0.1', 'not_routable'],
  ['ff02::1', 'not_routable'],
  ['2001:db8::1', 'not_routable'],
  ['2001:0:1::1', 'not_routable'],
  ['100::1', 'not_routable'],
  ['not an address', 'private_address'],
  ['', 'private_address'],
]

describe('an address', () => {
  for (const [address, fault] of cases)
    test(`${address || '(none)'} is ${fault ?? 'public'}`, () => expect(addressFault(address)).toBe(fault))
})

test('loopback is this machine in every spelling, and nothing else', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])
    expect([address, isLoopback(address)]).toEqual([address, true])
  for (const address of ['10.0.0.1', '0.0.0.0', '::', 'fe80::1', '8.8.8.8', ''])
    expect([address, isLoopback(address)]).toEqual([address, false])
})

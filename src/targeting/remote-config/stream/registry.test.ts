import { expect, test } from 'bun:test'
import { StreamClient } from './client'
import { StreamRegistry } from './registry'

const client = (subscriberId: string, projectId = 'prj_1', address: string | null = null) => {
  const credential = { presented: 'public', name: 'svc_pub_x' } as const
  const listener = {
    projectId,
    credential,
    deviceKey: subscriberId,
    reference: null,
    env: 'PROD',
    isOfrep: false,
    address,
  } as const
  return new StreamClient(listener, { subscriberId, seen: '', frame: new Uint8Array() }, () => {})
}

test('no more than the bound are open, and one that leaves makes room', () => {
  const streams = new StreamRegistry(2)
  const first = client('sub_1')
  streams.add(first)
  streams.add(client('sub_2', 'prj_2'))
  expect(() => streams.assertRoom('prj_3', null)).toThrow('Too many streams are open')
  expect(() => streams.add(client('sub_3', 'prj_3'))).toThrow('Too many streams are open')
  expect(streams.size).toBe(2)
  streams.remove(first)
  streams.remove(first) // Removing a stream twice counts once.
  expect(streams.size).toBe(1)
  streams.add(client('sub_3'))
  expect(streams.size).toBe(2)
})

test('nothing is kept of who has left', () => {
  const streams = new StreamRegistry()
  const all = ['sub_1', 'sub_1', 'sub_2'].map((id) => client(id))
  for (const one of all) streams.add(one)
  streams.move(all[2] as StreamClient, 'sub_1')
  expect([streams.ofSubscriber('sub_1').size, streams.ofSubscriber('sub_2').size]).toEqual([3, 0])
  for (const one of all) streams.remove(one)
  expect([streams.projectIds(), streams.ofSubscriber('sub_1').size, streams.all()]).toEqual([[], 0, []])
})

test('one project takes half of them at most', () => {
  const streams = new StreamRegistry(6)
  const all = ['a', 'b', 'c'].map((id) => client(id))
  for (const one of all) streams.add(one)
  expect(() => streams.add(client('d'))).toThrow('Too many streams of this project')
  for (const id of ['d', 'e', 'f']) streams.add(client(id, 'prj_2'))
  streams.remove(all[0] as StreamClient)
  streams.add(client('g'))
  expect(streams.size).toBe(6)
})

test('one address has its own bound, and callers without one have none', () => {
  const streams = new StreamRegistry(1000, 2)
  const all = [client('a', 'prj_1', '203.0.113.1'), client('b', 'prj_2', '203.0.113.1')]
  for (const one of all) streams.add(one)
  expect(() => streams.assertRoom('prj_3', '203.0.113.1')).toThrow('Too many streams of this address')
  expect(() => streams.add(client('c', 'prj_3', '203.0.113.1'))).toThrow('Too many streams of this address')
  streams.add(client('c', 'prj_3', '203.0.113.2'))
  for (const id of ['d', 'e', 'f']) streams.add(client(id))
  streams.remove(all[0] as StreamClient)
  streams.add(client('g', 'prj_1', '203.0.113.1'))
})

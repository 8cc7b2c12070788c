import { expect, test } from 'bun:test'
import { StreamClient } from './client'
import { StreamRegistry } from './registry'

const client = (subscriberId: string, projectId = 'prj_1') => {
  const credential = { presented: 'public', name: 'svc_pub_x' } as const
  const listener = {
    projectId,
    credential,
    deviceKey: subscriberId,
    reference: null,
    env: 'PROD',
    isOfrep: false,
  } as const
  return new StreamClient(listener, { subscriberId, seen: '', frame: new Uint8Array() }, () => {})
}

test('no more than the bound are open, and one that leaves makes room', () => {
  const streams = new StreamRegistry(2)
  const first = client('sub_1')
  streams.add(first)
  streams.add(client('sub_2'))
  expect(() => streams.assertRoom()).toThrow('Too many streams')
  expect(() => streams.add(client('sub_3'))).toThrow('Too many streams')
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

import { expect, test } from 'bun:test'
import { isPublicHost } from './public-host'

const hosts: [host: string, isPublic: boolean][] = [
  ['api.example.com', true],
  ['8.8.8.8', true],
  ['[2606:4700::1111]', true],
  ['localhost', false],
  ['server', false],
  ['svc.local', false],
  ['svc.internal', false],
  ['a.localhost', false],
  ['127.0.0.1', false],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['169.254.1.1', false],
  ['100.64.0.1', false],
  ['[::1]', false],
  ['[fd00::1]', false],
  ['[fe80::1]', false],
  ['[::ffff:7f00:1]', false],
  ['[::ffff:808:808]', true],
  ['notlocal.com', true],
]
for (const [host, isPublic] of hosts)
  test(`${host} is ${isPublic ? 'public' : 'not public'}`, () => expect(isPublicHost(host)).toBe(isPublic))

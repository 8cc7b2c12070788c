import { expect, test } from 'bun:test'
import { type EndpointFault, endpointFault } from './push-endpoint'

const cases: [address: string | null, fault: EndpointFault | null][] = [
  ['https://svc.example.com/webhooks/android/prj_1', null],
  ['https://svc.example.com:8443/webhooks', null],
  ['https://93.184.216.34/webhooks', null],
  ['https://[2606:2800:220:1::1]/webhooks', null],
  [null, 'invalid_url'],
  ['', 'invalid_url'],
  ['svc.example.com/webhooks', 'invalid_url'],
  ['https://user:password@svc.example.com/', 'invalid_url'],
  ['http://svc.example.com/webhooks', 'not_https'],
  ['ftp://svc.example.com/webhooks', 'not_https'],
  ['http://localhost:3000/webhooks', 'not_https'],
  ['https://10.0.0.1/', 'private_address'],
  ['https://127.0.0.1/', 'private_address'],
  ['https://0x7f.1/', 'private_address'],
  ['https://[::1]/', 'private_address'],
  ['https://[::ffff:10.0.0.1]/', 'private_address'],
  ['https://203.0.113.5/', 'private_address'],
  ['https://localhost/', 'local_name'],
  ['https://LOCALHOST./', 'local_name'],
  ['https://svc.local/', 'local_name'],
  ['https://svc.internal./', 'local_name'],
  ['https://svc/', 'single_label_host'],
  ['https://svc./', 'single_label_host'],
]

test.each(cases)('%p is refused for %p', (address, fault) => {
  expect(endpointFault(address)).toBe(fault)
})

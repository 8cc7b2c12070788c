import { expect, test } from 'bun:test'

type Model = Record<'versionsOf', (seen: unknown) => { version: string; withoutAccess: number; refused: number }[]>
// The console is another program for the type checker: it has a browser.
const path = '../../src/console/screens/connections/former-sdk/model'
const { versionsOf } = (await import(path)) as unknown as Model

const call = (version: string, name: string, outcome: string, count: number) => ({
  ...{ day: '2026-11-01T00:00:00Z', platform: 'iOS', flavor: '', version, call: name, outcome, count },
})

test('versions without access come first, then those whose purchases are not booked, then the frequent ones', () => {
  const calls = [
    call('1', 'subscriber', 'OK', 900),
    call('2', 'offerings', '7226', 70),
    call('3', 'receipts', '7110', 2),
    call('4', 'subscriber', '7225', 3),
    call('4', 'customerCenter', '7226', 40),
  ]
  const versions = versionsOf({ calls, devices: [] })
  expect(versions.map(({ version, withoutAccess, refused }) => [version, withoutAccess, refused])).toEqual([
    ['4', 3, 0],
    ['3', 0, 0],
    ['1', 0, 0],
    ['2', 0, 70],
  ])
})

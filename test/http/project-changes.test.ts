import { afterAll, beforeAll, expect, test } from 'bun:test'
import { memberCommand } from '../../src/operators/members/command'
import { keyCommand } from '../../src/operators/projects/key-command'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { arrive, join, type Person } from '../support/crew'

let s: Stage
let ada: Person
let bo: Person
beforeAll(async () => {
  s = await stage()
  ada = await join(s, 'ada', 'OWNER')
  bo = await join(s, 'bo', 'CUSTOMER_SUPPORT')
})
afterAll(() => s.close())

const P = (path: string, id = s.project.id) => `/dashboard/projects/${id}${path}`
const version = async (): Promise<string> => (await bo.browser.get(P('/changes'))).body.data.version

test.each<[string, () => Promise<unknown>]>([
  [
    'a product',
    () => ada.browser.post(P('/products'), { identifier: 'extra', type: 'SUBSCRIPTION', displayName: 'Extra' }),
  ],
  ['the name of the project', () => ada.browser.patch(P(''), { name: 'Other' })],
  ['an API key', () => ada.browser.post(P('/api-keys'), { label: 'Server' })],
  ['an API key by the command line', () => runBeside(s, keyCommand, 'create', '--project', 'project-1')],
  [
    'a member by the command line',
    async () => {
      await arrive(s, 'cy')
      await runBeside(s, memberCommand, 'add', 'cy@example.com', '--role', 'ADMIN', '--project', 'project-1')
    },
  ],
  [
    'a webhook endpoint',
    () => ada.browser.post(P('/webhook-endpoints'), { name: 'hook', url: 'https://8.8.8.8/x', eventTypes: ['*'] }),
  ],
])('%s changes the version', async (_name, change) => {
  const before = await version()
  await change()
  expect(await version()).not.toBe(before)
})

test('reading and a refused change leave the version as it is', async () => {
  const before = await version()
  await ada.browser.get(P('/products'))
  expect((await bo.browser.patch(P(''), { name: 'Bo' })).status).toBe(403)
  expect((await ada.browser.post(P('/api-keys'), { label: '' })).status).toBe(400)
  expect(await version()).toBe(before)
})

test('another project has a version of its own, and one of others is not found', async () => {
  const other = (await ada.browser.post('/dashboard/projects', { name: 'Other one' })).body.data.project.id as string
  const before = (await ada.browser.get(P('/changes', other))).body.data.version
  await ada.browser.patch(P(''), { name: 'Third' })
  expect((await ada.browser.get(P('/changes', other))).body.data.version).toBe(before)
  const refused = await bo.browser.get(P('/changes', other))
  expect([refused.status, refused.body.error?.code]).toEqual([404, 'NOT_FOUND'])
})

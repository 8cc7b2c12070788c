import { expect, test } from 'bun:test'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { settle } from '../cases/settle'
import { createStandIn } from '../cases/stand-in'
import { API_KEY } from '../core/browser.fixtures'
import { configure } from '../node'
import { SvcProvider, useEntitlements, useExperiment, useFlag, useOfferings } from './index'

const data = { flags: { accent: 'red' }, experiments: {} }

/** A client with a flag that is not its default. */
async function withConfig() {
  const { fetch, waiting } = createStandIn()
  const client = await configure({ apiKey: API_KEY, baseUrl: 'https://svc.example', fetch })
  const read = client.refreshConfig()
  await settle()
  waiting.shift()?.answer({ data })
  await read
  return { client, waiting }
}

function Shop() {
  const accent = useFlag('accent', 'blue')
  const variant = useExperiment('checkout_test')?.variantId ?? 'none'
  const { value, isLoading } = useEntitlements()
  const offerings = useOfferings()
  return createElement('p', null, [accent, variant, `${value}`, `${isLoading}`, `${offerings.value}`].join(' '))
}

test('the server renders the defaults, so that the page is hydrated without a difference', async () => {
  const { client, waiting } = await withConfig()
  const page = renderToString(createElement(SvcProvider, { client }, createElement(Shop)))
  expect(page).toBe('<p>blue none null true null</p>')
  expect(waiting).toEqual([])
})

test('without a client the hooks give their defaults', () => {
  expect(renderToString(createElement(SvcProvider, { client: null }, createElement(Shop)))).toBe(
    '<p>blue none null true null</p>',
  )
})

test('what a server read, a client takes over without a request', async () => {
  const { client } = await withConfig()
  const { fetch, waiting } = createStandIn()
  const other = await configure({ apiKey: API_KEY, baseUrl: 'https://svc.example', fetch })
  other.hydrate(JSON.parse(JSON.stringify(client.dehydrate())))
  expect(other.flag('accent', 'blue')).toBe('red')
  await settle()
  expect(waiting).toEqual([])
  expect(other.currentUser().deviceKey).not.toBe(client.currentUser().deviceKey)
})

test('two clients of a server share nothing', async () => {
  const [one, other] = [await withConfig(), await withConfig()]
  void one.client.identify('user_1')
  await settle()
  expect(other.client.currentUser().appUserId).toBeNull()
  expect(other.waiting).toEqual([])
})

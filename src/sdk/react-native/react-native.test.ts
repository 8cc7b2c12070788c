import { expect, test } from 'bun:test'
import { createFakeClock } from '../cases/fake-clock'
import { settle } from '../cases/settle'
import { createStandIn } from '../cases/stand-in'
import { API_KEY, first } from '../core/browser.fixtures'
import { type AppState, configure, currentUser } from './index'

/** A phone: its storage, and an app that comes and goes. */
function createPhone() {
  const kept = new Map<string, string>()
  const listeners = new Set<(state: string) => void>()
  const appState: AppState = {
    addEventListener(_type, listener) {
      listeners.add(listener)
      return { remove: () => void listeners.delete(listener) }
    },
  }
  const storage = {
    getItem: async (key: string) => kept.get(key) ?? null,
    setItem: async (key: string, text: string) => void kept.set(key, text),
    removeItem: async (key: string) => void kept.delete(key),
  }
  const turn = async (state: string) => {
    for (const listener of listeners) listener(state)
    for (let at = 0; at < 5; at++) {
      await Bun.sleep(0)
      await settle()
    }
  }
  return { storage, appState, turn, listeners }
}

const options = { apiKey: API_KEY, baseUrl: 'https://svc.example', platform: 'ios' }

test('an app asks the path for apps, names its platform, and keeps its device key', async () => {
  const { storage, appState } = createPhone()
  const urls: string[] = []
  const { fetch, waiting } = createStandIn()
  const listening: typeof fetch = (url, init) => {
    urls.push(url)
    return fetch(url, init)
  }
  const clock = createFakeClock()
  const client = await configure({ ...options, storage, appState, clock, fetch: listening })
  await settle()
  expect(urls).toEqual(['https://svc.example/v1/me/bootstrap?include=entitlements,config,offerings,balances'])
  expect(waiting[0]?.headers['x-svc-platform']).toBe('ios')
  await Bun.sleep(0)
  const { deviceKey } = client.currentUser()
  client.shutdown()
  await configure({ ...options, storage, clock, fetch })
  expect(currentUser().deviceKey).toBe(deviceKey)
})

test('what waits is sent when the app goes to the background', async () => {
  const { storage, appState, turn, listeners } = createPhone()
  const { fetch, waiting } = createStandIn()
  const client = await configure({ ...options, storage, appState, clock: createFakeClock(), fetch })
  await settle()
  waiting.shift()?.answer(first())
  client.setAttributes({ plan: 'gold' })
  await turn('background')
  expect(waiting.map(({ path }) => path)).toEqual(['/me/attributes', '/sdk/sessions'])
  client.shutdown()
  expect(listeners.size).toBe(0)
})

import { expect, test } from 'bun:test'
import { type Slice, slice } from '../../src/base/slice'
import { SLICES } from '../../src/slices'
import { testApp, testContext } from '../support/context'

const NOW_OK = { database: 'ok', queue: 'ok', migrations: 'ok', fx: 'ok' }

async function ask(more: readonly Slice[] = []) {
  const slices = [...SLICES, ...more]
  const ctx = await testContext({ slices })
  const answer = await testApp(ctx, slices).handle(new Request('http://localhost/health/ready'))
  const text = await answer.text()
  await ctx.close()
  return [answer.status, text]
}

test('names what every slice needs, in one order', async () => {
  expect(await ask()).toEqual([200, JSON.stringify({ status: 'ok', checks: NOW_OK })])
})

test('a further slice is asked as well, and one that throws fails all', async () => {
  const well = slice({ name: 'well', readiness: { well: async () => 'whatever' } })
  const checks = { ...NOW_OK, well: 'ok' }
  expect(await ask([well])).toEqual([200, JSON.stringify({ status: 'ok', checks })])
  const ill = slice({ name: 'ill', readiness: { ill: () => Promise.reject(new Error('away')) } })
  const all = { ...checks, ill: 'failing' }
  expect(await ask([well, ill])).toEqual([503, JSON.stringify({ status: 'failing', checks: all })])
})

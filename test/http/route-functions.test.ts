import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import { type TestContext, testContext } from '../support/context'

let ctx: TestContext
beforeAll(async () => {
  ctx = await testContext()
})
afterAll(() => ctx.close())

test('the function of a route has no copy of the parser of forms with files', () => {
  const { routes } = createApp(ctx)
  const parsing = routes.filter((route) => /formData|dangerousKeys/.test(String(route.compile())))
  expect(parsing.map(({ path }) => path)).toEqual([])
})

import { expect, test } from 'bun:test'
import { createSurface } from './surface'

const surface = createSurface({
  unlimitedPaths: ['/alive', '/signals/'],
  rootPaths: [{ prefix: '/other/', allowedHeaders: ['X-Other'] }],
  browserHeaders: [{ allowed: ['X-One'] }, { exposed: ['X-Two'] }, { allowed: ['X-Three'] }],
})

test.each([
  ['/alive', true],
  ['/alive/', false],
  ['/alive2', false],
  ['/signals/', true],
  ['/signals/a/b', true],
  ['/signals', false],
  ['/v1/alive', false],
])('no limit by address: %s %p', (path, isUnlimited) => expect(surface.isUnlimited(path)).toBe(isUnlimited))

test.each([
  ['/v1/web/key/me', '/v1/me'],
  ['/v1/web/key', '/v1'],
  ['/v1/web/key/other/a', '/other/a'],
  ['/v1/web/key/others', '/v1/others'],
  ['/other/a', '/other/a'],
  ['/v1/me', '/v1/me'],
  ['/v1/web//me', '/v1/web//me'],
])('a path without its mount: %s is %s', (path, plain) => expect(surface.withoutMount(path)).toBe(plain))

test('pages may send and read what the slices say, in their order', () => {
  const allowed = 'Content-Type, Authorization, Idempotency-Key, If-None-Match, traceparent, X-One, X-Three'
  expect(surface.allowedHeaders('/v1/web/key/me')).toBe(allowed)
  expect(surface.allowedHeaders('/v1/web/key/other/a')).toBe(`${allowed}, X-Other`)
  expect(surface.exposedHeaders).toEndWith(', ETag, X-Two')
})

import { expect, spyOn, test } from 'bun:test'
import { hashPassword } from './passwords'

test('a password is hashed with Argon2id, 19 MiB and two passes, in its composed form', async () => {
  const hash = spyOn(Bun.password, 'hash')
  try {
    await hashPassword('p\uff41ssword pass')
    expect(hash.mock.calls).toEqual([['password pass', { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 }]])
  } finally {
    hash.mockRestore()
  }
})

import { Type } from '@sinclair/typebox'
import type { Ids } from '../../base/lib/ids'
import { lazily } from '../../base/lib/lazily'

/** Argon2id: 19 MiB and two passes take about 35 ms. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** A password that a person chooses. */
export const NewPassword = Type.String({ minLength: 10, maxLength: 128 })

/** A password with which a person signs in. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: 128 })

/**
 * Equal for texts that look equal, whatever keyboard wrote them. It is slow, so it is never called in a transaction.
 */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password.normalize('NFKC'), COST)

/** Compares passwords with hashes. */
export class Passwords {
  private readonly dummy: () => Promise<string>

  constructor(ids: Ids) {
    this.dummy = lazily(() => hashPassword(ids.token(43)))
  }

  /** Does the same work when there is no hash: a caller cannot learn from the time whether an address is known. */
  async isRight(password: string, hash: string | null): Promise<boolean> {
    const dummy = await this.dummy()
    const fits = await Bun.password.verify(password.normalize('NFKC'), hash ?? dummy)
    return fits && hash !== null
  }
}

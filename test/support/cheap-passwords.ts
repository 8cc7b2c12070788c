/** The least that Argon2id allows: a hash takes 1 ms instead of 35, and is verified as fast. */
export const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

/** Makes every hash of a password in this process cheap, whatever it asks for. */
export function hashCheaply(): void {
  const { hash } = Bun.password
  Bun.password.hash = (password) => hash(password, CHEAP)
}

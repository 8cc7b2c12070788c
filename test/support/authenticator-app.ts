import { URI } from 'otpauth'

/** The code that an authenticator app shows at this time. */
export const codeAt = (otpauthUrl: string, timestamp: number): string =>
  (URI.parse(otpauthUrl) as { generate(at: { timestamp: number }): string }).generate({ timestamp })

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SignJWT } from 'jose'
import { checkToken, type TokenCheck } from './token'

const NOW = Date.UTC(2026, 10, 20, 8, 0, 0)
const SECONDS = NOW / 1000
const SECRET = `svc_idk_${'k'.repeat(43)}`
const check: TokenCheck = {
  projectId: 'prj_1',
  label: 'user_1',
  deviceKey: 'svc_1',
  now: NOW,
  openSecrets: () => ({ secrets: [SECRET], isAnySealed: false }),
  findKey: null,
}
const sign = (claims: object, secret = SECRET) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
const good = { sub: 'user_1', aud: 'prj_1', iat: SECONDS, exp: SECONDS + 60 }

describe('laws of identity tokens', () => {
  test('a token is valid exactly when every claim is what the call needs', async () => {
    const offset = fc.integer({ min: -8000, max: 8000 })
    const claims = fc.record({
      sub: fc.constantFrom<unknown>('user_1', 'user_1', 'user_1', 'user_2', 1, null),
      aud: fc.constantFrom<unknown>('prj_1', 'prj_1', ['prj_1'], 'prj_2', ['prj_1', 'prj_2'], []),
      iat: offset,
      life: fc.oneof(fc.integer({ min: 1, max: 3660 }), fc.integer({ min: -100, max: 10_000 })),
      dk: fc.constantFrom<unknown>(undefined, undefined, 'svc_1', 'svc_2', 7),
    })
    await fc.assert(
      fc.asyncProperty(claims, async ({ sub, aud, iat, life, dk }) => {
        const token = await sign({
          sub,
          aud,
          iat: SECONDS + iat,
          exp: SECONDS + iat + life,
          ...(dk !== undefined && { dk }),
        })
        const isAudience = aud === 'prj_1' || (Array.isArray(aud) && aud.length === 1 && aud[0] === 'prj_1')
        const isTime = iat <= 60 && iat + life > -60 && life <= 3660
        const isValid = sub === 'user_1' && isAudience && isTime && (dk === undefined || dk === 'svc_1')
        expect(await checkToken(token, check)).toBe(isValid ? 'valid' : 'refused')
      }),
      { numRuns: 300 },
    )
  })

  test('no character of a token can be another one', async () => {
    const token = await sign(good)
    expect(await checkToken(token, check)).toBe('valid')
    // Of the last character some bits are padding.
    const place = fc.nat({ max: token.length - 2 })
    const letter = fc.constantFrom(...'ABCXYZabcxyz0189-_.= ')
    await fc.assert(
      fc.asyncProperty(place, letter, async (at, other) => {
        fc.pre(token[at] !== other)
        const changed = token.slice(0, at) + other + token.slice(at + 1)
        expect(await checkToken(changed, check)).toBe('refused')
      }),
      { numRuns: 300 },
    )
  })

  test('no text makes the check fail with an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `${btoa(encodeURI(text))}.e30.e30`),
        ),
        async (text) => {
          expect(await checkToken(text, check)).toBe('refused')
        },
      ),
    )
  })

  test('a secret that does not open never makes a token valid, and a valid one stays valid beside it', async () => {
    const sealed = { ...check, openSecrets: () => ({ secrets: [], isAnySealed: true }) }
    expect(await checkToken(await sign(good), sealed)).toBe('sealed')
    const half = { ...check, openSecrets: () => ({ secrets: [SECRET], isAnySealed: true }) }
    expect(await checkToken(await sign(good), half)).toBe('valid')
  })
})

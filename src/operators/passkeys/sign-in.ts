import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '../../base/context'
import { begin } from '../accounts/begin'
import type { Visit } from '../accounts/cookies'
import type { Account } from '../accounts/users'
import { giveChallenge, refused, spend, takeChallenge } from './challenge'
import { findPasskey, type PasskeyRow, usePasskey } from './queries'
import { relyingParty } from './relying-party'

const library = () => import('@simplewebauthn/server')

/** What the browser needs to ask for any passkey of this host. */
export async function signInOptions(ctx: Context, visit: Visit) {
  const { id: rpID } = relyingParty(ctx, visit.request)
  const { generateAuthenticationOptions } = await library()
  const challenge = giveChallenge(ctx, visit, null)
  return generateAuthenticationOptions({ rpID, challenge, userVerification: 'required', allowCredentials: [] })
}

/** Signs in with a passkey, which is both factors. 401 `UNAUTHORIZED` for whatever is not right. */
export async function signInWith(ctx: Context, visit: Visit, response: AuthenticationResponseJSON): Promise<Account> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx, visit.request)
  const expectedChallenge = takeChallenge(ctx, visit, null)
  const passkey = await findPasskey(ctx, response.id)
  if (!passkey) throw refused()
  const counter = await verify(passkey, { response, expectedChallenge, expectedOrigin, expectedRPID })
  await ctx.write(async (tx) => {
    await spend(tx, expectedChallenge)
    if (!(await usePasskey(tx, passkey.id, counter, tx.clock.now()))) throw refused()
  })
  const begun = await begin(ctx, visit, passkey.userId, { by: 'PASSKEY' })
  if (begun?.next !== null) throw refused()
  return begun.account
}

type Expected = Pick<
  Parameters<Awaited<ReturnType<typeof library>>['verifyAuthenticationResponse']>[0],
  'response' | 'expectedChallenge' | 'expectedOrigin' | 'expectedRPID'
>

/** Returns the authenticator's counter. */
async function verify(passkey: PasskeyRow, expected: Expected): Promise<number> {
  const { verifyAuthenticationResponse } = await library()
  const credential = {
    id: passkey.credentialId,
    publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
    counter: passkey.counter,
  }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      credential,
      requireUserVerification: true,
    })
    if (verified) return authenticationInfo.newCounter
  } catch (error) {
    throw refused(error)
  }
  throw refused()
}

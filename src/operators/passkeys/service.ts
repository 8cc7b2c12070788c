import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import type { Actor } from '../../projects/audit/audit'
import type { User } from '../../projects/doors/sessions'
import { conflict } from '../../projects/project/edit'
import { readAfter } from '../accounts/after'
import { recordAccount } from '../accounts/audit-entry'
import { begin, lockUser } from '../accounts/begin'
import type { Visit } from '../accounts/cookies'
import type { Account } from '../accounts/users'
import { refuseLastWay } from '../accounts/ways-in'
import { giveChallenge, refused, spend, takeChallenge } from './challenge'
import { deletePasskey, findPasskey, insertPasskey, listPasskeys, type PasskeyRow, usePasskey } from './queries'
import { relyingParty } from './relying-party'
import { type Page, toPage } from './wire'

const library = () => import('@simplewebauthn/server')
const MAX_PASSKEYS = 20

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
    await spend(tx, expectedChallenge, passkey.userId)
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

/** What the browser needs to make a passkey for this user. */
export async function creationOptions(ctx: Context, visit: Visit, user: User) {
  const { id: rpID } = relyingParty(ctx, visit.request)
  const { generateRegistrationOptions } = await library()
  const known = await listPasskeys(ctx, user.id, null, MAX_PASSKEYS)
  return generateRegistrationOptions({
    rpName: 'svc',
    rpID,
    userName: user.email,
    userID: new TextEncoder().encode(user.id),
    challenge: giveChallenge(ctx, visit, user.id),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

interface Making {
  name: string
  response: RegistrationResponseJSON
}

/** Saves a passkey. 400 `VALIDATION_ERROR` when the answer of the authenticator does not fit, 409 at the limit. */
export async function addPasskey(ctx: Context, visit: Visit, actor: Actor, user: User, making: Making) {
  const made = await verifyMade(ctx, visit, user, making.response)
  const row: PasskeyRow = {
    ...made,
    id: ctx.ids.next('pky'),
    userId: user.id,
    name: making.name,
    createdAt: ctx.clock.now(),
  }
  await ctx.write(async (tx) => {
    await lockUser(tx, user.id)
    await spend(tx, takeChallenge(ctx, visit, user.id), user.id)
    if ((await listPasskeys(tx, user.id, null, MAX_PASSKEYS)).length >= MAX_PASSKEYS)
      throw conflict(`There are ${MAX_PASSKEYS} passkeys, which is the most there can be; delete one first`)
    if (!(await insertPasskey(tx, row))) throw conflict('This passkey is saved already')
    await recordAccount(tx, actor, user.id, 'passkey.create', { after: { id: row.id, name: row.name } })
  })
  return toPasskeyView(row)
}

async function verifyMade(ctx: Context, visit: Visit, user: User, response: RegistrationResponseJSON) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx, visit.request)
  const expectedChallenge = takeChallenge(ctx, visit, user.id)
  const { verifyRegistrationResponse } = await library()
  const checks = { response, expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true }
  const result = await verifyRegistrationResponse(checks).catch(() => null)
  if (!result?.verified) throw invalid('credential: it is not the answer of an authenticator to these options')
  const { id, publicKey, counter } = result.registrationInfo.credential
  const transports = (response.response.transports ?? []).slice(0, 10)
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports,
    lastUsedAt: null,
  }
}

export async function listOwnPasskeys(ctx: Context, userId: string, query: Page) {
  const { limit = 50, cursor } = query
  const scope = ['passkeys', userId]
  const rows = await listPasskeys(ctx, userId, readAfter(cursor, scope), limit + 1)
  return toPage(rows, limit, scope, toPasskeyView)
}

/** 404 for a passkey that the user has not, 409 `CONFLICT` for the last way to sign in. */
export const removePasskey = (ctx: Context, actor: Actor, userId: string, id: string): Promise<void> =>
  ctx.write(async (tx) => {
    await lockUser(tx, userId)
    const owned = (await listPasskeys(tx, userId, null, MAX_PASSKEYS)).find((row) => row.id === id)
    if (!owned) throw notFound()
    await refuseLastWay(tx, userId)
    await deletePasskey(tx, userId, id)
    await recordAccount(tx, actor, userId, 'passkey.delete', { before: { id, name: owned.name } })
  })

const toPasskeyView = ({ id, name, createdAt, lastUsedAt }: PasskeyRow) => ({
  id,
  name,
  createdAt: toIso(createdAt),
  lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
})

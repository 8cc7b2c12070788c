import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import type { Actor } from '../../projects/audit/audit'
import type { User } from '../../projects/doors/sessions'
import { conflict } from '../../projects/project/edit'
import { readAfter } from '../accounts/after'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser, requireOpenSession } from '../accounts/begin'
import type { Visit } from '../accounts/cookies'
import { refuseLastWay } from '../accounts/ways-in'
import { giveChallenge, spend, takeChallenge } from './challenge'
import { deletePasskey, insertPasskey, listPasskeys, type PasskeyRow } from './queries'
import { relyingParty } from './relying-party'
import { type Page, toPage, toPasskeyView } from './wire'

const library = () => import('@simplewebauthn/server')
const MAX_PASSKEYS = 20

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
  /** The session in which it is made. */
  sessionId: string
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
    await requireOpenSession(tx, user.id, making.sessionId)
    await spend(tx, takeChallenge(ctx, visit, user.id))
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
    if (!owned) throw notFound('passkey', id)
    await refuseLastWay(tx, userId)
    await deletePasskey(tx, userId, id)
    await recordAccount(tx, actor, userId, 'passkey.delete', { before: { id, name: owned.name } })
  })

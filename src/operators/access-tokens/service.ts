import type { Context, Tx } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { toList } from '../../base/http/list'
import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { parseIso, toIso, toIsoOrNull } from '../../base/lib/time'
import type { Actor } from '../../projects/audit/audit'
import { SCOPES, type Scopes } from '../../projects/doors/scopes'
import type { Session } from '../../projects/doors/sessions'
import { readAfter } from '../accounts/after'
import { recordAccount } from '../accounts/audit-entry'
import { lockUser, requireOpenSession, TOKEN_LENGTH } from '../accounts/begin'
import { countTokens, findTokenName, insertToken, listTokenRows, removeToken, type TokenRow } from './queries'

export const TOKEN_PREFIX = 'svc_pat_'
const MAX_TOKENS = 20
/** The life of a token whose maker chose none. */
const LIFE_MS = 90 * DAY
/** Enough to recognise a token in a list. */
const SHOWN_LENGTH = TOKEN_PREFIX.length + 4

export async function listTokens(
  ctx: Context,
  userId: string,
  { limit = 50, cursor }: { limit?: number | undefined; cursor?: string | undefined },
) {
  const scope = ['tokens', userId]
  const rows = await listTokenRows(ctx, userId, readAfter(cursor, scope), limit + 1)
  return toList(rows, limit, scope, { positionOf: ({ createdAt, id }) => [createdAt, id], toItem: toTokenView })
}

/** The name that its owner gave a token; null when it is deleted. */
export const readTokenName = (ctx: Pick<Context, 'db' | 'tables'>, id: string): Promise<string | null> =>
  findTokenName(ctx, id)

export const toTokenView = ({ id, name, prefix, scopes, expiresAt, lastUsedAt, createdAt }: TokenRow) => ({
  id,
  name,
  prefix,
  scopes: scopes && [...scopes],
  expiresAt: toIsoOrNull(expiresAt),
  lastUsedAt: toIsoOrNull(lastUsedAt),
  createdAt: toIso(createdAt),
  updatedAt: toIso(createdAt),
})

interface NewToken {
  name: string
  /** `read`, or names of `SCOPES`; absent or null = everything that its owner may do. */
  scopes?: string | readonly string[] | null | undefined
  /** ISO 8601; absent = in 90 days, null = the token does not expire. */
  expiresAt?: string | null | undefined
}

/** Makes a token. Its text is in this answer and nowhere else: only its hash is stored. */
export async function createToken(
  ctx: Context,
  actor: Actor,
  { userId, session }: { userId: string; session: Session | null },
  { name, scopes: wanted = null, expiresAt: given }: NewToken,
) {
  const expiresAt = readExpiry(given, ctx.clock.now())
  const scopes = readScopes(wanted)
  return ctx.write(async (tx) => {
    await lockUser(tx, userId)
    await requireOpenSession(tx, userId, session?.id)
    return makeToken(tx, actor, userId, { name, scopes, expiresAt })
  })
}

/** Makes a token within a transaction that holds the lock of the user. 409 `CONFLICT` for a person with 20. */
export async function makeToken(
  tx: Tx,
  actor: Actor,
  userId: string,
  { name, scopes, expiresAt }: Pick<TokenRow, 'name' | 'scopes' | 'expiresAt'>,
) {
  if ((await countTokens(tx, userId)) >= MAX_TOKENS)
    throw new AppError('CONFLICT', undefined, {
      message: `A person has at most ${MAX_TOKENS} tokens; delete one first`,
    })
  const token = `${TOKEN_PREFIX}${tx.ids.token(TOKEN_LENGTH)}`
  const made: TokenRow = {
    id: tx.ids.next('pat'),
    userId,
    name,
    tokenHash: sha256Hex(token),
    prefix: token.slice(0, SHOWN_LENGTH),
    scopes,
    expiresAt,
    lastUsedAt: null,
    createdAt: tx.clock.now(),
  }
  await insertToken(tx, made)
  const after = { tokenId: made.id, name, prefix: made.prefix, scopes, expiresAt: toIsoOrNull(expiresAt) }
  await recordAccount(tx, actor, userId, 'token.create', { after })
  return { ...toTokenView(made), token }
}

function readExpiry(text: string | null | undefined, now: number): number | null {
  if (text === null) return null
  if (text === undefined) return now + LIFE_MS
  const instant = parseIso(text)
  if (instant === null || instant <= now) throw invalid('expiresAt: an ISO 8601 time in the future')
  return instant
}

/** Each scope once, in the order of `SCOPES`. 400 `VALIDATION_ERROR` for an unknown one. */
export function readScopes(wanted: string | readonly string[] | null): Scopes {
  if (wanted === null) return null
  const given = new Set(typeof wanted === 'string' ? [wanted] : wanted)
  const isKnown = given.size > 0 && [...given].every((scope) => SCOPES.includes(scope))
  if (!isKnown) throw invalid(`scopes: one or several of ${SCOPES.join(', ')}; leave it out for everything`)
  return SCOPES.filter((scope) => given.has(scope))
}

/** The next request with the token is refused. */
export const deleteToken = (ctx: Context, actor: Actor, userId: string, id: string): Promise<void> =>
  ctx.write(async (tx) => {
    const row = await removeToken(tx, userId, id)
    if (!row) throw notFound('access token', id)
    const before = { tokenId: id, name: row.name, prefix: row.prefix, scopes: row.scopes }
    await recordAccount(tx, actor, userId, 'token.delete', { before })
  })

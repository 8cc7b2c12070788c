import type { Context } from '../../base/context'
import { outsideNow, SECOND } from '../../base/lib/clock'
import { reasonText } from '../../core/reason/reasons'
import { AcmeClient, type Directory, pause, readDirectory } from './acme/client'
import { type AccountKey, makeAccountKey, toAccountKey } from './acme/jws'
import type { CallParts } from './acme/transport'
import { NotReady } from './failure'
import { findTlsAccount, saveTlsAccount } from './queries'
import { openAccount, sealFor, vaultOf } from './sealed'

export const callParts = (ctx: Context): CallParts => ({
  ca: ctx.config.tls.acme.ca,
  now: () => outsideNow(ctx),
  signal: ctx.state.tls.signal,
})

/** An authority signs for a time that starts an hour ago; a larger difference makes certificates that clients refuse. */
const MAX_SKEW_MS = 3600 * SECOND

/** The directory of the authority. Throws a `NotReady` when the clock of this machine is wrong. */
export async function openDirectory(ctx: Context): Promise<Directory> {
  const directory = await readDirectory(callParts(ctx), ctx.config.tls.acme.url)
  const { skewMs } = directory
  if (skewMs === null || Math.abs(skewMs) <= MAX_SKEW_MS) return directory
  const hours = String(Math.round(Math.abs(skewMs) / (3600 * SECOND)))
  throw new NotReady(
    'other',
    skewMs > 0 ? reasonText('TLS_CLOCK_BEHIND', { hours }) : reasonText('TLS_CLOCK_AHEAD', { hours }),
  )
}

/**
 * The account of this deployment at the authority, registered if it is not yet. A new one is made in place of the account
 * whose key has the thumbprint `refused`, because the authority has closed or lost it.
 */
export const openAccountClient = (
  ctx: Context,
  directory: Directory,
  refused: string | null = null,
): Promise<AcmeClient> => ctx.state.tls.accounts.run(() => openClient(ctx, directory, refused))

async function openClient(ctx: Context, directory: Directory, refused: string | null): Promise<AcmeClient> {
  const row = await findTlsAccount(ctx, ctx.config.tls.acme.url)
  const jwk = row && openAccount(ctx.vault, row)
  const known = jwk && (await toAccountKey(jwk))
  const isUsable = known !== null && known.thumbprint !== refused
  const key = isUsable ? known : await makeAccount(ctx, directory.termsOfService)
  const client = new AcmeClient(callParts(ctx), directory, key, isUsable ? (row?.accountUrl ?? null) : null)
  ctx.state.tls.thumbprint = key.thumbprint
  if (client.accountUrl === null) await register(ctx, client)
  return client
}

async function register(ctx: Context, client: AcmeClient): Promise<void> {
  const { url, email, eab } = ctx.config.tls.acme
  const accountUrl = await client.register(email, eab)
  await ctx.write(async (tx) => {
    const row = await findTlsAccount(tx, url)
    if (row) await saveTlsAccount(tx, { ...row, accountUrl })
  })
}

/** How long other processes may take to see a new key: until then they answer challenges with the old one. */
const SPREAD_MS = 2 * SECOND

async function makeAccount(ctx: Context, termsUrl: string | null): Promise<AccountKey> {
  const { key, row } = await newAccount(ctx, termsUrl)
  await ctx.write((tx) => saveTlsAccount(tx, row))
  ctx.state.tls.thumbprint = key.thumbprint
  await pause(ctx.state.tls.signal, SPREAD_MS)
  return key
}

/** A new key, and the row of the account that is registered at its first use. */
async function newAccount(ctx: Context, termsUrl: string | null) {
  const directory = ctx.config.tls.acme.url
  const key = await makeAccountKey()
  const sealed = sealFor(vaultOf(ctx), 'account', directory, key.jwk)
  return { key, row: { directory, accountUrl: null, sealed, termsUrl, createdAt: outsideNow(ctx) } }
}

/** Writes down that the terms of the authority were accepted, unless that was done before. */
export async function acceptTerms(ctx: Context, termsUrl: string | null): Promise<void> {
  const { row } = await newAccount(ctx, termsUrl)
  await ctx.write(async (tx) => {
    if ((await findTlsAccount(tx, row.directory)) === null) await saveTlsAccount(tx, row)
  })
}

/** Whether the terms of the authority were accepted, by any process of this deployment. */
export const areTermsAccepted = async (ctx: Context): Promise<boolean> =>
  (await findTlsAccount(ctx, ctx.config.tls.acme.url)) !== null

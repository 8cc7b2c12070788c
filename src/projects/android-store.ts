import type { Context } from '../context'
import { AppError } from '../errors'
import { sha256Hex } from '../lib/hash'
import { GOOGLE_TOKEN_URL } from '../stores/android/access-token'
import { GOOGLE_API_URL, PlayClient } from '../stores/android/client'
import { GOOGLE_KEYS_URL, GoogleKeys } from '../stores/android/google-keys'
import { readServiceAccount } from '../stores/android/service-account'
import { loadStoreSettings } from './credentials'
import type { ProjectState } from './state'

interface Held {
  configVersion: number
  /** Of the credentials: a client lives as long as they do, so that its circuit outlasts other changes. */
  fingerprint: string
  client: PlayClient
}

/** What one process knows of the Android store: a client for each project, and Google's keys. */
interface AndroidParts {
  clients: Map<string, Held>
  keys: GoogleKeys | null
}

// Beside the context, whose members are built at start: most deployments never ask Google anything.
const partsOf = new WeakMap<Context, AndroidParts>()

function androidParts(ctx: Context): AndroidParts {
  const parts = partsOf.get(ctx) ?? { clients: new Map(), keys: null }
  partsOf.set(ctx, parts)
  return parts
}

/** The project's client for the Play Developer API; 400 `STORE_NOT_CONFIGURED` without usable credentials. */
export async function androidClient(ctx: Context, project: ProjectState): Promise<PlayClient> {
  const { clients } = androidParts(ctx)
  const { id, configVersion } = project
  const held = clients.get(id)
  if (held?.configVersion === configVersion) return held.client
  const saved = await readCredentials(ctx, project)
  const fingerprint = sha256Hex(`${saved.packageName} ${saved.serviceAccount}`)
  // Read again: another request may have built it meanwhile, and two would have a circuit each.
  const present = clients.get(id)
  const client = present?.fingerprint === fingerprint ? present.client : newClient(ctx, saved)
  clients.set(id, { configVersion, fingerprint, client })
  return client
}

interface SavedCredentials {
  packageName: string
  serviceAccount: string
}

async function readCredentials(ctx: Context, { id, android }: ProjectState): Promise<SavedCredentials> {
  const saved = (await loadStoreSettings(ctx, ctx.vault, id)).get('android')
  const serviceAccount = saved?.secrets?.serviceAccount
  if (!android || serviceAccount === undefined) throw new AppError('STORE_NOT_CONFIGURED')
  return { packageName: android.packageName, serviceAccount }
}

function newClient({ config, clock }: Context, { packageName, serviceAccount }: SavedCredentials): PlayClient {
  const result = readServiceAccount(serviceAccount)
  if (!result.ok) throw new AppError('STORE_NOT_CONFIGURED')
  const { android, androidToken } = config.storeUrls
  const urls = { apiUrl: android ?? GOOGLE_API_URL, tokenUrl: androidToken ?? GOOGLE_TOKEN_URL }
  return new PlayClient({ account: result.account, packageName, ...urls, clock })
}

/** The keys of push tokens. A stand-in for Google's token endpoint publishes its own beside it, at `/certs`. */
export function googleKeys(ctx: Context): GoogleKeys {
  const parts = androidParts(ctx)
  const { androidToken } = ctx.config.storeUrls
  const url = androidToken === null ? GOOGLE_KEYS_URL : new URL('/certs', androidToken).href
  parts.keys ??= new GoogleKeys({ url, clock: ctx.clock })
  return parts.keys
}

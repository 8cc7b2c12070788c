import type { Context } from '../context'
import { AppError } from '../errors'
import type { CircuitBoard } from '../lib/circuits'
import { GOOGLE_TOKEN_URL } from '../stores/android/access-token'
import { GOOGLE_API_URL, PlayClient } from '../stores/android/client'
import { GOOGLE_KEYS_URL, GoogleKeys } from '../stores/android/google-keys'
import { readServiceAccount } from '../stores/android/service-account'
import { ClientCache } from './client-cache'
import { loadStoreSettings } from './credentials'
import type { ProjectState } from './state'

/** What one process knows of the Android store: a client for each project, and Google's keys. */
interface AndroidParts {
  clients: ClientCache<SavedCredentials, PlayClient>
  keys: GoogleKeys | null
}

// Beside the process's board, and made when Google is first asked: most deployments never ask it anything.
const partsOf = new WeakMap<CircuitBoard, AndroidParts>()

function androidParts(ctx: Context): AndroidParts {
  const parts = partsOf.get(ctx.circuits) ?? newParts(ctx)
  partsOf.set(ctx.circuits, parts)
  return parts
}

const newParts = (ctx: Context): AndroidParts => ({
  clients: new ClientCache(
    (project) => readCredentials(ctx, project),
    (saved, { id }) => newClient(ctx, id, saved),
  ),
  keys: null,
})

/** The project's client for the Play Developer API; 400 `STORE_NOT_CONFIGURED` without usable credentials. */
export const androidClient = (ctx: Context, project: ProjectState): Promise<PlayClient> =>
  androidParts(ctx).clients.get(project)

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

function newClient(
  { config, clock, circuits }: Context,
  projectId: string,
  { packageName, serviceAccount }: SavedCredentials,
): PlayClient {
  const result = readServiceAccount(serviceAccount)
  if (!result.ok) throw new AppError('STORE_NOT_CONFIGURED')
  const { android, androidToken } = config.storeUrls
  const urls = { apiUrl: android ?? GOOGLE_API_URL, tokenUrl: androidToken ?? GOOGLE_TOKEN_URL }
  const client = new PlayClient({ account: result.account, packageName, ...urls, clock })
  circuits.put(projectId, { store: 'ANDROID_STORE', isSandbox: false, circuit: client.circuit })
  return client
}

/** The keys of push tokens. A stand-in for Google's token endpoint publishes its own beside it, at `/certs`. */
export function googleKeys(ctx: Context): GoogleKeys {
  const parts = androidParts(ctx)
  const { androidToken } = ctx.config.storeUrls
  const url = androidToken === null ? GOOGLE_KEYS_URL : new URL('/certs', androidToken).href
  parts.keys ??= new GoogleKeys({ url, clock: ctx.clock })
  return parts.keys
}

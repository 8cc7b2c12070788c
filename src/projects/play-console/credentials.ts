import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { AppError, requireVault } from '../../base/errors'
import { orNull } from '../../base/http/object-answer'
import { throughCircuit } from '../../base/lib/circuit'
import { MINUTE } from '../../base/lib/clock'
import { canonicalJson } from '../../base/lib/hash'
import { GOOGLE_TOKEN_URL } from '../../stores/android/access-token'
import type { CallRefusal, PlayAnswer } from '../../stores/android/answer'
import { GOOGLE_API_URL, PlayClient, type VoidedPage } from '../../stores/android/client'
import { readServiceAccount, type ServiceAccount } from '../../stores/android/service-account'
import { PACKAGE_NAME } from '../connections/project-file/forms'
import { requireLock, withCredentialLock } from '../credential-lock/lock'
import { findSettings, type StoreEdit, saveStore } from '../store-setup/edit-store'
import { credentialsInvalid } from './refusals'

export const AndroidCredentialsBody = Type.Object(
  {
    packageName: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: PACKAGE_NAME.source,
      examples: ['com.example.app'],
    }),
    serviceAccount: orNull(
      Type.Record(Type.String({ maxLength: 255 }), Type.Unknown(), {
        maxProperties: 64,
        description:
          'The key file of the service account that Google Cloud gave, as a JSON object. null: the saved one stays',
      }),
    ),
  },
  { additionalProperties: false, title: 'AndroidCredentialsInput' },
)
export type AndroidCredentialsBody = Static<typeof AndroidCredentialsBody>

/**
 * Saves the app and its service account, after Google has accepted them, unless `isProbed` is false. Nothing is saved
 * when Google refuses them or does not answer.
 */
export async function saveAndroidCredentials(
  ctx: Context,
  edit: StoreEdit,
  { packageName, serviceAccount }: AndroidCredentialsBody,
  isProbed: boolean,
): Promise<void> {
  requireVault(ctx)
  const given = serviceAccount && readAccount(canonicalJson(serviceAccount))
  await withCredentialLock(ctx, edit.by.projectId, 'save', async (lock) => {
    const { account, text } = given ?? readAccount(await savedAccount(ctx, edit.by.projectId))
    if (isProbed) await probe(ctx, account, packageName)
    const config = { packageName, clientEmail: account.clientEmail }
    const settings = { config, secrets: { serviceAccount: text } }
    await saveStore(ctx, edit, 'android', settings, (_saved, { tx }) => requireLock(tx, lock))
  })
}

function readAccount(text: string): { account: ServiceAccount; text: string } {
  const result = readServiceAccount(text)
  if (!result.ok) throw credentialsInvalid('serviceAccount', result.reason)
  return { account: result.account, text }
}

async function savedAccount(ctx: Context, projectId: string): Promise<string> {
  const text = (await findSettings(ctx, projectId, 'android'))?.secrets?.serviceAccount
  if (text === undefined) throw credentialsInvalid('serviceAccount', 'missing')
  return text
}

/** Reads the app's voided purchases of the last minute: it needs the right that reading a purchase needs. */
async function probe(ctx: Context, account: ServiceAccount, packageName: string): Promise<void> {
  const { clock } = ctx
  const { android, androidToken } = ctx.config.storeUrls
  const urls = { apiUrl: android ?? GOOGLE_API_URL, tokenUrl: androidToken ?? GOOGLE_TOKEN_URL }
  const client = new PlayClient({ account, packageName, ...urls, clock })
  const endAt = clock.now()
  const circuit = ctx.state.playConsole.probeCircuit
  const answer = await throughCircuit({ circuit, clock, whenOpen: CIRCUIT_OPEN, isOutage }, () =>
    client.listVoided({ startAt: endAt - MINUTE, endAt, pageToken: null }),
  )
  client.close()
  if (answer.kind !== 'ok') throw refusalOf(answer)
}

const CIRCUIT_OPEN: PlayAnswer<VoidedPage> = { kind: 'unavailable', why: 'circuit_open', status: null }

/** A limit of calls (429) concerns one cloud project only. */
const isOutage = ({ kind, ...answer }: PlayAnswer<VoidedPage>): boolean =>
  kind === 'unavailable' && !('status' in answer && answer.status === 429)

function refusalOf(refusal: CallRefusal): AppError {
  const { kind, status } = refusal
  if (kind === 'unavailable') return new AppError('STORE_UNAVAILABLE')
  if (status === 404) return credentialsInvalid('packageName', 'app_not_found')
  const cause = new Error(`Google Play: ${status} ${refusal.reason ?? ''}`.trim())
  if (refusal.reason === 'accessNotConfigured')
    return new AppError('STORE_API_ERROR', undefined, { cause, message: API_DISABLED })
  if (kind !== 'rejected' || refusal.why !== 'credentials') return new AppError('STORE_API_ERROR', undefined, { cause })
  if (status === 403) return credentialsInvalid('serviceAccount', 'insufficient_role', 403)
  return credentialsInvalid('serviceAccount', 'rejected_by_store')
}

const API_DISABLED = 'Enable the Google Play Android Developer API in the cloud project of the service account'

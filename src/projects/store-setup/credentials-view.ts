import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { listRevisions } from '../audit/revisions'
import { loadStoreSettings, type SavedSettings } from '../connections/credentials'
import { STORE_NAMES, type StoreName } from './model'

const strict = { additionalProperties: false }
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const revision = Type.Integer({
  minimum: 0,
  description: 'Counts the changes of these credentials; 0 when none were ever saved',
})
const KeyView = Type.Union([Type.Object({ keyId: Type.String(), issuerId: TextOrNull }, strict), Type.Null()])

export const CredentialsView = Type.Object(
  {
    ios: Type.Object(
      {
        configured: Type.Boolean(),
        bundleId: TextOrNull,
        appId: TextOrNull,
        inAppPurchaseKey: KeyView,
        storeConnectKey: KeyView,
        revision,
      },
      strict,
    ),
    android: Type.Object(
      { configured: Type.Boolean(), packageName: TextOrNull, clientEmail: TextOrNull, revision },
      strict,
    ),
    payment: Type.Object(
      {
        configured: Type.Boolean(),
        accountId: { ...TextOrNull, description: 'The connected account; null with keys of the project itself' },
        mode: Type.Union([Type.Literal('test'), Type.Literal('live'), Type.Null()]),
        revision,
      },
      strict,
    ),
  },
  { ...strict, title: 'StoreCredentials' },
)
export type CredentialsView = Static<typeof CredentialsView>

/** The saved credentials of all stores, without anything secret. */
export async function credentialsView(ctx: Context, projectId: string): Promise<CredentialsView> {
  // The revisions first: a change between the two reads makes a later `If-Match` fail.
  const revisions = await listRevisions(ctx, projectId, STORE_NAMES)
  const saved = await loadStoreSettings(ctx, ctx.vault, projectId)
  const revisionOf = (store: StoreName) => ({ revision: revisions.get(store) ?? (saved.has(store) ? 1 : 0) })
  return {
    ios: { ...iosView(saved.get('ios')), ...revisionOf('ios') },
    android: { ...androidView(saved.get('android')), ...revisionOf('android') },
    payment: { ...paymentView(saved.get('payment')), ...revisionOf('payment') },
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function iosView(saved: SavedSettings | undefined) {
  const { bundleId, appId, inAppPurchaseKey, storeConnectKey } = saved?.config ?? {}
  return {
    configured: textOf(bundleId) !== null,
    bundleId: textOf(bundleId),
    appId: textOf(appId),
    inAppPurchaseKey: keyView(inAppPurchaseKey),
    storeConnectKey: keyView(storeConnectKey),
  }
}

function keyView(key: unknown): { keyId: string; issuerId: string | null } | null {
  const { keyId, issuerId } = (typeof key === 'object' && key !== null ? key : {}) as Record<string, unknown> // Read as text below.
  const id = textOf(keyId)
  return id === null ? null : { keyId: id, issuerId: textOf(issuerId) }
}

function androidView(saved: SavedSettings | undefined) {
  const { packageName, clientEmail } = saved?.config ?? {}
  return {
    configured: textOf(packageName) !== null && (saved?.hasSecrets ?? false),
    packageName: textOf(packageName),
    clientEmail: textOf(clientEmail),
  }
}

function paymentView(saved: SavedSettings | undefined) {
  const { mode, accountId } = saved?.config ?? {}
  return {
    configured: textOf(accountId) !== null || (saved?.hasSecrets ?? false),
    accountId: textOf(accountId),
    mode: mode === 'test' || mode === 'live' ? mode : null,
  } as const
}

import { api } from '../../api/client'

export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function'

interface RequestOptions {
  challenge: string
  timeout?: number
  rpId?: string
  allowCredentials?: { id: string; type: 'public-key' }[]
  userVerification?: UserVerificationRequirement
}

/** Signs in with a passkey of this device. Null when the person closed the browser's question. */
export async function signInWithPasskey() {
  const options = (await api.post('/api/auth/passkey/options', { body: {} })) as unknown as RequestOptions
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map((one) => ({ ...one, id: toBytes(one.id) })),
  }
  const found = await navigator.credentials.get({ publicKey }).catch(() => null)
  if (!(found instanceof PublicKeyCredential)) return null
  return api.post('/api/auth/passkey', { body: { credential: toJson(found) } })
}

function toJson(credential: PublicKeyCredential) {
  const { authenticatorData, clientDataJSON, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse
  return {
    id: credential.id,
    rawId: toText(credential.rawId),
    type: 'public-key' as const,
    response: {
      authenticatorData: toText(authenticatorData),
      clientDataJSON: toText(clientDataJSON),
      signature: toText(signature),
      ...(userHandle && { userHandle: toText(userHandle) }),
    },
  }
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

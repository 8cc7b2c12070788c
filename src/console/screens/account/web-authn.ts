/** Asks the device for a new passkey. `options` are those of the server, with bytes as base64url. */
export async function createCredential(options: Record<string, unknown>): Promise<CredentialWire> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null
  if (!made) throw new Error('The device made no passkey.')
  return made.toJSON() as unknown as CredentialWire
}

/** A new credential as the API takes it. */
export interface CredentialWire {
  id: string
  rawId: string
  type: 'public-key'
  response: { attestationObject: string; clientDataJSON: string; transports?: string[] }
}

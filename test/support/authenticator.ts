import { createHash } from 'node:crypto'

/** Values of CBOR (RFC 8949) that WebAuthn needs. */
type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, member]) => [encode(key), encode(member)])])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url')

interface Options {
  challenge: string
  rpId?: string
  rp?: { id?: string }
}

/** What an authenticator does wrong, for one test. */
interface Wrong {
  origin?: string
  rpId?: string
  isUnverified?: boolean
  type?: string
  challenge?: string
}

/** A software authenticator with one passkey (ES256). */
export class Authenticator {
  counter = 0

  private constructor(
    private readonly keys: CryptoKeyPair,
    readonly id: string,
  ) {}

  static async make(): Promise<Authenticator> {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
    return new Authenticator(keys, base64url(crypto.getRandomValues(new Uint8Array(32))))
  }

  /** What `navigator.credentials.create` gives, in JSON. */
  async create({ challenge, rp }: Options, wrong: Wrong = {}) {
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', this.keys.publicKey)
    const publicKey = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const id = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, encode(publicKey)])
    const data = this.data(rp?.id, wrong, 0x40, credential)
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', data],
    ])
    const clientDataJSON = client('webauthn.create', challenge, wrong)
    const response = { clientDataJSON, attestationObject: base64url(encode(attestation)), transports: ['internal'] }
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  /** What `navigator.credentials.get` gives, in JSON. */
  async get({ challenge, rpId }: Options, wrong: Wrong = {}) {
    this.counter++
    const data = this.data(rpId, wrong, 0)
    const clientDataJSON = client('webauthn.get', challenge, wrong)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, this.keys.privateKey, signed)
    const response = {
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: base64url(toDer(Buffer.from(raw))),
    }
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  private data(rpId = 'localhost', wrong: Wrong, flags: number, more = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const verified = wrong.isUnverified ? 0x01 : 0x05
    return Buffer.concat([sha256(wrong.rpId ?? rpId), Buffer.from([flags | verified]), counter, more])
  }
}

const client = (type: string, challenge: string, wrong: Wrong): string =>
  base64url(
    JSON.stringify({
      type: wrong.type ?? type,
      challenge: wrong.challenge ?? challenge,
      origin: wrong.origin ?? 'http://localhost',
    }),
  )

/** The two halves of a signature as ASN.1, the form in which authenticators give it. */
function toDer(raw: Buffer): Buffer {
  const integers = [raw.subarray(0, 32), raw.subarray(32)].map((half) => {
    const start = half.findIndex((byte) => byte !== 0)
    const digits = half.subarray(Math.max(0, start))
    const value = (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits
    return Buffer.concat([Buffer.from([2, value.length]), value])
  })
  const body = Buffer.concat(integers)
  return Buffer.concat([Buffer.from([0x30, body.length]), body])
}

import type { PersonTexts } from '../../people/subscribers/hooks'

const TOKEN = /[A-Za-z0-9+/_-]{16,}={0,2}/g
const MOST_LAYERS = 4

/**
 * The members of notifications and answers that can hold a text chosen by an app or a person: an account token, a
 * device key, a label, an e-mail address.
 */
const HOLDERS = [
  ...['appAccountToken', 'accountToken', 'obfuscatedExternalAccountId', 'obfuscatedExternalProfileId'],
  ...['obfuscatedAccountId', 'obfuscatedProfileId', 'svc_subscriber_id', 'svc_device_key', 'client_reference_id'],
  ...['deviceKey', 'deviceKeys', 'device_key', 'appUserId', 'appUserIds', 'app_user_id', 'label', 'labels'],
  ...['subscriberId', 'subscriber_id', 'userId', 'user_id', 'externalId', 'external_id', 'targetingKey', 'person'],
  ...['email', 'customer_email', 'receipt_email', 'emailAddress', '\\$email'],
].join('|')

/** The text before it: the member, and for a list or an attribute of a person what it starts with. */
const BEFORE_CHOSEN = new RegExp(
  `"(${HOLDERS})"\\s*:\\s*(\\[[^\\]{}]*|\\{\\s*("updatedAt"\\s*:\\s*[^,{}]*,\\s*)?"value"\\s*:\\s*)?$`,
)

/** The longest text before a value that is looked at. */
const BEFORE_CHARACTERS = 1000

/**
 * Whether a stored body names one of the texts. Stores pack their messages into base64, some of them twice, so what can
 * be unpacked is unpacked. A text counts only as a whole value of JSON: an id must not be found within a longer one. A
 * text chosen by an app counts only in the members that can hold it, for it may be the name of a product.
 */
export function isAbout(body: string, { ids, chosen }: PersonTexts): boolean {
  const [quotedIds, quotedChosen] = [ids.map(quoted), chosen.map(quoted)]
  return layersOf(body).some(
    (text) => quotedIds.some((id) => text.includes(id)) || quotedChosen.some((one) => isHeld(text, one)),
  )
}

const quoted = (text: string): string => JSON.stringify(text)

function isHeld(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1))
    if (BEFORE_CHOSEN.test(text.slice(Math.max(0, at - BEFORE_CHARACTERS), at))) return true
  return false
}

function layersOf(body: string): string[] {
  const layers = [unescaped(body)]
  for (let from = 0, depth = 1; depth < MOST_LAYERS; depth++) {
    const found = layers.slice(from).flatMap((text) => (text.match(TOKEN) ?? []).flatMap(unpack))
    from = layers.length
    layers.push(...found)
    if (found.length === 0) break
  }
  return layers
}

/** JSON within JSON has its quotes escaped. */
const unescaped = (text: string): string => text.replaceAll('\\"', '"')

function unpack(token: string): string[] {
  const text = Buffer.from(token, 'base64').toString('utf8')
  const isJson = /^\s*[[{]/.test(text) && !text.includes('\ufffd')
  return isJson ? [unescaped(text)] : []
}

import { isHttpsUrl } from '../text/addresses'
import type { Fault } from '../text/fault'
import { utf8Length } from '../text/utf8'
import { type AndroidAppLinks, type AppLinks, type IosAppLinks, MAX_ASSOCIATION_BYTES, MAX_STORE_URL } from './model'

const TEAM_ID = /^[A-Z0-9]{10}$/
const BUNDLE_ID = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/
const PACKAGE = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/
const FINGERPRINT = /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/
const SCHEME = /^[a-z][a-z0-9+.-]{1,30}$/
/** Schemes that browsers know themselves. */
const FOREIGN_SCHEMES = new Set(['http', 'https', 'javascript', 'data', 'file'])
const MAX_ID = 255

type Check = (path: string, value: string) => Fault[]

const matching =
  (form: RegExp, sentence: string): Check =>
  (path, value) =>
    value.length <= MAX_ID && form.test(value) ? [] : [{ path, message: `${path} ${sentence}` }]

const teamId = matching(TEAM_ID, 'must be the team id: 10 capital letters and digits')
const bundleId = matching(BUNDLE_ID, 'must be a bundle id such as com.example.app')
const packageName = matching(PACKAGE, 'must be a package name such as com.example.app')
const fingerprint = matching(FINGERPRINT, 'must be a SHA-256 fingerprint: 32 pairs of hex digits, joined by colons')

const scheme: Check = (path, value) =>
  SCHEME.test(value) && !FOREIGN_SCHEMES.has(value)
    ? []
    : [{ path, message: `${path} must be a scheme of your own: a small letter, then 1 to 30 of a-z 0-9 + . -` }]

const storeUrl = (path: string, value: string | null): Fault[] => {
  if (value === null) return []
  return value.length <= MAX_STORE_URL && isHttpsUrl(value)
    ? []
    : [{ path, message: `${path} must be an https address of at most ${MAX_STORE_URL} characters` }]
}

const each = (path: string, values: readonly string[], check: Check): Fault[] => {
  const faults = values.flatMap((value, index) => check(`${path}[${index}]`, value))
  const isRepeated = new Set(values).size !== values.length
  return isRepeated ? [...faults, { path, message: `${path} names one of them twice` }] : faults
}

/** Every fault in the app links of a project. The lengths of the lists are checked where they are parsed. */
export const appLinksFaults = ({ ios, android, applePayAssociation }: AppLinks): Fault[] => [
  ...(ios ? iosFaults(ios) : []),
  ...(android ? androidFaults(android) : []),
  ...associationFaults(applePayAssociation),
]

const iosFaults = (ios: IosAppLinks): Fault[] => [
  ...teamId('ios.teamId', ios.teamId),
  ...each('ios.bundleIds', ios.bundleIds, bundleId),
  ...scheme('ios.scheme', ios.scheme),
  ...storeUrl('ios.storeUrl', ios.storeUrl),
]

const androidFaults = (android: AndroidAppLinks): Fault[] => [
  ...each('android.packageNames', android.packageNames, packageName),
  ...each('android.sha256Fingerprints', android.sha256Fingerprints, fingerprint),
  ...scheme('android.scheme', android.scheme),
  ...storeUrl('android.storeUrl', android.storeUrl),
]

function associationFaults(text: string | null): Fault[] {
  const path = 'applePayAssociation'
  if (text === null) return []
  if (text.trim() === '') return [{ path, message: `${path} must be null or the text of the file` }]
  return utf8Length(text) > MAX_ASSOCIATION_BYTES ? [{ path, message: `${path} must have at most 16 KiB` }] : []
}

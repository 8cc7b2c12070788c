import type { Schemas } from '../../../api/schemas'

export type Settings = Schemas['SdkDoor']
export type Call = Schemas['SdkCall']

export const PATH = '/dashboard/projects/{projectId}/sdk-door'

const ANSWERED = 'OK'
const RECEIPTS = 'receipts'
const CUSTOMER_INFO = 'subscriber'

/** The codes of receipts that the SDK gives up: forged, foreign or malformed ones, and those of another person. */
const GIVEN_UP: ReadonlySet<string> = new Set(['7102', '7103'])

type Seen = Schemas['SdkSeen']
type Devices = Schemas['SdkDevices']

/** One version of an SDK, with the devices and the calls of the last 30 days. */
export interface Version {
  platform: string
  flavor: string
  version: string
  devices: number
  /** Versions of the app with their devices, as text. */
  apps: string
  vendorEvents: Devices['vendorEvents']
  calls: number
  /** Calls for the customer info that were refused: these apps learn of no access. */
  withoutAccess: number
  /** Other calls with another answer than a good one; purchases are counted by themselves. */
  refused: number
  purchases: Purchases
  lastDay: string
}

export interface Purchases {
  booked: number
  /** Answered with 503: the SDK keeps the purchase and sends it again. */
  kept: number
  /** Refused for ever. */
  refused: number
}

/** Calls that are always refused here, which the SDKs pass over. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['config', 'customerCenter', 'unsupported', 'redeem', 'branding'])

export const isOffered = ({ call }: Pick<Call, 'call'>): boolean => !NOT_OFFERED.has(call)

const NO_PURCHASES: Purchases = { booked: 0, kept: 0, refused: 0 }

interface OfSdk {
  platform: string
  flavor: string
  version: string
}

const nameOf = ({ platform, flavor, version }: OfSdk): string => `${platform}\n${flavor}\n${version}`

/** The versions; first those without access or with purchases that are not booked, then by devices and calls. */
export function versionsOf({ calls, devices }: Seen): Version[] {
  const callsOf = Map.groupBy(calls, nameOf)
  const devicesOf = Map.groupBy(devices, nameOf)
  const sdks = new Map([...calls, ...devices].map((one) => [nameOf(one), one]))
  return [...sdks]
    .map(([name, sdk]) => toVersion(sdk, callsOf.get(name) ?? [], devicesOf.get(name) ?? []))
    .sort((a, b) => trouble(b) - trouble(a) || b.devices - a.devices || b.calls - a.calls)
}

const trouble = ({ purchases, withoutAccess }: Version): number => withoutAccess + purchases.kept + purchases.refused

function toVersion({ platform, flavor, version }: OfSdk, calls: readonly Call[], devices: readonly Devices[]): Version {
  const refused = calls.filter((one) => one.call !== RECEIPTS && one.outcome !== ANSWERED && isOffered(one))
  const [infos, others] = [refused.filter(isInfo), refused.filter((one) => !isInfo(one))]
  const days = [...calls.map(({ day }) => day), ...devices.map(({ lastDay }) => lastDay)].toSorted()
  return {
    ...{
      platform,
      flavor,
      version,
      calls: sum(calls),
      withoutAccess: sum(infos),
      refused: sum(others),
      purchases: purchasesOf(calls),
    },
    devices: devices.reduce((total, one) => total + one.devices, 0),
    apps: appsOf(devices),
    vendorEvents: devices[0]?.vendorEvents ?? 'UNKNOWN',
    lastDay: days.at(-1) ?? '',
  }
}

const isInfo = ({ call }: Call): boolean => call === CUSTOMER_INFO

const appsOf = (devices: readonly Devices[]): string =>
  devices
    .filter(({ appVersion }) => appVersion !== '')
    .map((one) => `${one.appVersion} (${one.devices})`)
    .join(', ')

const sum = (calls: readonly Call[]): number => calls.reduce((total, { count }) => total + count, 0)

export function purchasesOf(calls: readonly Call[]): Purchases {
  const found = { ...NO_PURCHASES }
  for (const { call, outcome, count } of calls) if (call === RECEIPTS) found[kindOf(outcome)] += count
  return found
}

const kindOf = (outcome: string): keyof Purchases =>
  outcome === ANSWERED ? 'booked' : GIVEN_UP.has(outcome) ? 'refused' : 'kept'

/** A call and its outcome, over all days. */
export type Outcome = Omit<Call, 'day'>

/** What was answered otherwise than with OK, the most frequent first. */
export function refusalsOf(calls: readonly Call[]): Outcome[] {
  const groups = Map.groupBy(
    calls.filter(({ outcome }) => outcome !== ANSWERED),
    ({ day: _day, count: _count, ...one }) => JSON.stringify(one),
  )
  return [...groups.values()]
    .flatMap((same) => (same[0] ? [{ ...same[0], count: sum(same) }] : []))
    .sort((a, b) => b.count - a.count)
}

/** How a receipt with this outcome is treated by the SDK; null for other calls. */
export const fateOf = ({ call, outcome }: Outcome): 'kept' | 'refused' | null => {
  const kind = call === RECEIPTS ? kindOf(outcome) : 'booked'
  return kind === 'booked' ? null : kind
}

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  ...{ android: 'Android', amazon: 'Amazon', web: 'Web', ios: 'iOS', uikitformac: 'Mac Catalyst', macos: 'macOS' },
  ...{ tvos: 'tvOS', watchos: 'watchOS', visionos: 'visionOS' },
}

/** The platform with the framework around the SDK and its version: `Android flutter 9.9.0`. */
export const sdkName = ({ platform, flavor, version }: OfSdk): string =>
  [PLATFORM_NAMES[platform.toLowerCase()] ?? platform, flavor, version].filter((part) => part !== '').join(' ')

export const PLATFORMS = ['ios', 'android', 'amazon', 'web'] as const

/** The line of each SDK that changes the server it calls. */
export const linesTo = (origin: string): readonly (readonly [sdk: string, line: string])[] => [
  ['iOS, macOS', `Purchases.proxyURL = URL(string: "${origin}")`],
  ['Android', `Purchases.proxyURL = URL("${origin}")`],
  ['Flutter, React Native', `Purchases.setProxyURL("${origin}")`],
  ['Web', `httpConfig: { proxyURL: '${origin}' }`],
]

const MAX_TEXT = 40

/** The SDK of a call, by its headers. An absent header is an empty text. */
export interface SeenSdk {
  platform: string
  /** The framework around the SDK; empty for a native one. */
  flavor: string
  version: string
}

/** With the version of the app around it. Web pages send none. */
export interface SeenApp extends SeenSdk {
  appVersion: string
}

export function seenApp(headers: Headers): SeenApp {
  const flavor = textOf(headers, 'x-platform-flavor')
  return {
    platform: textOf(headers, 'x-platform'),
    flavor: flavor === 'native' ? '' : flavor,
    version: textOf(headers, 'x-version'),
    appVersion: textOf(headers, 'x-client-version'),
  }
}

const USUAL = /^[\w.+-]{0,40}$/

function textOf(headers: Headers, name: string): string {
  const given = headers.get(name) ?? ''
  if (USUAL.test(given)) return given
  return given
    .replace(/[^\w.+() -]/g, '')
    .trim()
    .slice(0, MAX_TEXT)
}

/** Whether an SDK sends its events to the former vendor, although everything else comes here. */
export const VENDOR_EVENTS = ['YES', 'NO', 'UNKNOWN'] as const

export type VendorEvents = (typeof VENDOR_EVENTS)[number]

/** The first version for Apple's platforms that is known to send its events where it sends everything else. */
const APPLE_MAJOR = 5

/** Judged by the SDK and its version alone: calls of an app to other servers are not visible here. */
export function vendorEvents({ platform, version }: SeenSdk): VendorEvents {
  const major = Number(/^(\d+)\./.exec(version)?.[1] ?? Number.NaN)
  if (Number.isNaN(major)) return 'UNKNOWN'
  if (/^(android|amazon|web)$/i.test(platform)) return 'YES'
  const isApple = /^(ios|uikitformac|macos|tvos|watchos|visionos)$/i.test(platform)
  return isApple && major >= APPLE_MAJOR ? 'NO' : 'UNKNOWN'
}

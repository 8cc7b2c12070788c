import { isMailAddress } from '../text/addresses'
import { Given, readUrl } from './members'
import type { FunnelOptions, GivenSettings } from './model'
import type { Reading } from './reading'

const FLAGS = [
  'progress',
  'back',
  'locales',
  'requireTermsConsent',
  'emailBeforePayment',
  'requireConsent',
  'deferredMatch',
] as const
export const OPTION_NAMES = [...FLAGS, 'queryParameters', 'success', 'supportEmail'] as const
const MAX_PARAMETERS = 20
const PARAMETER = /^[A-Za-z0-9_.-]{1,64}$/

/** The settings of a funnel (funnels 1 and 11), with the offering by its identifier. */
export function readSettings(reading: Reading, given: unknown, path: string): GivenSettings {
  const settings = Given.of(reading, given ?? {}, path, ['offering', ...OPTION_NAMES])
  return { ...settings.maybe('offering', (value, place) => reading.id(value, place)), ...readOptions(settings) }
}

function readOptions(settings: Given): FunnelOptions {
  const { reading } = settings
  return {
    ...(Object.assign({}, ...FLAGS.map((name) => settings.maybe(name, settings.flag))) as FunnelOptions),
    ...settings.maybe('queryParameters', (value, path) => readParameters(reading, value, path)),
    ...settings.maybe('success', (value, path) => readSuccess(reading, value, path)),
    ...settings.maybe('supportEmail', (value, path) => readEmail(reading, value, path)),
  }
}

function readParameters(reading: Reading, given: unknown, path: string): string[] {
  const names = reading.list(given, path, MAX_PARAMETERS).map(([name, place]): [string, string] => {
    const isName = typeof name === 'string' && PARAMETER.test(name)
    if (!isName) reading.refuse(place, 'must be the name of a parameter, like utm_source')
    return [isName ? name : '', place]
  })
  reading.unique(names, 'parameter')
  return names.map(([name]) => name)
}

function readSuccess(reading: Reading, given: unknown, path: string): NonNullable<FunnelOptions['success']> {
  const success = Given.of(reading, given, path, ['mode', 'url'])
  const mode = success.read('mode', success.oneOf(['claim', 'redirect']))
  if (mode === 'redirect') return { mode, url: success.read('url', (value, place) => readUrl(reading, value, place)) }
  if (success.members.url != null) success.refuse('url', 'must be absent: the mode is claim')
  return { mode }
}

function readEmail(reading: Reading, value: unknown, path: string): string {
  if (typeof value === 'string' && isMailAddress(value)) return value
  reading.refuse(path, 'must be a mail address')
  return ''
}

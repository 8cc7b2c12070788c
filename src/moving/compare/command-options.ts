import { type Io, UsageError } from '../../base/cli/command'
import { isKey } from './key'
import { MAX_RATE, MAX_SAMPLE, VENDORS, type Vendor } from './model'

/** One action of `svc compare`. It reads its own options. */
export interface CompareAction {
  /** Its lines in the help of the command. */
  usage: string
  run(args: readonly string[], io: Io): Promise<number>
}

export const commonOptions = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const orderOptions = {
  vendor: { type: 'string' },
  'key-env': { type: 'string' },
  url: { type: 'string' },
  sample: { type: 'string' },
  rate: { type: 'string' },
  'include-sandbox': { type: 'boolean' },
} as const

export interface OrderValues {
  vendor?: string | undefined
  'key-env'?: string | undefined
  url?: string | undefined
  sample?: string | undefined
  rate?: string | undefined
  'include-sandbox'?: boolean | undefined
}

export const readVendor = ({ vendor }: OrderValues): Vendor => {
  const known = VENDORS.find((one) => one === vendor)
  if (vendor === undefined) throw new UsageError(`--vendor is missing; it takes ${VENDORS.join(', ')}`)
  if (!known) throw new UsageError(`--vendor takes ${VENDORS.join(', ')}, not "${vendor}"`)
  return known
}

export const readOrder = (values: OrderValues) => ({
  vendor: readVendor(values),
  url: values.url ?? null,
  sample: readSample(values.sample),
  rate: readRate(values.rate),
  skipSandbox: values['include-sandbox'] !== true,
})

/** Other users of a machine can read the command lines of its processes, so the key comes by the environment. */
export function readKeyName(values: OrderValues): string {
  const name = values['key-env']
  if (name === undefined) throw new UsageError("--key-env is missing: the variable that holds the vendor's key")
  if (/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) return name
  throw new UsageError("--key-env takes the name of an environment variable, not the vendor's key")
}

/** The vendor's key from the environment. */
export function readKey(name: string, { env }: Io): string {
  const key = env[name]?.trim()
  if (!key) throw new UsageError(`${name} is not set; it must hold the vendor's key`)
  if (!isKey(key)) throw new UsageError(`${name} does not hold a key of the vendor`)
  return key
}

function readSample(text: string | undefined): number | null {
  if (text === undefined || text === 'all') return null
  const sample = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (sample < 1 || sample > MAX_SAMPLE) throw new UsageError(`--sample takes a number of people or all, not "${text}"`)
  return sample
}

export function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rate = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : -1
  if (rate < 0 || rate > MAX_RATE || (rate > 0 && rate < 0.1))
    throw new UsageError(`--rate takes a number of requests per second from 0.1 to ${MAX_RATE}, or 0, not "${text}"`)
  return rate
}

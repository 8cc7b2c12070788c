import type { Context } from '../../base/context'
import { URL_FAULTS } from '../../base/lib/outgoing-url'
import type { Fault } from '../../core/text/fault'
import { refuseFaults } from '../../projects/project/edit'
import { isKey } from './key'
import { DEFAULT_RATE, MAX_RATE, MAX_SAMPLE, MIN_RATE, type Vendor } from './model'

/** What people decide about a comparison, once or nightly. */
export interface CompareInput {
  vendor: Vendor
  url?: string | null | undefined
  /** How many people; null = all. */
  sample?: number | null | undefined
  rate?: number | undefined
  skipSandbox?: boolean | undefined
}

export interface CheckedOrder {
  vendor: Vendor
  url: string | null
  isTrusted: boolean
  sample: number | null
  rate: number
  skipSandbox: boolean
}

/**
 * The input as it is stored; 400 `VALIDATION_ERROR` for what is not allowed. Only the command line of the server may name
 * an address in a private network.
 */
export async function checkOrder(
  ctx: Pick<Context, 'state'>,
  { vendor, url = null, sample = null, rate = DEFAULT_RATE, skipSandbox = true }: CompareInput,
  { isTrusted, key }: { isTrusted: boolean; key?: string | undefined },
): Promise<CheckedOrder> {
  const faults: Fault[] = []
  if (sample !== null && !(Number.isInteger(sample) && sample >= 1 && sample <= MAX_SAMPLE))
    faults.push({ path: 'sample', message: `sample must be a whole number from 1 to ${MAX_SAMPLE}` })
  if (!(rate >= 0 && rate <= MAX_RATE) || (rate === 0 && !isTrusted) || (rate > 0 && rate < MIN_RATE))
    faults.push({ path: 'rate', message: `rate must be a number of requests per second up to ${MAX_RATE}` })
  if (key !== undefined && !isKey(key)) faults.push({ path: 'key', message: 'key must be a key of the vendor' })
  if (url !== null) faults.push(...(await urlFaults(ctx, url, isTrusted)))
  refuseFaults(faults)
  return { vendor, url, isTrusted: isTrusted && url !== null, sample, rate, skipSandbox }
}

/** Slower, one request would wait for longer than a process may be silent. */

async function urlFaults(ctx: Pick<Context, 'state'>, text: string, isTrusted: boolean): Promise<Fault[]> {
  const url = URL.parse(text)
  const isBase = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isBase || url.username !== '' || url.password !== '')
    return [{ path: 'url', message: 'url must be an https address without a query' }]
  const fault = isTrusted ? null : await ctx.state.outgoing.faultOf(text)
  return fault === null ? [] : [{ path: 'url', message: `url ${URL_FAULTS[fault]}` }]
}

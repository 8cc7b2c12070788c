import { DAY } from '../../src/base/lib/clock'
import { MONTHLY } from '../support/cast'
import { HEADER } from './imports'

const STEP = 7919

/** Chains of 1 to 20 months. A third begins with a trial, and some were cancelled or refunded. */
export async function writeHistory(path: string, size: number, isScattered: boolean): Promise<number> {
  const lines: string[] = []
  for (let person = 0; lines.length < size; person++) {
    const periods = 1 + ((person * 7) % 20)
    for (let period = 1; period <= periods && lines.length < size; period++) lines.push(rowOf(person, period, periods))
  }
  const writer = Bun.file(path).writer()
  writer.write(`${HEADER}\n`)
  for (let n = 0; n < lines.length; n++) writer.write(lines[isScattered ? (n * STEP) % lines.length : n] ?? '')
  await writer.end()
  return lines.length
}

const FIRST = Date.UTC(2023, 0, 1, 8)

const at = (instant: number): string => new Date(instant).toISOString().slice(0, 19).replace('T', ' ')

function rowOf(person: number, period: number, periods: number): string {
  const begin = FIRST + (person % 500) * DAY + (person % 86_400) * 1000
  const [start, end] = [at(begin + (period - 1) * 30 * DAY), at(begin + period * 30 * DAY)]
  const transaction = 2_000_000_000_000_000 + person * 100
  const isTrial = period === 1 && person % 3 === 0
  const isLast = period === periods
  const refunded = isLast && person % 10 === 0 ? at(begin + period * 30 * DAY - 2 * DAY) : ''
  const cancelled = isLast && person % 4 === 0 ? at(begin + period * 30 * DAY - 5 * DAY) : ''
  const country = ['US', 'DE', 'GB', 'FR', 'JP'][person % 5]
  return `user_${person},user_${person},${country},from_sdk,${MONTHLY.productId},Pro Monthly,P1M,${start},${end},,${end},app_store,true,${isTrial},false,false,9.99,9.99,0.7,0,0.3,${transaction + period},${transaction + 1},${refunded},${cancelled},,USD,9.99,9.99,"[""pro""]",${period},false,default,PURCHASED,"{""$email"": {""value"": ""u${person}@example.com"", ""updated_at_ms"": 1785000000000}}","{""tier"": {""value"": ""gold"", ""updated_at_ms"": 1785000000000}}",ios,,,${start},,,2026-01-01 08:00:00,\n`
}
